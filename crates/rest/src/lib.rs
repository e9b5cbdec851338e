//! `/rest/v1`: every table, view and function as HTTP, as PostgREST does it.
//!
//! `request → plan → sql → execute → response`, each stage a total function from data to data or an [`Error`]. Only
//! `execute` reaches the database, and nothing behind `request` knows HTTP text. What the database offers is the
//! `catalog`, loaded beside the old one and swapped.

mod catalog;
pub mod config;
mod cors;
pub mod error;
mod execute;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod fuzzy;
mod plan;
mod repeat;
mod request;
mod response;
pub mod routes;
mod session;
mod sql;
mod timing;

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use arc_swap::ArcSwapOption;
use gateway::events::Events;
use pg::lane::{Lane, LaneConfig};
use pg::{BoundSql, Lanes, Pool, PoolConfig, Target};

pub use config::Config;
pub use error::Error;
pub use request::Incoming;
pub use response::{Answer, Body, Pieces};
pub use session::Who;

use catalog::Catalog;
use catalog::settings::RoleSettings;
use plan::{DbPlan, Plan};
use repeat::Repeats;
use request::ApiRequest;
use timing::{Stage, Timing};

/// The PostgREST whose behaviour this is, as it names itself to clients.
pub(crate) const UPSTREAM_VERSION: &str = "17 (pre-release)";

/// Connections that fast reads of one worker share: a second one works while the first waits for a lock or a page.
const HOT_CONNECTIONS: usize = 2;

/// Connections for loading the catalog: one load at a time.
const CATALOG_CONNECTIONS: usize = 1;

/// The data API of one database.
pub struct Rest {
    config: Config,
    target: Target,
    /// One a worker: a connection is driven by the request that uses it, so it stays on the thread it was made on.
    lanes: Vec<Lane>,
    mounted: AtomicUsize,
    pool: Pool,
    events: Events,
    state: ArcSwapOption<State>,
    reload: tokio::sync::Notify,
    /// Seconds until the database is tried again, while there is no catalog.
    retry_after: AtomicU64,
}

/// What a request works with; replaced as a whole.
struct State {
    config: Config,
    catalog: Catalog,
    roles: RoleSettings,
    repeats: Repeats,
}

/// What is to be done about a request, and what its answer needs of it.
struct Asked<'a> {
    incoming: Incoming<'a>,
    plan: &'a DbPlan,
    request: &'a ApiRequest,
    canonical: &'a str,
}

impl Asked<'_> {
    async fn answer(
        &self,
        lane: &Lane,
        state: &State,
        sql: BoundSql,
        who: Who<'_>,
        timing: &mut Timing,
    ) -> Result<Answer, Error> {
        let Asked { incoming, plan, request, canonical } = *self;
        let session = session::session(state, incoming, request, Some(plan), who);
        let outcome = execute::run(lane, state, plan, request, sql, session, who).await?;
        timing.done(Stage::Transaction);
        let verbosity = state.config.client_error_verbosity;
        let mut answer = response::answer(plan, request, canonical, outcome, verbosity)?;
        response::headers::warn_of_legacy_names(&mut answer, &plan.read);
        Ok(answer)
    }
}

impl Rest {
    /// The data API of the database at `target`, as the role that `target` names, for `workers` threads that share the
    /// connections of `db_pool`. It answers 503 until [`Rest::watch`] has loaded the catalog.
    ///
    /// # Errors
    /// [`pg::Error::Unavailable`] when the target's TLS settings cannot be used.
    pub fn new(target: Target, config: Config, workers: usize, events: Events) -> Result<Self, pg::Error> {
        let workers = workers.max(1);
        let acquire_timeout = config.db_pool_acquisition_timeout;
        let share = (config.db_pool / workers).max(1);
        // Two of them, as long as most are left for what takes longer.
        let hot = if config.lanes == Lanes::Exclusive { 0 } else { HOT_CONNECTIONS.min(share / 2) };
        let lane = LaneConfig {
            size: share - hot,
            hot,
            lanes: config.lanes,
            acquire_timeout,
            statement_cache: if config.db_prepared_statements { LaneConfig::default().statement_cache } else { 0 },
            ..LaneConfig::default()
        };
        Ok(Rest {
            lanes: (0..workers).map(|_| Lane::new(&target, &lane)).collect::<Result<_, _>>()?,
            mounted: AtomicUsize::new(0),
            events,
            pool: Pool::new(&target, &PoolConfig { size: CATALOG_CONNECTIONS, acquire_timeout })?,
            config,
            target,
            state: ArcSwapOption::empty(),
            reload: tokio::sync::Notify::new(),
            retry_after: AtomicU64::new(1),
        })
    }

    /// Loads the catalog and keeps it current, for as long as the future is polled.
    ///
    /// # Errors
    /// [`pg::Error::Unavailable`] when the target's TLS settings cannot be used.
    pub async fn watch(&self) -> Result<Infallible, pg::Error> {
        catalog::watch::watch(self).await
    }

    /// Whether there is a catalog: requests are answered.
    pub fn is_ready(&self) -> bool {
        self.state.load().is_some()
    }

    /// Closes the connections; later requests fail.
    pub fn close(&self) {
        self.lanes.iter().for_each(Lane::close);
        self.pool.close();
    }

    /// (open, idle, waiting): connections, connections, requests of all workers together, for metrics.
    pub fn connections(&self) -> (usize, usize, usize) {
        let add = |(a, b, c): (usize, usize, usize), (x, y, z)| (a + x, b + y, c + z);
        self.lanes.iter().map(Lane::status).fold((0, 0, 0), add)
    }

    /// The lane of the worker that is being set up.
    fn next_lane(&self) -> Lane {
        let number = self.mounted.fetch_add(1, Ordering::Relaxed);
        self.lanes[number % self.lanes.len()].clone()
    }

    /// Answers a request by the connections of the worker it came to.
    pub(crate) async fn handle(&self, lane: &Lane, incoming: Incoming<'_>, who: Who<'_>) -> Answer {
        let state = self.state.load_full();
        let config = state.as_ref().map_or(&self.config, |state| &state.config);
        let answer = match &state {
            Some(state) => self.respond(lane, state, incoming, who).await,
            None => Err(Error::NoCatalog),
        };
        let mut answer = answer.unwrap_or_else(|error| Answer::of_error(&error, config.client_error_verbosity));
        if answer.status == http::StatusCode::SERVICE_UNAVAILABLE {
            answer.set(http::header::RETRY_AFTER, &self.retry_after.load(Ordering::Relaxed).to_string());
        }
        if let Some(name) = config.server_trace_header.as_deref()
            && let Some(value) = incoming.headers.get(name)
            && let Ok(name) = http::HeaderName::try_from(name)
        {
            answer.headers.insert(name, value.clone());
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
        let mut timing = Timing::start();
        let shape = repeats.shape(incoming);
        let mut answer =
            if let Some((shape, read)) = shape.as_ref().and_then(|shape| Some((shape, repeats.find(shape)?))) {
                timing.done(Stage::Parse);
                let (sql, canonical) = (read.sql(shape), read.canonical(shape));
                let asked = Asked { incoming, plan: &read.plan, request: &read.request, canonical: &canonical };
                timing.done(Stage::Plan);
                asked.answer(lane, state, sql, who, &mut timing).await?
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
                        asked.answer(lane, state, sql, who, &mut timing).await?
                    }
                    Plan::Describe { headers_only } => {
                        let session = session::session(state, incoming, &request, None, who);
                        response::openapi::answer(lane, state, &request, session, who, *headers_only).await?
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
}
