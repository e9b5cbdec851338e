//! Runs one service alone at `/`, as a replacement for its upstream container.

mod rest_api;

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_web::App;
use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data};
use gateway::body::BodyRules;
use gateway::budget::Budget;
use gateway::client_ip::TrustedProxies;
use gateway::events::Events;
use gateway::limits::Limiter;
use gateway::service::{AloneConfig, Context, Manifest, Service};
use gateway::{CallerPolicy, PolicyCell, caller, request};
use pg::{Listener, PoolConfig, Target, bootstrap};
use tokio::task::JoinHandle;

pub use rest_api::{RestApi, RestTools, rest};

use crate::app;
use crate::error::StartError;
use crate::http::{self, Settings};
use crate::services::CLOSE_PATIENCE;
use crate::sockets::{self, Listening};
use crate::start::listen;

/// How long a stop waits for requests in flight.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// A running service.
pub struct Standalone {
    /// Its address.
    pub url: String,
    handle: ServerHandle,
    task: JoinHandle<std::io::Result<()>>,
    service: Arc<dyn Service>,
}

impl Standalone {
    /// Stops: the service drains, requests in flight finish, the service closes.
    pub async fn stop(self) {
        // A service that does not finish must not prevent the rest of the stop.
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, self.service.drain()).await;
        self.handle.stop(true).await;
        // An error of the server no longer matters.
        let _ = self.task.await;
        self.service.close(CLOSE_PATIENCE).await;
    }
}

/// Serves one service at `/` with upstream's configuration. Migrates its schema first, as upstream does.
///
/// # Errors
/// [`StartError`], whose message is a sentence.
pub async fn start(manifest: &Manifest, config: AloneConfig) -> Result<Standalone, StartError> {
    let listener = listen(&config.host, config.port)?;
    let setting = |error: String| StartError::Setting(config.database_variable, error);
    let target = Target::parse(config.database_url.reveal()).map_err(|error| setting(error.to_string()))?;
    let reached = async {
        let target = crate::database::guarded(&target).await?;
        crate::database::reach(&target, None).await.map(|_| target)
    };
    let target = reached.await.map_err(|error| match error {
        StartError::Unreachable { address, reason } => {
            setting(format!("PostgreSQL at {address} does not answer: {reason}"))
        }
        other => other,
    })?;
    if let Some(schema) = manifest.schema {
        let migrated = bootstrap::run_service_migrations(&target, schema.migrations).await;
        migrated.map_err(|error| StartError::Schema(schema.name, error.to_string()))?;
    }
    let events = Events::default();
    let failed = |error: String| StartError::Service(manifest.name, error);
    let context = Context {
        mount: "",
        keys: config.policy.keys.clone(),
        events: events.clone(),
        listener: Listener::new(&target).map_err(|error| failed(error.to_string()))?,
        target,
        connections: config.connections,
        acquire_timeout: PoolConfig::default().acquire_timeout,
        workers: cores(),
        host: None,
    };
    let service = config.service.start(context).await.map_err(|error| failed(error.to_string()))?;
    let url = format!("http://{}", listener.local_addr().map_err(StartError::Http)?);
    let (handle, task) =
        serve(listener, events, (config.policy, config.proxies), Arc::clone(&service), manifest.upgrades(""))?;
    Ok(Standalone { url, handle, task, service })
}

/// Number of worker threads: one per core.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn serve(
    listener: TcpListener,
    events: Events,
    (policy, proxies): (CallerPolicy, TrustedProxies),
    service: Arc<dyn Service>,
    upgrades: Vec<String>,
) -> Result<(ServerHandle, JoinHandle<std::io::Result<()>>), StartError> {
    sockets::raise_file_limit();
    let budget = Budget::default();
    let limiter = Limiter::default();
    let rules = BodyRules { budget: budget.clone(), anonymous_limit: usize::MAX };
    let settings = Settings { workers: cores(), shutdown_timeout: SHUTDOWN_TIMEOUT, budget, upgrades };
    let server = http::serve(Listening::Tcp(listener), &settings, move || {
        App::new()
            .app_data(Data::new(rules.clone()))
            .app_data(Data::new(limiter.clone()))
            .app_data(Data::new(events.clone()))
            .app_data(Data::new(proxies.clone()))
            .app_data(Data::new(PolicyCell::new(policy.clone())))
            .service(web::scope("").wrap(from_fn(caller::resolve)).configure(|scope| service.mount(scope)))
            .wrap(app::cors(&[]))
            .wrap(from_fn(request::observe))
    })?;
    Ok((server.handle(), tokio::spawn(server)))
}
