//! `/rest/v1`: every table, view and function as HTTP, as PostgREST does it.
//!
//! `request → plan → sql → execute → response`, each stage a total function from data to data or an [`Error`]. Only
//! `execute` reaches the database, and nothing behind `request` knows HTTP text. What the database offers is the
//! `catalog`, loaded beside the old one and swapped.

mod catalog;
pub mod config;
mod cors;
mod cost;
pub mod error;
mod execute;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod fuzzy;
mod lanes;
mod logged;
pub mod observation;
mod plan;
mod reload;
mod repeat;
mod request;
mod response;
mod routes;
mod service;
mod session;
mod sql;
pub mod standalone;
mod timing;

use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arc_swap::{ArcSwap, ArcSwapOption};
use gateway::PolicyCell;
use pg::lane::{Lane, PoolWatch};
use pg::{BoundSql, Listener, Pool, PoolConfig, Target};
use tokio::sync::Notify;

pub use catalog::watch::WatchError;
pub use config::Config;
pub use error::Error;
pub use observation::{Observation, Observer};
pub use reload::Status;
pub use request::Incoming;
pub use response::{Answer, Body, Pieces};
pub use service::SERVICE;
pub use session::Who;

use catalog::Catalog;
use catalog::settings::RoleSettings;
use config::Sources;
use plan::{DbPlan, Plan};
use reload::Progress;
use repeat::Repeats;
use request::ApiRequest;
use timing::{Stage, Timing};

/// The PostgREST whose behaviour this is, as it names itself to clients.
pub const UPSTREAM_VERSION: &str = "17 (pre-release)";

/// Connections for loading the catalog and the configuration: one load at a time of each.
const CATALOG_CONNECTIONS: usize = 2;

/// The data API of one database.
pub struct Rest {
    /// The configuration at the start.
    base: Config,
    /// The configuration as it is now.
    config: ArcSwap<Config>,
    /// Where it can be read again; without sources only what lies in the database can change.
    sources: Option<Sources>,
    /// What the database last said of it.
    in_database: Mutex<Vec<(String, String)>>,
    /// Held while the configuration is read again.
    reading_config: tokio::sync::Mutex<()>,
    roles: ArcSwap<RoleSettings>,
    /// Who may call, where that is decided by this configuration.
    policy: Option<Arc<PolicyCell>>,
    target: Target,
    listener: Listener,
    /// One a worker, as long as there are connections enough: it is fastest where they stay on one thread.
    lanes: Vec<Lane>,
    mounted: AtomicUsize,
    pool: Pool,
    observer: Arc<dyn Observer>,
    state: ArcSwapOption<State>,
    /// Held while `state` is replaced, which is made of parts that change by themselves.
    publishing: Mutex<()>,
    status: Progress,
    /// PostgreSQL's description of itself.
    server: ArcSwap<String>,
    wanted_catalog: Notify,
    wanted_config: Notify,
    listener_changed: Notify,
    /// Seconds until the database is tried again, while there is no catalog.
    retry_after: AtomicU64,
}

/// What a request works with; replaced as a whole.
struct State {
    config: Arc<Config>,
    catalog: Arc<Catalog>,
    roles: Arc<RoleSettings>,
    repeats: Repeats,
}

/// What is to be done about a request, and what its answer needs of it.
struct Asked<'a> {
    incoming: Incoming<'a>,
    plan: &'a DbPlan,
    request: &'a ApiRequest,
    canonical: &'a str,
}

/// What a [`Rest`] is made of.
pub struct Setup {
    /// The database, and the role to log in as.
    pub target: Target,
    /// What hears announcements.
    pub listener: Listener,
    /// The configuration to begin with.
    pub config: Config,
    /// Where it can be read again.
    pub sources: Option<Sources>,
    /// Who may call, where that is decided by this configuration and changes with it.
    pub policy: Option<Arc<PolicyCell>>,
    /// Threads that share the connections of `db-pool`.
    pub workers: usize,
    /// Takes in what an operator may want to know.
    pub observer: Arc<dyn Observer>,
}

impl Rest {
    /// The data API of a database. It answers 503 until [`Rest::watch`] has loaded the catalog.
    ///
    /// # Errors
    /// [`pg::Error::Unavailable`] when the target's TLS settings cannot be used.
    pub fn new(setup: Setup) -> Result<Self, pg::Error> {
        let Setup { target, listener, config, sources, policy, workers, observer } = setup;
        let acquire_timeout = config.db_pool_acquisition_timeout;
        let heard = Arc::clone(&observer);
        let watch = PoolWatch::new(move |event| heard.observe(Observation::Pool(event)));
        let lanes = lanes::lanes(&target, &config, workers.max(1), &watch)?;
        Ok(Rest {
            lanes,
            mounted: AtomicUsize::new(0),
            observer,
            pool: Pool::new(&target, &PoolConfig { size: CATALOG_CONNECTIONS, acquire_timeout })?,
            config: ArcSwap::from_pointee(config.clone()),
            base: config,
            sources,
            in_database: Mutex::default(),
            reading_config: tokio::sync::Mutex::default(),
            roles: ArcSwap::default(),
            policy,
            target,
            listener,
            state: ArcSwapOption::empty(),
            publishing: Mutex::default(),
            status: Progress::default(),
            server: ArcSwap::default(),
            wanted_catalog: Notify::new(),
            wanted_config: Notify::new(),
            listener_changed: Notify::new(),
            retry_after: AtomicU64::new(1),
        })
    }

    /// Loads the catalog and keeps it and the configuration current, for as long as the future is polled.
    ///
    /// # Errors
    /// [`WatchError`] when there is nothing more to wait for.
    pub async fn watch(&self) -> Result<Infallible, WatchError> {
        let ended = catalog::watch::watch(self).await;
        self.status.set(Status::Pending);
        self.status.set_listening(false);
        ended
    }

    /// The configuration as it is now.
    pub fn config(&self) -> Arc<Config> {
        self.config.load_full()
    }

    /// What is made in the database changes the configuration; for a start that has to end on a bad one.
    ///
    /// # Errors
    /// The sentence to end with.
    pub async fn read_config_once(&self) -> Result<Arc<Config>, String> {
        let found = reload::in_database(self, &self.config()).await;
        let (found, _) = found.map_err(|failure| catalog::watch::told(&failure).payload())?;
        let sources = Sources::default();
        let sources = self.sources.as_ref().unwrap_or(&sources);
        let loaded = Config::load(sources, &found)
            .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
        self.config.store(Arc::new(Config { db_uri: self.base.db_uri.clone(), ..loaded.config }));
        Ok(self.config())
    }

    /// Reads the catalog again soon; what asks for it meanwhile is one and the same.
    pub fn reload_catalog(&self) {
        self.wanted_catalog.notify_one();
    }

    /// Reads the configuration again soon.
    pub fn reload_config(&self) {
        self.wanted_config.notify_one();
    }

    /// How far the catalog is.
    pub fn status(&self) -> Status {
        self.status.get()
    }

    /// Waits for the first load to end, well or not.
    pub async fn first_load(&self) {
        self.status.until(|status| *status != Status::Initial).await;
    }

    /// Waits for a catalog.
    pub async fn loaded(&self) {
        self.status.until(|status| *status == Status::Loaded).await;
    }

    /// Whether requests can be answered with what is current: the catalog is, and announcements are heard (or, where they
    /// are not listened to, the database answers).
    pub async fn is_current(&self) -> bool {
        self.status() == Status::Loaded
            && if self.config().db_channel_enabled { self.status.is_listening() } else { self.pool.get().await.is_ok() }
    }

    /// The catalog as JSON, for people; `None` while there is none.
    pub fn schema_cache(&self) -> Option<String> {
        self.state.load().as_ref().map(|state| state.catalog.dump().to_string())
    }

    /// The same, loaded for this once.
    ///
    /// # Errors
    /// The sentence to end with.
    pub async fn read_schema_cache_once(&self) -> Result<String, String> {
        let catalog = catalog::loader::once(self).await;
        catalog.map(|catalog| catalog.dump().to_string()).map_err(|failure| catalog::watch::told(&failure).payload())
    }

    fn server(&self) -> String {
        String::clone(&self.server.load())
    }

    /// Puts a new state in force: this catalog, or the old one with a configuration that has changed. Gives the catalog
    /// that is no longer in use.
    fn publish(&self, catalog: Option<Arc<Catalog>>) -> Option<Arc<Catalog>> {
        let _held = self.publishing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let old = self.state.load().as_ref().map(|state| Arc::clone(&state.catalog));
        let replaced = if catalog.is_some() { old.clone() } else { None };
        let catalog = catalog.or(old)?;
        let state =
            State { config: self.config(), catalog, roles: self.roles.load_full(), repeats: Repeats::default() };
        self.state.store(Some(Arc::new(state)));
        replaced
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

    /// The lane of the worker that is being set up; its own, or one that it shares.
    fn next_lane(&self) -> Lane {
        let number = self.mounted.fetch_add(1, Ordering::Relaxed);
        self.lanes[number % self.lanes.len()].clone()
    }

    /// Answers a request by the connections of its worker's lane. The log names a failure that is not the client's by
    /// `request_id`.
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

    /// The answer that an error is.
    pub(crate) fn refusal(&self, error: &Error) -> Answer {
        let mut answer = Answer::of_error(error, self.config.load().client_error_verbosity);
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
        // What is kept of a request has made-up values, and the log is for the real ones.
        let shape = if config.log_query { None } else { repeats.shape(incoming) };
        let mut answer = if let Some((shape, known)) =
            shape.as_ref().and_then(|shape| Some((shape, repeats.find(shape)?)))
        {
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
                    let answer = response::openapi::answer(lane, state, &request, session, who, *headers_only).await;
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
