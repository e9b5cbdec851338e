//! One request: `request → plan → sql → execute → response`.

mod logged;
mod timing;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pg::BoundSql;
use pg::lane::Lane;

use crate::error::Error;
use crate::execute::accessible::accessible;
use crate::execute::session::{self, Who};
use crate::execute::state::State;
use crate::observation::Observation;
use crate::plan::{DbPlan, Plan};
use crate::request::{ApiRequest, Incoming};
use crate::response::{self, Answer};
use crate::runtime::rest::Rest;
use crate::{execute, plan, sql};
use timing::{Stage, Timing};

/// A planned request, with what its response needs.
struct Asked<'a> {
    incoming: Incoming<'a>,
    plan: &'a DbPlan,
    request: &'a ApiRequest,
    canonical: &'a str,
}

impl Rest {
    /// Answers a request over its worker's lane. The log entry of a server-side failure contains `request_id`.
    pub(crate) async fn handle(&self, lane: &Lane, incoming: Incoming<'_>, who: Who<'_>, request_id: &str) -> Answer {
        let state = self.state.load_full();
        let answer = match &state {
            Some(state) => self.respond(lane, state, incoming, who).await,
            None => {
                self.observer.observe(Observation::NoCatalog);
                Err(Error::NoCatalog)
            }
        };
        answer.unwrap_or_else(|error| {
            logged::failure(self, &error, request_id);
            self.refusal(&error)
        })
    }

    /// The response to an error.
    pub(crate) fn refusal(&self, error: &Error) -> Answer {
        let mut answer = Answer::of_error(error, self.config().client_error_verbosity);
        if answer.status == http::StatusCode::SERVICE_UNAVAILABLE {
            answer.set(http::header::RETRY_AFTER, &self.retry_after.load(Ordering::Relaxed).to_string());
        }
        answer
    }

    async fn respond(
        &self,
        lane: &Lane,
        state: &Arc<State>,
        incoming: Incoming<'_>,
        who: Who<'_>,
    ) -> Result<Answer, Error> {
        let State { config, catalog, repeats, .. } = &**state;
        let mut timing = Timing::start(who.took);
        // Cached requests contain made-up values, but the log must show the real ones.
        let shape = if config.log_query { None } else { repeats.shape(incoming) };
        let mut answer =
            if let Some((shape, known)) = shape.as_ref().and_then(|shape| Some((shape, repeats.find(shape)?))) {
                timing.done(Stage::Parse);
                let (sql, canonical) = (known.sql(shape), known.canonical(shape));
                let asked = Asked { incoming, plan: &known.plan, request: &known.request, canonical: &canonical };
                timing.done(Stage::Plan);
                self.answer(asked, lane, state, sql, who, &mut timing).await?
            } else {
                let request = ApiRequest::parse(incoming, config)?;
                timing.done(Stage::Parse);
                let plan = plan::plan(&request, catalog, config)?;
                timing.done(Stage::Plan);
                match &plan {
                    Plan::Db(plan) => {
                        let sql = BoundSql::from(sql::statement(plan, &request, config.db_max_rows)?);
                        if let Some(shape) = &shape {
                            repeats.learn(shape, incoming, &request, &sql, (catalog, config));
                        }
                        let asked = Asked { incoming, plan, request: &request, canonical: &request.query.canonical };
                        self.answer(asked, lane, state, sql, who, &mut timing).await?
                    }
                    Plan::Describe { headers_only } => {
                        let session = session::session(state, incoming, &request, None, who);
                        let schema = &request.schema;
                        let log = || logged::statements_of_root(state, schema, &session);
                        let statements = state.config.log_query.then(log);
                        let answer = async {
                            let accessible = accessible(lane, state, session, who, &request.schema).await?;
                            response::openapi::answer(state, &request, accessible, *headers_only).await
                        };
                        let answer = answer.await;
                        self.tell_statements(statements, &answer);
                        answer?
                    }
                    Plan::Info { allow } => Answer::info(allow),
                }
            };
        answer.headers.entry(http::header::VARY).or_insert(http::HeaderValue::from_static("Accept, Prefer, Range"));
        if config.server_timing_enabled {
            timing.done(Stage::Response);
            answer.set(http::HeaderName::from_static("server-timing"), &timing.header());
        }
        Ok(answer)
    }

    async fn answer(
        &self,
        asked: Asked<'_>,
        lane: &Lane,
        state: &State,
        sql: BoundSql,
        who: Who<'_>,
        timing: &mut Timing,
    ) -> Result<Answer, Error> {
        let Asked { incoming, plan, request, canonical } = asked;
        let verbosity = state.config.client_error_verbosity;
        logged::legacy_names(self, incoming, plan);
        let session = session::session(state, incoming, request, Some(plan), who);
        let statements = state.config.log_query.then(|| logged::statements(state, plan, request, &session));
        let outcome = execute::run(lane, state, plan, request, sql, session, who).await;
        timing.done(Stage::Transaction);
        let answer = outcome.and_then(|outcome| response::answer(plan, request, canonical, outcome, verbosity));
        self.tell_statements(statements, &answer);
        let mut answer = answer?;
        response::headers::warn_of_legacy_names(&mut answer, &plan.read);
        Ok(answer)
    }

    fn tell_statements(&self, statements: Option<Vec<String>>, answer: &Result<Answer, Error>) {
        if let Some(statements) = statements {
            let status = answer.as_ref().map_or_else(Error::status, |answer| answer.status);
            self.observer.observe(Observation::Statements(&statements, status.as_u16()));
        }
    }
}
