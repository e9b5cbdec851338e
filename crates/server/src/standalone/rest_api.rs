//! `dugout rest`: PostgREST at `/`, with PostgREST's own configuration, log, signals and admin server.
//!
//! The start follows upstream's order (`App.hs`): the admin server answers from the beginning. The API starts to listen when
//! the first load of the catalog has ended, successful or not, so that a supervisor sees no half-started server.

use std::sync::Arc;

use actix_web::App;
use actix_web::dev::ServerHandle;
use actix_web::web::Data;
use gateway::body::BodyRules;
use gateway::budget::Budget;
use gateway::{Clock, PolicyCell};
use pg::Target;
use rest::config::{Loaded, Sources};
use rest::standalone::{Admin, Line, Log};
use rest::{Config, Rest, UPSTREAM_VERSION};
use tokio::sync::oneshot;
use tokio::task::{AbortHandle, JoinHandle};

use crate::error::StartError;
use crate::http::{self, Settings};
use crate::sockets::{self, Listening, Sharing};

use super::{SHUTDOWN_TIMEOUT, cores};

/// A running data API.
pub struct RestApi {
    rest: Arc<Rest>,
    log: Arc<Log>,
    admin: Arc<Admin>,
    api: Served,
    admin_server: Option<Served>,
    watch: AbortHandle,
    ended: oneshot::Receiver<String>,
    address: String,
}

type Served = (ServerHandle, JoinHandle<std::io::Result<()>>);

/// A data API without a server, for `--dump-config` and `--dump-schema`.
pub struct RestTools {
    rest: Rest,
}

impl RestTools {
    /// Does not connect yet.
    ///
    /// # Errors
    /// [`StartError`] if the database address is invalid.
    pub fn new(sources: Sources, loaded: Loaded) -> Result<Self, StartError> {
        let log = Arc::new(Log::new(loaded.config.log_level));
        Ok(RestTools { rest: make(sources, loaded.config, None, 1, log)? })
    }

    /// The configuration, including settings that are stored in the database.
    ///
    /// # Errors
    /// A message for the operator.
    pub async fn config(&self) -> Result<Arc<Config>, String> {
        match self.rest.config().db_config {
            true => self.rest.read_config_once().await,
            false => Ok(self.rest.config()),
        }
    }

    /// The catalog as JSON.
    ///
    /// # Errors
    /// A message for the operator.
    pub async fn schema_cache(&self) -> Result<String, String> {
        self.rest.read_schema_cache_once().await
    }
}

/// Starts the server and returns when it listens.
///
/// # Errors
/// [`StartError`], whose message is a sentence.
pub async fn rest(sources: Sources, loaded: Loaded) -> Result<RestApi, StartError> {
    sockets::raise_file_limit();
    let Loaded { config, warnings } = loaded;
    let log = Arc::new(Log::new(config.log_level));
    log.starting();
    let policy = Arc::new(PolicyCell::new(config.caller_policy(Clock::default())));
    let workers = cores();
    let rest = Arc::new(make(sources, config.clone(), Some(Arc::clone(&policy)), workers, Arc::clone(&log))?);
    let admin = Arc::new(Admin::new(Arc::clone(&rest), Arc::clone(&log), Arc::clone(&policy)));
    let admin_server = serve_admin(&config, &admin, &log)?;
    let (watch, mut ended) = watch(&rest);
    let ready = async { if config.server_reuseport { rest.loaded().await } else { rest.first_load().await } };
    tokio::select! {
        () = ready => {}
        reason = &mut ended => return Err(StartError::Ended(reason.unwrap_or_default())),
    }
    let listening = api_socket(&config)?;
    let address = listening.address();
    let api = serve_api(listening, workers, &rest, &log, &policy)?;
    admin.set_serving(true);
    log.write(Line::Server(&format!("API server listening on {address}")));
    // Some tools count the lines that PostgREST writes, so ours come after them.
    for warning in warnings {
        log.write(Line::Server(&format!("WARNING: {warning}")));
    }
    Ok(RestApi { rest, log, admin, api, admin_server, watch, ended, address })
}

impl RestApi {
    /// Its URL, or the path of its unix socket.
    pub fn url(&self) -> String {
        if self.address.starts_with('/') { self.address.clone() } else { format!("http://{}", self.address) }
    }

    /// Schedules a reload of the catalog (SIGUSR1).
    pub fn reload_catalog(&self) {
        self.rest.reload_catalog();
    }

    /// Schedules a reload of the configuration (SIGUSR2).
    pub fn reload_config(&self) {
        self.rest.reload_config();
    }

    /// Logs the signal that ends the server.
    pub fn told_to_stop(&self, signal: &str) {
        self.log.write(Line::Server(&format!("Received termination unix signal {signal}")));
    }

    /// Resolves with a message when the server has to give up. It does not while the database may come back.
    pub async fn ended(&mut self) -> String {
        match (&mut self.ended).await {
            Ok(reason) => reason,
            // The watching task was aborted by a stop.
            Err(_) => std::future::pending().await,
        }
    }

    /// Stops after requests in flight have finished.
    pub async fn stop(self) {
        self.admin.set_serving(false);
        for (handle, task) in [Some(self.api), self.admin_server].into_iter().flatten() {
            handle.stop(true).await;
            // An error of the server no longer matters.
            let _ = task.await;
        }
        self.watch.abort();
        self.rest.close();
        self.log.finish();
    }
}

fn make(
    sources: Sources,
    config: Config,
    policy: Option<Arc<PolicyCell>>,
    workers: usize,
    log: Arc<Log>,
) -> Result<Rest, StartError> {
    let target = Target::parse_with(config.db_uri.reveal(), |name| std::env::var(name).ok())
        .map_err(|error| StartError::Setting("PGRST_DB_URI", error.to_string()))?
        .or_application_name(&format!("PostgREST {UPSTREAM_VERSION}"));
    let failed = |error: pg::Error| StartError::Bootstrap("connection pool", error.to_string());
    let listener = pg::Listener::new(&target).map_err(failed)?;
    Rest::new(rest::Setup { target, listener, config, sources: Some(sources), policy, workers, observer: log })
        .map_err(failed)
}

fn watch(rest: &Arc<Rest>) -> (AbortHandle, oneshot::Receiver<String>) {
    let (sender, ended) = oneshot::channel();
    let watching = Arc::clone(rest);
    let task = tokio::spawn(async move {
        let Err(error) = watching.watch().await;
        // The receiver is gone if the server is stopping.
        let _ = sender.send(error.to_string());
    });
    (task.abort_handle(), ended)
}

fn api_socket(config: &Config) -> Result<Listening, StartError> {
    let sharing = if config.server_reuseport { Sharing::Shared } else { Sharing::Alone };
    match &config.server_unix_socket {
        Some(path) => Listening::unix(path, config.server_unix_socket_mode),
        None => Listening::tcp(&config.server_host, config.server_port, sharing),
    }
}

fn serve_admin(config: &Config, admin: &Arc<Admin>, log: &Log) -> Result<Option<Served>, StartError> {
    let listening = match (&config.admin_server_unix_socket, config.admin_server_port) {
        (Some(path), _) => Listening::unix(path, config.admin_server_unix_socket_mode)?,
        (None, Some(port)) => Listening::tcp(&config.admin_server_host, port, Sharing::Alone)?,
        (None, None) => return Ok(None),
    };
    log.write(Line::Server(&format!("Admin server listening on {}", listening.address())));
    let admin = Arc::clone(admin);
    let settings =
        Settings { workers: 1, shutdown_timeout: SHUTDOWN_TIMEOUT, budget: Budget::default(), upgrades: Vec::new() };
    let server =
        http::serve(listening, &settings, move || App::new().configure(|scope| Arc::clone(&admin).mount(scope)))?;
    Ok(Some((server.handle(), tokio::spawn(server))))
}

fn serve_api(
    listening: Listening,
    workers: usize,
    rest: &Arc<Rest>,
    log: &Arc<Log>,
    policy: &Arc<PolicyCell>,
) -> Result<Served, StartError> {
    let (rest, log, policy) = (Arc::clone(rest), Arc::clone(log), Arc::clone(policy));
    let budget = Budget::default();
    let rules = BodyRules { budget: budget.clone(), anonymous_limit: usize::MAX };
    let settings = Settings { workers, shutdown_timeout: SHUTDOWN_TIMEOUT, budget, upgrades: Vec::new() };
    let server = http::serve(listening, &settings, move || {
        App::new()
            .app_data(Data::new(rules.clone()))
            .app_data(actix_web::web::Data::from(Arc::clone(&policy)))
            .configure(|scope| rest::standalone::mount(&rest, &log, scope))
    })?;
    Ok((server.handle(), tokio::spawn(server)))
}
