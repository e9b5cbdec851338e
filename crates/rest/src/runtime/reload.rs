//! Reloads the configuration at run time, including the settings in the database.

use std::convert::Infallible;
use std::sync::{Arc, PoisonError};

use pg::pool::Query;
use pg::{Access, Isolation, Session, Snippet};

use super::rest::Rest;
use super::settings;
use super::watch_error::OLDEST;
use crate::catalog::role_settings::RoleSettings;
use crate::config::{Config, Problem, Sources};
use crate::error::Error;
use crate::observation::Observation;

const VERSION: &str = "select version(), current_setting('server_version_num')::int, current_setting('server_version')";

/// Reloads the configuration after each request for a reload.
pub(crate) async fn keep_config(rest: &Rest) -> Infallible {
    loop {
        rest.wanted_config.notified().await;
        config(rest).await;
    }
}

/// Connects to the database and stores its version; returns the version if it is too old.
pub(crate) async fn meet(rest: &Rest) -> Result<Option<String>, pg::Error> {
    let mut connection = rest.pool.get().await?;
    let transaction = connection.transaction().await?;
    let row = transaction.query_one(VERSION, &[]).await?;
    let server: String = row.get(0);
    transaction.commit().await?;
    if row.get::<_, i32>(1) < OLDEST.0 {
        return Ok(Some(row.get(2)));
    }
    rest.observer.observe(Observation::Connected { server: &server, pool: rest.config().db_pool });
    rest.server.store(Arc::new(server));
    Ok(None)
}

/// Reloads the configuration: file, environment, database, and settings of roles. If a setting is invalid, the old
/// configuration stays in force.
///
/// DEVIATION: if the database does not return its settings at a reload, the last known ones stay in force; PostgREST
/// continues with file and environment alone.
pub(crate) async fn config(rest: &Rest) {
    // One at a time, so that an older configuration never replaces a newer one.
    let _turn = rest.reading_config.lock().await;
    let old = rest.config();
    let fixed = Sources::default();
    let sources = rest.sources.as_ref().unwrap_or(&fixed);
    let base = || if rest.sources.is_some() { Config::default() } else { rest.base.clone() };
    let refused = |problems: Vec<Problem>| {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        rest.observer.observe(Observation::ConfigRefused(&problems.join("; ")));
    };
    // Only file and environment decide whether settings are read from the database.
    let outside = match base().overlaid(sources, &[]) {
        Ok(loaded) => loaded.config,
        Err(problems) => return refused(problems),
    };
    let mut roles = rest.roles.load_full();
    if outside.db_config {
        match in_database(rest, &old).await {
            Ok((found, found_roles)) => {
                *rest.in_database.lock().unwrap_or_else(PoisonError::into_inner) = found;
                roles = Arc::new(found_roles);
            }
            Err(failure) => rest.observer.observe(Observation::ConfigUnread(&Error::of_load(&failure))),
        }
    } else {
        rest.in_database.lock().unwrap_or_else(PoisonError::into_inner).clear();
        roles = Arc::default();
    }
    let database = rest.in_database.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match base().overlaid(sources, &database) {
        Ok(loaded) => apply(rest, &old, loaded.config, roles),
        Err(problems) => refused(problems),
    }
}

fn apply(rest: &Rest, old: &Config, mut config: Config, roles: Arc<RoleSettings>) {
    // The database URL can only be set at the start.
    config.db_uri = old.db_uri.clone();
    if config.jwt_role_claim_key.is_deprecated() {
        rest.observer.observe(Observation::DeprecatedRoleClaim(&config.jwt_role_claim_key.to_string()));
    }
    if let Some(policy) = rest.policy.as_ref().filter(|_| !config.has_keys_of(old)) {
        policy.replace(config.caller_policy(policy.get().keys.clock().clone()));
    }
    let listens_otherwise =
        (config.db_channel_enabled, &config.db_channel) != (old.db_channel_enabled, &old.db_channel);
    rest.config.store(Arc::new(config));
    rest.roles.store(roles);
    rest.publish(None);
    if listens_otherwise {
        rest.listener_changed.notify_one();
    }
    rest.observer.observe(Observation::ConfigReloaded(&rest.config()));
}

/// The settings in the database, in which those of the role win over those of `db-pre-config`; and the settings of
/// roles.
pub(crate) async fn in_database(
    rest: &Rest,
    config: &Config,
) -> Result<(Vec<(String, String)>, RoleSettings), pg::Error> {
    let mut connection = rest.pool.get().await?;
    let session = Session::of_connection();
    let transaction = connection.begin(&session, Isolation::ReadCommitted, Access::ReadOnly).await?;
    let mut found = settings::in_database(&transaction).await?;
    if let Some(function) = &config.db_pre_config {
        let mut call = Snippet::raw("select ");
        call.qualified(function).push("()");
        transaction.call(&call).await?;
        let made = settings::made(&transaction).await?;
        let is_new = |(name, _): &(String, String)| !found.iter().any(|(known, _)| known == name);
        let made: Vec<(String, String)> = made.into_iter().filter(is_new).collect();
        found.extend(made);
    }
    let roles = settings::of_roles(&transaction).await?;
    transaction.commit().await?;
    Ok((found, roles))
}

impl Rest {
    /// Reads the configuration once, including the settings in the database: for a start that must end on a bad one.
    ///
    /// # Errors
    /// The sentence to end the process with.
    pub async fn read_config_once(&self) -> Result<Arc<Config>, String> {
        let found = in_database(self, &self.config()).await;
        let (found, _) = found.map_err(|failure| Error::of_load(&failure).payload())?;
        let sources = Sources::default();
        let sources = self.sources.as_ref().unwrap_or(&sources);
        let loaded = Config::load(sources, &found)
            .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
        self.config.store(Arc::new(Config { db_uri: self.base.db_uri.clone(), ..loaded.config }));
        Ok(self.config())
    }
}
