//! Database work without serving: `dugout migrate`, `dugout seed` and `dugout admin`. If a server runs in the data
//! directory, its PostgreSQL is used; otherwise PostgreSQL is started for the duration.

use std::path::PathBuf;

use pg::Target;
use pg::cluster::{Cluster, Upgraded};
use pg::migrations::Skips;

use crate::config::{Config, Database};
use crate::database::{self, Ready, Stages};
use crate::error::StartError;
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
        return on(config, &owner, work).await;
    }
    let secrets = if config.dev { Secrets::dev() } else { Secrets::load_or_create(&config.data_dir)? };
    let secrets = secrets.with_given(&config.keys)?;
    let Ready { owner, cluster, .. } = database::prepare(config, &secrets, &mut Stages::new()).await?;
    let done = on(config, &owner, work).await;
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
/// [`StartError`], and [`StartError::NoDatabase`] if there is none yet.
pub async fn open(config: &Config) -> Result<Opened, StartError> {
    if let Database::External(target) = &config.database {
        return Ok(Opened { owner: database::guarded(target).await?, cluster: None });
    }
    if let Some(owner) = State::read(&config.data_dir)?.and_then(|state| Target::parse(&state.db_url).ok()) {
        return Ok(Opened { owner, cluster: None });
    }
    if !config.data_dir.join("postgres/PG_VERSION").exists() {
        return Err(StartError::NoDatabase(config.data_dir.clone()));
    }
    let secrets = if config.dev { Secrets::dev() } else { Secrets::load_or_create(&config.data_dir)? };
    let secrets = secrets.with_given(&config.keys)?;
    let Ready { owner, cluster, .. } = database::prepare(config, &secrets, &mut Stages::new()).await?;
    Ok(Opened { owner, cluster })
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

async fn on(config: &Config, owner: &Target, work: Work<'_>) -> Result<Done, StartError> {
    match work {
        Work::Migrate => database::apply_pending(config, owner, &mut Skips::default()).await.map(Done::Migrated),
        Work::Seed => database::seed(config, owner, &mut Skips::default()).await.map(Done::Seeded),
        Work::Execute(sql, parameter) => database::execute(owner, sql, parameter).await.map(Done::Rows),
    }
}
