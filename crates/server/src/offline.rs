//! Database work without serving: `dugout migrate`, `seed`, `admin` and `storage fsck`. If a server runs in the data
//! directory, its PostgreSQL is used; otherwise PostgreSQL is started for the duration.

use std::path::PathBuf;
use std::time::Duration;

use gateway::service::{Check, Checked};
use pg::Target;
use pg::cluster::{Cluster, Upgraded};
use pg::migrations::Skips;

use crate::config::{Config, Database};
use crate::database::{self, Ready, Stages};
use crate::error::StartError;
use crate::project;
use crate::secrets::Secrets;
use crate::state_file::State;

/// What to do with the database.
pub enum Work<'a> {
    /// Apply pending migrations.
    Migrate,
    /// Run the seed files that have not run yet.
    Seed,
    /// Execute one statement with one text parameter as the owner.
    Execute(&'static str, &'a str),
    /// Compare the files of a service with its tables; what was found is the result.
    Check {
        /// Its name.
        service: &'static str,
        /// Remove what has no other half.
        repair: bool,
        /// Repair even what looks like the wrong folder or database.
        force: bool,
    },
}

/// The result.
#[derive(Debug, PartialEq, Eq)]
pub enum Done {
    /// Names of the applied migrations.
    Migrated(Vec<String>),
    /// Paths of the seed files that ran, relative to `supabase/`.
    Seeded(Vec<String>),
    /// Number of affected rows.
    Rows(u64),
    /// What a service says of its files.
    Checked(Checked),
    /// The service is not enabled, or keeps no files.
    Nothing,
}

/// Does the work.
///
/// # Errors
/// As [`crate::start`].
pub async fn with_database(config: &Config, work: Work<'_>) -> Result<Done, StartError> {
    if let Some(owner) = State::read(&config.data_dir)?.and_then(|state| Target::parse(&state.db_url).ok()) {
        // On our own cluster this logs in as `postgres`, which is no superuser there.
        let owner = match &config.database {
            Database::External(_) => database::guarded(&owner).await?,
            Database::Embedded { .. } => owner,
        };
        return on(config, &owner, work, true).await;
    }
    // A new database has no rows: every file would seem to belong to nothing.
    if matches!((&work, &config.database), (Work::Check { .. }, Database::Embedded { .. })) && !has_cluster(config) {
        return Err(StartError::NoDatabase(config.data_dir.clone()));
    }
    let secrets = if config.dev { Secrets::dev() } else { Secrets::load_or_create(&config.data_dir)? };
    let secrets = secrets.with_given(&config.keys)?;
    let Ready { owner, cluster, .. } = database::prepare(config, &secrets, &mut Stages::new()).await?;
    let done = on(config, &owner, work, false).await;
    if let Some(cluster) = cluster {
        cluster.stop().await;
    }
    done
}

/// The project's database as its owner, for a tool. [`Opened::close`] ends what was started for it.
#[derive(Debug)]
pub struct Opened {
    /// Logs in as the owner of the project's tables.
    pub owner: Target,
    cluster: Option<Cluster>,
}

impl Opened {
    /// Stops PostgreSQL, if it was started for this.
    pub async fn close(self) {
        if let Some(cluster) = self.cluster {
            cluster.stop().await;
        }
    }
}

/// Opens the database without changing it: a server of the user's, the PostgreSQL of a server of ours that runs, or our own
/// cluster, started for the duration.
///
/// # Errors
/// [`StartError`], and [`StartError::NoDatabase`] before the first `dugout start`.
pub async fn open(config: &Config) -> Result<Opened, StartError> {
    if let Database::External(target) = &config.database {
        return Ok(Opened { owner: database::guarded(target).await?, cluster: None });
    }
    if let Some(owner) = State::read(&config.data_dir)?.and_then(|state| Target::parse(&state.db_url).ok()) {
        return Ok(Opened { owner, cluster: None });
    }
    if !has_cluster(config) {
        return Err(StartError::NoDatabase(config.data_dir.clone()));
    }
    let secrets = if config.dev { Secrets::dev() } else { Secrets::load_or_create(&config.data_dir)? };
    let secrets = secrets.with_given(&config.keys)?;
    let Ready { owner, cluster, .. } = database::prepare(config, &secrets, &mut Stages::new()).await?;
    Ok(Opened { owner, cluster })
}

/// A database of its own that has the project's migrations and nothing else, in a cluster that lives as long as the value: what the
/// project's database is compared with.
#[derive(Debug)]
pub struct Shadow {
    /// Logs in as the owner of the project's tables.
    pub owner: Target,
    cluster: Option<Cluster>,
    folder: PathBuf,
}

impl Shadow {
    /// Makes it in the folder for temporary files. Migrations are applied as to a new project.
    ///
    /// # Errors
    /// [`StartError`], such as a migration that fails.
    pub async fn start(config: &Config) -> Result<Self, StartError> {
        let folder = std::env::temp_dir().join(format!("dugout-shadow-{}", uuid::Uuid::new_v4().simple()));
        std::fs::create_dir(&folder).map_err(|error| StartError::DataDir(folder.clone(), error))?;
        let bin_dir = match &config.database {
            Database::Embedded { bin_dir, .. } => bin_dir.clone(),
            Database::External(_) => None,
        };
        let mut config = config.clone();
        config.database = Database::Embedded { tcp_port: None, bin_dir, durable: false };
        config.data_dir.clone_from(&folder);
        config.dev = false;
        let mut shadow = Shadow { owner: Target::unix(&folder, 0, "postgres", "postgres"), cluster: None, folder };
        match Box::pin(shadow.fill(&config)).await {
            Ok(()) => Ok(shadow),
            Err(error) => {
                shadow.close().await;
                Err(error)
            }
        }
    }

    async fn fill(&mut self, config: &Config) -> Result<(), StartError> {
        let mut ready = database::prepare(config, &Secrets::dev(), &mut Stages::new()).await?;
        self.owner = ready.owner.clone();
        let applied = project::migrate(config, &ready, &mut Stages::new()).await;
        self.cluster = ready.cluster.take();
        applied.map(drop)
    }

    /// Stops it and removes its files.
    pub async fn close(mut self) {
        if let Some(cluster) = self.cluster.take() {
            cluster.stop().await;
        }
    }
}

impl Drop for Shadow {
    fn drop(&mut self) {
        // Stops PostgreSQL first, if nobody has.
        drop(self.cluster.take());
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The folder of pg_dump and psql.
///
/// # Errors
/// [`StartError`] if they are not installed.
pub fn client_programs(config: &Config) -> Result<PathBuf, StartError> {
    Ok(pg::cluster::client_programs(&database::cluster_config(config))?)
}

/// Upgrades our own cluster to the major version that this release expects. `None` if it has that version already.
///
/// # Errors
/// [`StartError`]; the old cluster is then unchanged.
pub async fn upgrade(config: &Config) -> Result<Option<Upgraded>, StartError> {
    match &config.database {
        Database::External(target) => Err(StartError::NotOurs(target.address())),
        Database::Embedded { .. } => Ok(pg::cluster::upgrade(&database::cluster_config(config)).await?),
    }
}

/// How long a file may lack its row while a server may be running.
const UPLOAD: Duration = Duration::from_secs(60 * 60);

/// `running`: a server may be writing at the same time.
fn has_cluster(config: &Config) -> bool {
    config.data_dir.join("postgres/PG_VERSION").exists()
}

async fn on(config: &Config, owner: &Target, work: Work<'_>, running: bool) -> Result<Done, StartError> {
    match work {
        Work::Migrate => project::apply_pending(config, owner, &mut Skips::default()).await.map(Done::Migrated),
        Work::Seed => project::seed(config, owner, &mut Skips::default()).await.map(Done::Seeded),
        Work::Execute(sql, parameter) => database::execute(owner, sql, parameter).await.map(Done::Rows),
        Work::Check { service, repair, force } => {
            let configured = config.services.iter().find(|(manifest, _)| manifest.name == service);
            // Servers of other machines may use a database that is not our own.
            let alone = !running && matches!(config.database, Database::Embedded { .. });
            let check = Check {
                target: owner.clone(),
                data_dir: config.data_dir.clone(),
                repair,
                force,
                grace: if alone { Duration::ZERO } else { UPLOAD },
            };
            match configured.and_then(|(_, configured)| configured.as_ref()?.check(check)) {
                Some(checked) => {
                    checked.await.map(Done::Checked).map_err(|error| StartError::Service(service, error.to_string()))
                }
                None => Ok(Done::Nothing),
            }
        }
    }
}
