//! One service alone at `/`, in the place of its upstream container.

mod rest_api;

use std::net::TcpListener;
use std::pin::Pin;
use std::time::Duration;

use actix_web::App;
use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data};
use gateway::body::BodyRules;
use gateway::budget::Budget;
use gateway::client_ip::TrustedProxies;
use gateway::events::Events;
use gateway::keys::ApiKeys;
use gateway::{CallerPolicy, Clock, PolicyCell, caller, request};
use pg::{Pool, PoolConfig, Target, bootstrap};
use tokio::task::JoinHandle;

pub use rest_api::{RestApi, RestTools, rest};

use crate::app;
use crate::error::StartError;
use crate::http::{self, Settings};
use crate::services::MAIL_PATIENCE;
use crate::sockets::{self, Listening};
use crate::start::listen;

/// How long requests in flight may take at the end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// A service that serves.
pub struct Standalone {
    /// Where it listens.
    pub url: String,
    handle: ServerHandle,
    task: JoinHandle<std::io::Result<()>>,
    close: Box<dyn FnOnce() -> Closing + Send>,
}

/// The end of what stands behind a service.
type Closing = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Standalone {
    /// Stops: requests in flight finish.
    pub async fn stop(self) {
        self.handle.stop(true).await;
        // The task ends with the server; its result was of interest only while it started.
        let _ = self.task.await;
        (self.close)().await;
    }
}

/// `dugout auth`: GoTrue at `/`, with GoTrue's own configuration. Its schema is brought up to date first, as GoTrue does.
///
/// # Errors
/// [`StartError`], a sentence for a person.
pub async fn auth(mut config: auth::Config) -> Result<Standalone, StartError> {
    let listener = listen(&config.listen.host, config.listen.port)?;
    let url = config.listen.database_url.reveal();
    let setting = |error: String| StartError::Setting("GOTRUE_DB_DATABASE_URL", error);
    let target = Target::parse(url).map_err(|error| setting(error.to_string()))?;
    let reached = async {
        let target = crate::database::guarded(&target).await?;
        crate::database::reach(&target, 0).await.map(|_| target)
    };
    let target = reached.await.map_err(|error| match error {
        StartError::Unreachable { address, reason } => {
            setting(format!("PostgreSQL at {address} does not answer: {reason}"))
        }
        other => other,
    })?;
    bootstrap::run_service_migrations(&target, &auth::SCHEMA)
        .await
        .map_err(|error| StartError::Bootstrap("schema auth", error.to_string()))?;
    if config.stand_in_for_container() {
        tracing::info!(
            event = "proxy_undeclared",
            detail = "no limits by client behind a proxy: set GOTRUE_RATE_LIMIT_HEADER or DUGOUT_TRUSTED_PROXIES to have them"
        );
    }
    let proxies = config.listen.trusted_proxies.clone();
    let clock = Clock::default();
    let keys = config.jwt.keys(clock.clone()).map_err(|reason| StartError::Bootstrap("GOTRUE_JWT_KEYS", reason))?;
    // GoTrue's zero means no limit; a pool has one.
    let size = if config.listen.max_pool_size == 0 { 10 } else { config.listen.max_pool_size };
    let pool = Pool::new(&target, &PoolConfig { size, ..PoolConfig::default() })
        .map_err(|error| StartError::Bootstrap("connection pool", error.to_string()))?;
    let events = Events::default();
    let state = auth::State::new(pool.clone(), keys.clone(), config, clock, events.clone(), auth::WithoutSmtp::Drop)
        .map_err(StartError::Http)?;
    // No API keys here: they belong to the gateway that stands in front of the container.
    let policy = CallerPolicy { accept_api_key: false, ..CallerPolicy::supabase(keys, ApiKeys::default()) };
    let url = format!("http://{}", listener.local_addr().map_err(StartError::Http)?);
    let (handle, task) = serve(listener, events, policy, proxies, auth::configure(state.clone()))?;
    let close = move || -> Closing {
        Box::pin(async move {
            state.stop(MAIL_PATIENCE).await;
            pool.close();
        })
    };
    Ok(Standalone { url, handle, task, close: Box::new(close) })
}

/// Worker threads: one a core.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn serve(
    listener: TcpListener,
    events: Events,
    policy: CallerPolicy,
    proxies: TrustedProxies,
    service: impl Fn(&mut web::ServiceConfig) + Clone + Send + 'static,
) -> Result<(ServerHandle, JoinHandle<std::io::Result<()>>), StartError> {
    sockets::raise_file_limit();
    let budget = Budget::default();
    let rules = BodyRules { budget: budget.clone(), anonymous_limit: usize::MAX };
    let settings = Settings { workers: cores(), shutdown_timeout: SHUTDOWN_TIMEOUT, budget };
    let server = http::serve(Listening::Tcp(listener), &settings, move || {
        App::new()
            .app_data(Data::new(rules.clone()))
            .app_data(Data::new(events.clone()))
            .app_data(Data::new(proxies.clone()))
            .app_data(Data::new(PolicyCell::new(policy.clone())))
            .service(web::scope("").wrap(from_fn(caller::resolve)).configure(service.clone()))
            .wrap(app::cors())
            .wrap(from_fn(request::observe))
    })?;
    Ok((server.handle(), tokio::spawn(server)))
}
