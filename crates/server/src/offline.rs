//! Work on the database without serving: what `dugout migrate`, `seed`, `admin` and `storage fsck` do. Where a server of ours
//! already runs in the data directory, its PostgreSQL is used; otherwise one is started for the duration.

use std::time::Duration;

use gateway::service::{Check, Checked};
use pg::Target;
use pg::cluster::Upgraded;
use pg::migrations::Skips;

use crate::config::{Config, Database};
use crate::database::{self, Ready, Stages};
use crate::error::StartError;
use crate::secrets::Secrets;
use crate::state_file::State;

/// What to do with the database.
pub enum Work<'a> {
    /// Apply pending migrations; the names of those applied are the result.
    Migrate,
    /// Run the seed files that did not run yet; their paths are the result.
    Seed,
    /// Run one statement with one text parameter as the owner; how many rows it touched is the result.
    Execute(&'static str, &'a str),
    /// Compare the files of a service with its tables; what was found is the result.
    Check {
        /// Its name.
        service: &'static str,
        /// Remove what has no other half.
        repair: bool,
    },
}

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
pub enum Done {
    /// Names of migrations.
    Migrated(Vec<String>),
    /// Paths of seed files, relative to the project.
    Seeded(Vec<String>),
    /// Rows.
    Rows(u64),
    /// What a service says of its files.
    Checked(Checked),
    /// The service is not enabled, or keeps no files.
    Nothing,
}

/// Does the work.
///
/// # Errors
/// [`StartError`], as [`crate::start`].
pub async fn with_database(config: &Config, work: Work<'_>) -> Result<Done, StartError> {
    if let Some(owner) = State::read(&config.data_dir)?.and_then(|state| Target::parse(&state.db_url).ok()) {
        // Over our own cluster's socket or port this is `postgres`, no superuser.
        let owner = match &config.database {
            Database::External(_) => database::guarded(&owner).await?,
            Database::Embedded { .. } => owner,
        };
        return on(config, &owner, work, true).await;
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

/// Moves our own cluster to the major version that this release is made for; `None` if it is there.
///
/// # Errors
/// [`StartError`]; the old cluster stays in its place.
pub async fn upgrade(config: &Config) -> Result<Option<Upgraded>, StartError> {
    match &config.database {
        Database::External(target) => Err(StartError::NotOurs(target.address())),
        Database::Embedded { .. } => Ok(pg::cluster::upgrade(&database::cluster_config(config)).await?),
    }
}

/// How long a file may lack its row while a server may be running.
const UPLOAD: Duration = Duration::from_secs(60 * 60);

/// `running`: a server may be writing at the same time.
async fn on(config: &Config, owner: &Target, work: Work<'_>, running: bool) -> Result<Done, StartError> {
    match work {
        Work::Migrate => database::apply_pending(config, owner, &mut Skips::default()).await.map(Done::Migrated),
        Work::Seed => database::seed(config, owner, &mut Skips::default()).await.map(Done::Seeded),
        Work::Execute(sql, parameter) => database::execute(owner, sql, parameter).await.map(Done::Rows),
        Work::Check { service, repair } => {
            let configured = config.services.iter().find(|(manifest, _)| manifest.name == service);
            // Servers of other machines may use a database that is not our own.
            let alone = !running && matches!(config.database, Database::Embedded { .. });
            let check = Check {
                target: owner.clone(),
                data_dir: config.data_dir.clone(),
                repair,
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
