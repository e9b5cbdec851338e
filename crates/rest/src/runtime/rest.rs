//! The data API of one database: its connections, its configuration and the state that requests work with.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::{ArcSwap, ArcSwapOption};
use gateway::PolicyCell;
use pg::lane::{Lane, PoolWatch};
use pg::{Listener, Pool, PoolConfig, Target};
use tokio::sync::Notify;

use super::lanes::lanes;
use super::status::{Progress, Status};
use crate::catalog::Catalog;
use crate::catalog::role_settings::RoleSettings;
use crate::config::{Config, Sources};
use crate::execute::repeats::Repeats;
use crate::execute::state::State;
use crate::observation::{Observation, Observer};

/// Connections for loading the catalog and the configuration; each has one load at a time.
pub(crate) const CATALOG_CONNECTIONS: usize = 2;

/// The data API of one database.
pub struct Rest {
    /// The configuration at the start.
    pub(super) base: Config,
    /// The current configuration.
    pub(super) config: ArcSwap<Config>,
    /// Where the configuration can be read again; without sources, only settings in the database can change.
    pub(super) sources: Option<Sources>,
    /// The settings that the database returned last.
    pub(super) in_database: Mutex<Vec<(String, String)>>,
    /// Held while the configuration is read again.
    pub(super) reading_config: tokio::sync::Mutex<()>,
    pub(super) roles: ArcSwap<RoleSettings>,
    /// The caller policy, if this configuration decides it.
    pub(super) policy: Option<Arc<PolicyCell>>,
    pub(super) target: Target,
    pub(super) listener: Listener,
    /// One per worker if there are enough connections: connections are fastest when they stay on one thread.
    pub(super) lanes: Vec<Lane>,
    mounted: AtomicUsize,
    pub(super) pool: Pool,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) state: ArcSwapOption<State>,
    /// Held while `state` is replaced, because its parts change independently.
    publishing: Mutex<()>,
    pub(super) status: Progress,
    /// PostgreSQL's description of itself.
    pub(super) server: ArcSwap<String>,
    pub(super) wanted_catalog: Notify,
    pub(super) wanted_config: Notify,
    pub(super) listener_changed: Notify,
    /// Seconds until the next attempt to load the catalog, while there is none.
    pub(crate) retry_after: AtomicU64,
}

/// The parts of a [`Rest`].
pub struct Setup {
    /// The database, and the role to log in as.
    pub target: Target,
    /// The connection that receives notifications.
    pub listener: Listener,
    /// The initial configuration.
    pub config: Config,
    /// Where the configuration can be read again.
    pub sources: Option<Sources>,
    /// The caller policy, if this configuration decides it and changes it.
    pub policy: Option<Arc<PolicyCell>>,
    /// Threads that share the connections of `db-pool`.
    pub workers: usize,
    /// Receives the observations.
    pub observer: Arc<dyn Observer>,
}

impl Rest {
    /// Connects to nothing yet: requests get 503 until [`Rest::watch`] has loaded the catalog.
    ///
    /// # Errors
    /// [`pg::Error::Unavailable`] if the target's TLS settings cannot be used.
    pub fn new(setup: Setup) -> Result<Self, pg::Error> {
        let Setup { target, listener, config, sources, policy, workers, observer } = setup;
        let acquire_timeout = config.db_pool_acquisition_timeout;
        let heard = Arc::clone(&observer);
        let watch = PoolWatch::new(move |event| heard.observe(Observation::Pool(event)));
        let lanes = lanes(&target, &config, workers.max(1), &watch)?;
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

    /// The current configuration.
    pub fn config(&self) -> Arc<Config> {
        self.config.load_full()
    }

    /// Requests a reload of the catalog. Requests that arrive before the load begins cause one load.
    pub fn reload_catalog(&self) {
        self.wanted_catalog.notify_one();
    }

    /// Requests a reload of the configuration.
    pub fn reload_config(&self) {
        self.wanted_config.notify_one();
    }

    /// The state of the catalog.
    pub fn status(&self) -> Status {
        self.status.get()
    }

    /// Waits until the first load has ended, successfully or not.
    pub async fn first_load(&self) {
        self.status.until(|status| *status != Status::Initial).await;
    }

    /// Waits for a catalog.
    pub async fn loaded(&self) {
        self.status.until(|status| *status == Status::Loaded).await;
    }

    /// Whether the catalog is loaded and stays current: the listener is connected or, if the listener is disabled, the
    /// database answers.
    pub async fn is_current(&self) -> bool {
        self.status() == Status::Loaded
            && if self.config().db_channel_enabled { self.status.is_listening() } else { self.pool.get().await.is_ok() }
    }

    /// Whether there is a catalog, so that requests are answered.
    pub fn is_ready(&self) -> bool {
        self.state.load().is_some()
    }

    /// The catalog as JSON for people to read; `None` before the first load.
    pub fn schema_cache(&self) -> Option<String> {
        self.state.load().as_ref().map(|state| state.catalog.dump().to_string())
    }

    /// Closes the connections; later requests fail.
    pub fn close(&self) {
        self.lanes.iter().for_each(Lane::close);
        self.pool.close();
    }

    /// (open connections, idle connections, waiting requests) of all workers together, for metrics.
    pub fn connections(&self) -> (usize, usize, usize) {
        let add = |(a, b, c): (usize, usize, usize), (x, y, z)| (a + x, b + y, c + z);
        self.lanes.iter().map(Lane::status).fold((0, 0, 0), add)
    }

    /// The lane of the worker that is being set up, which other workers may share.
    pub(crate) fn next_lane(&self) -> Lane {
        let number = self.mounted.fetch_add(1, Ordering::Relaxed);
        self.lanes[number % self.lanes.len()].clone()
    }

    pub(super) fn server(&self) -> String {
        String::clone(&self.server.load())
    }

    /// Replaces the state: with this catalog, or with the old one if only the configuration has changed. Returns the
    /// catalog that is no longer in use.
    pub(super) fn publish(&self, catalog: Option<Arc<Catalog>>) -> Option<Arc<Catalog>> {
        let _held = self.publishing.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.state.load().as_ref().map(|state| Arc::clone(&state.catalog));
        let replaced = if catalog.is_some() { old.clone() } else { None };
        let catalog = catalog.or(old)?;
        let state =
            State { config: self.config(), catalog, roles: self.roles.load_full(), repeats: Repeats::default() };
        self.state.store(Some(Arc::new(state)));
        replaced
    }
}
