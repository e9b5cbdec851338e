//! A database as the pure stages see it, and the stages that a request passes.

use std::sync::Arc;

use gateway::Claims;
use pg::Target;

use super::catalog::{SCHEMA, invented};
use super::request::{Generated, generate};
use super::vocabulary::Vocabulary;
use crate::catalog::role_settings::RoleSettings;
use crate::execute::session;
use crate::execute::state::State;
use crate::plan::{Kind, Plan};
use crate::request::ApiRequest;
use crate::{Config, Error, Incoming, Rest, Setup, WatchError, Who, plan, sql};

/// A catalog and its vocabulary.
pub struct World {
    state: Arc<State>,
    vocabulary: Vocabulary,
}

impl World {
    /// A made-up database with something of everything.
    pub fn invented() -> Self {
        let config = Config {
            db_schemas: vec![SCHEMA.to_owned()],
            db_aggregates_enabled: true,
            db_plan_enabled: true,
            db_max_rows: Some(1000),
            db_pre_request: Some(pg::QualifiedIdent::new(SCHEMA, "before")),
            ..Config::default()
        };
        Self::of_state(Arc::new(State {
            config: Arc::new(config),
            catalog: Arc::new(invented()),
            roles: Arc::new(RoleSettings::default()),
            repeats: crate::execute::repeats::Repeats::default(),
        }))
    }

    /// The database at `target`, once its catalog is loaded.
    ///
    /// # Errors
    /// The errors of [`Rest::new`].
    pub async fn of_database(target: Target, config: Config) -> Result<Self, WatchError> {
        let observer = Arc::new(gateway::events::Events::default());
        let listener = pg::Listener::new(&target)?;
        let rest = Rest::new(Setup { target, listener, config, sources: None, policy: None, workers: 1, observer })?;
        let loaded = async {
            loop {
                if let Some(state) = rest.state.load_full() {
                    return state;
                }
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            state = loaded => Ok(Self::of_state(state)),
            failed = rest.watch() => match failed? {},
        }
    }

    fn of_state(state: Arc<State>) -> Self {
        let schema = state.config.db_schemas.first().cloned().unwrap_or_default();
        let vocabulary = Vocabulary::of(&state.catalog, &schema);
        World { state, vocabulary }
    }

    #[cfg(test)]
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// The request that is generated from these bytes.
    pub fn request(&self, entropy: &[u8]) -> Generated {
        generate(&self.vocabulary, entropy)
    }

    /// The texts of all statements that a request would send to the database: its own statement first, the settings last.
    ///
    /// # Errors
    /// The error that the client would get.
    pub fn statements(&self, request: &Generated) -> Result<Vec<String>, Error> {
        let State { config, catalog, .. } = &*self.state;
        let incoming = Incoming {
            method: &request.method,
            path: &request.path,
            query: &request.query,
            headers: &request.headers,
            body: &request.body,
        };
        let claims = Claims::from_map(request.claims.clone());
        let who = Who { role: &request.role, claims: &claims, took: std::time::Duration::ZERO };
        let parsed = ApiRequest::parse(incoming, config)?;
        let Plan::Db(plan) = plan::plan(&parsed, catalog, config)? else { return Ok(Vec::new()) };
        let mut statements = vec![sql::statement(&plan, &parsed, config.db_max_rows)?];
        if matches!(plan.kind, Kind::Read { .. }) && parsed.prefer.counts_by_plan() {
            statements.push(sql::planned_count(&plan));
        }
        statements.extend(config.db_pre_request.as_ref().map(sql::pre_request));
        let mut texts: Vec<String> = statements.iter().map(|statement| statement.render().0).collect();
        let session = session::session(&self.state, incoming, &parsed, Some(&plan), who);
        texts.extend(session.statement(&[]).map(|(text, _)| text));
        Ok(texts)
    }
}
