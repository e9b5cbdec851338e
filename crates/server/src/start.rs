//! Starts and stops the whole server.

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::App;
use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::web::Data;
use gateway::body::BodyRules;
use gateway::events::Events;
use gateway::keys::Keys;
use gateway::limits::Limiter;
use gateway::mail::Mailbox;
use gateway::{CallerPolicy, Clock, PublicUrl, request};
use pg::{Listener, Pool, PoolConfig, Target};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::app::{self, Health, PageMeta, PageSettings, Shared, SiteFiles};
use crate::config::Config;
use crate::database::{self, Ready, Stages};
use crate::error::StartError;
use crate::http::{self, Settings};
use crate::postgres_watch;
use crate::project;
use crate::secrets::Secrets;
use crate::services::{CLOSE_PATIENCE, HEALTH_CONNECTIONS, META_CONNECTIONS, Services};
use crate::sockets::{self, Listening, Sharing, bind_first};
use crate::state_file::{State, StateFile};
use crate::workers::Workers;

/// How long `/health` waits for a connection. Short, because a probe needs an answer soon.
const HEALTH_PATIENCE: Duration = Duration::from_secs(2);

/// How long a page waits for a connection to read its metadata. Under load pages are served without.
const META_PATIENCE: Duration = Duration::from_millis(200);

/// A running server.
pub struct Running {
    /// Addresses and keys.
    pub state: State,
    /// The address of the admin port, if there is one.
    pub admin_address: Option<SocketAddr>,
    /// The duration of each step of the start.
    pub stages: Stages,
    /// Migrations that the start applied.
    pub migrated: Vec<String>,
    /// Statements that were skipped, each with its reason.
    pub skipped: Vec<String>,
    /// `server_version` of PostgreSQL.
    pub postgres_version: String,
    /// The folder of our own programs, or the address of the user's server.
    pub postgres_place: String,
    /// The clock that decides about expiry. Tests can move it.
    pub clock: Clock,
    state_file: Option<StateFile>,
    config: Config,
    services: Services,
    http: Vec<(ServerHandle, JoinHandle<std::io::Result<()>>)>,
    ready: Ready,
    /// `None` with an external PostgreSQL, and before version 18.
    workers: Option<Workers>,
    hurry: Hurry,
}

/// The services and the HTTP servers of a server that is starting.
struct Serving {
    services: Services,
    http: Vec<(ServerHandle, JoinHandle<std::io::Result<()>>)>,
}

/// Starts everything: sockets, database, migrations, services. If a step fails after PostgreSQL is up, PostgreSQL is stopped.
///
/// # Errors
/// [`StartError`], whose message is a sentence.
pub async fn start(config: Config, site: Option<Arc<dyn SiteFiles>>) -> Result<Running, StartError> {
    sockets::raise_file_limit();
    let mut stages = Stages::new();
    // First, so that a port in use is reported before a database is started.
    let listener = listen(&config.host, config.port)?;
    let admin_listener = config.admin_port.map(|port| listen("127.0.0.1", port)).transpose()?;
    let admin_address = admin_listener.as_ref().and_then(|listener| listener.local_addr().ok());
    std::fs::create_dir_all(&config.data_dir).map_err(|error| StartError::DataDir(config.data_dir.clone(), error))?;
    let secrets = if config.dev { Secrets::dev() } else { Secrets::load_or_create(&config.data_dir)? };
    let secrets = secrets.with_given(&config.keys)?;
    let clock = Clock::default();
    let keys = secrets.keys(clock.clone())?;
    let public_url = public_url(&config, &listener)?;

    let ready = database::prepare(&config, &secrets, &mut stages).await?;
    let mut state = State::new(public_url.as_str(), ready.public.url(), &secrets);
    let served = async {
        let (migrated, skipped) = project::migrate(&config, &ready, &mut stages).await?;
        let started = Instant::now();
        config.progress.step("starting services");
        let events = Events::of(config.services.iter().map(|(manifest, _)| (manifest.prefix, manifest.name)));
        if let Some(cluster) = &ready.cluster {
            postgres_watch::spawn(cluster, events.clone());
        }
        let heard = notifications(&ready)?;
        let addresses = (&public_url, admin_address.map(|address| address.port()));
        let services = Services::start(&config, &ready, &secrets, &keys, &events, addresses, &heard).await?;
        let is_ours = ready.cluster.is_some();
        let start = |target: &Target| {
            Workers::start((target, is_ours), &heard, (&public_url, config.dev), (services.post(), &events))
        };
        let workers = ready.worker.as_ref().map(start).transpose()?;
        let shared = shared(&config, &ready, &secrets, (keys, events), &public_url, site, services.clone())?;
        let own_mailbox = services.mailbox().and_then(|mails| Some((mails, mailbox_listener(config.mailbox_port?)?)));
        state.mailpit_url = services.mailbox().map(|_| mailbox_url(own_mailbox.as_ref(), &public_url));
        // Written before requests are answered, so that `dugout status` works from then on.
        state.of_services = services.status();
        let state_file = written(&state, &config.data_dir);
        let serving = serve(&config, services, shared, listener, (admin_listener, own_mailbox))?;
        stages.push(("services", started.elapsed()));
        Ok::<_, StartError>(((migrated, skipped), serving, state_file, workers))
    };
    let ((migrated, skipped), Serving { services, http }, state_file, workers) = match served.await {
        Ok(served) => served,
        Err(error) => {
            stop_database(ready).await;
            return Err(error);
        }
    };
    let (postgres_version, postgres_place) = (ready.version.clone(), ready.place.clone());
    Ok(Running {
        state,
        state_file,
        admin_address,
        stages,
        migrated,
        skipped,
        postgres_version,
        postgres_place,
        clock,
        config,
        services,
        http,
        ready,
        workers,
        hurry: Hurry::default(),
    })
}

impl Running {
    /// The public URL.
    pub fn url(&self) -> &str {
        &self.state.api_url
    }

    /// The data directory.
    pub fn data_dir(&self) -> &std::path::Path {
        &self.config.data_dir
    }

    /// Stops gracefully: services drain, HTTP finishes requests in flight (up to the shutdown timeout), services close, PostgreSQL
    /// stops.
    pub async fn stop(self) {
        Box::pin(self.end(true)).await;
    }

    /// Stops at once: requests in flight are aborted. PostgreSQL still stops cleanly.
    pub async fn stop_now(self) {
        Box::pin(self.end(false)).await;
    }

    /// A handle that can shorten a graceful stop.
    pub fn hurry(&self) -> Hurry {
        self.hurry.clone()
    }

    async fn end(self, graceful: bool) {
        if graceful {
            // A service that does not finish must not prevent the rest of the stop.
            let drained = tokio::time::timeout(self.config.shutdown_timeout, self.services.drain());
            tokio::select! {
                _ = drained => {}
                () = self.hurry.asked() => {}
            }
        }
        for (handle, task) in self.http {
            let ended = async {
                handle.stop(graceful).await;
                // An error of the server no longer matters.
                let _ = task.await;
            };
            tokio::select! {
                () = ended => {}
                () = self.hurry.asked() => {}
            }
        }
        // Before the services, which they use.
        if let Some(workers) = &self.workers {
            workers.stop();
        }
        let within = if graceful { CLOSE_PATIENCE } else { Duration::ZERO };
        tokio::select! {
            () = self.services.close(within) => {}
            // Connections that are still in use end with the process.
            () = self.hurry.asked() => {}
        }
        drop(self.state_file);
        stop_database(self.ready).await;
    }
}

/// See [`Running::hurry`].
#[derive(Clone, Debug, Default)]
pub struct Hurry(Arc<Notify>);

impl Hurry {
    /// Stops waiting for requests. actix handles a second stop command only after the first, so requests in flight are not
    /// aborted: the stop continues without them, and they end with the process.
    pub fn now(&self) {
        self.0.notify_one();
    }

    async fn asked(&self) {
        self.0.notified().await;
        // Wakes the next waiter as well: the request to hurry concerns every stage of the stop.
        self.0.notify_one();
    }
}

/// The connection that receives notifications for all services and workers.
fn notifications(ready: &Ready) -> Result<Listener, StartError> {
    Listener::new(&ready.authenticator).map_err(|error| StartError::Bootstrap("listener", error.to_string()))
}

async fn stop_database(ready: Ready) {
    if let Some(cluster) = ready.cluster {
        cluster.stop().await;
    }
}

/// Listens on an address before anything else starts.
pub(crate) fn listen(host: &str, port: u16) -> Result<TcpListener, StartError> {
    let refused = |error: std::io::Error| {
        let advice = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                "the port is taken; stop what uses it, or choose another one with --port".to_owned()
            }
            std::io::ErrorKind::PermissionDenied => {
                "ports below 1024 need a privilege; choose another one with --port".to_owned()
            }
            _ => format!("{error}; check --host and --port"),
        };
        StartError::Listen(format!("{host}:{port}"), advice)
    };
    let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs().map_err(refused)?.collect();
    bind_first(&addresses, Sharing::Alone).map_err(refused)
}

/// The port of the mailbox. Without it the mailbox is at `/mailbox` only.
fn mailbox_listener(port: u16) -> Option<TcpListener> {
    let refused = |error: &StartError| tracing::warn!(event = "mailbox_port", port, detail = %error);
    listen("127.0.0.1", port).inspect_err(refused).ok()
}

/// The server also works without the file.
fn written(state: &State, data_dir: &std::path::Path) -> Option<StateFile> {
    let warn = |error: &std::io::Error| tracing::warn!(event = "state_file", detail = %error);
    state.write(data_dir).inspect_err(warn).ok()
}

fn mailbox_url(own: Option<&(Mailbox, TcpListener)>, public_url: &PublicUrl) -> String {
    match own.and_then(|(_, listener)| listener.local_addr().ok()) {
        Some(address) => format!("http://{address}"),
        None => format!("{}/mailbox", public_url.as_str()),
    }
}

/// The configured address, or the local address of the listener.
fn public_url(config: &Config, listener: &TcpListener) -> Result<PublicUrl, StartError> {
    if let Some(url) = &config.public_url {
        return Ok(url.clone());
    }
    let address = listener.local_addr().map_err(StartError::Http)?;
    let host = match address.ip() {
        ip if ip.is_unspecified() => "127.0.0.1".to_owned(),
        std::net::IpAddr::V6(ip) => format!("[{ip}]"),
        ip => ip.to_string(),
    };
    PublicUrl::parse(&format!("http://{host}:{}", address.port()))
        .map_err(|reason| StartError::Listen(address.to_string(), reason))
}

fn shared(
    config: &Config,
    ready: &Ready,
    secrets: &Secrets,
    (keys, events): (Keys, Events),
    public_url: &PublicUrl,
    site: Option<Arc<dyn SiteFiles>>,
    services: Services,
) -> Result<Shared, StartError> {
    let patience = PoolConfig { size: HEALTH_CONNECTIONS, acquire_timeout: HEALTH_PATIENCE };
    let pool = Pool::new(&ready.authenticator, &patience)
        .map_err(|error| StartError::Bootstrap("connection pool", error.to_string()))?;
    let patience = PoolConfig { size: META_CONNECTIONS, acquire_timeout: META_PATIENCE };
    let heads = Pool::new(&ready.authenticator, &patience)
        .map_err(|error| StartError::Bootstrap("connection pool", error.to_string()))?;
    Ok(Shared {
        events,
        proxies: config.trusted_proxies.clone(),
        policy: CallerPolicy::supabase(keys, secrets.api_keys()),
        health: Health::new(pool, &ready.version, services.clone()),
        services,
        meta: PageMeta::new(Some(heads)),
        page: PageSettings {
            public_url: public_url.clone(),
            anon_key: secrets.anon_key.clone(),
            app: config.app.clone(),
        },
        site: site.filter(|_| config.app.serve),
    })
}

fn serve(
    config: &Config,
    services: Services,
    shared: Shared,
    listener: TcpListener,
    (admin_listener, own_mailbox): (Option<TcpListener>, Option<(Mailbox, TcpListener)>),
) -> Result<Serving, StartError> {
    let (health, events) = (shared.health.clone(), shared.events.clone());
    let budget = config.limits.budget();
    let limiter = Limiter::default();
    let rules = BodyRules { budget: budget.clone(), anonymous_limit: config.limits.anonymous_body };
    let (upgrades, own_cors) = (services.upgrades(), services.with_own_cors());
    let settings = Settings { workers: config.workers, shutdown_timeout: config.shutdown_timeout, budget, upgrades };
    let main = http::serve(Listening::Tcp(listener), &settings, move || {
        App::new()
            .app_data(Data::new(rules.clone()))
            .app_data(Data::new(limiter.clone()))
            .configure(|app| app::mount(&shared, app))
            .wrap(app::cors(&own_cors))
            .wrap(from_fn(request::observe))
    })?;
    let mut http = vec![(main.handle(), tokio::spawn(main))];
    let settings = Settings { workers: 1, upgrades: Vec::new(), ..settings };
    if let Some((mails, listener)) = own_mailbox {
        let mailbox = http::serve(Listening::Tcp(listener), &settings, move || {
            App::new().configure(|app| app::mailbox::mount(mails.clone(), "", app))
        })?;
        http.push((mailbox.handle(), tokio::spawn(mailbox)));
    }
    if let Some(listener) = admin_listener {
        let gauged = services.clone();
        let admin = http::serve(Listening::Tcp(listener), &settings, move || {
            let (health, services, events) = (health.clone(), gauged.clone(), events.clone());
            App::new().configure(|app| app::admin(health, services, events, app))
        })?;
        http.push((admin.handle(), tokio::spawn(admin)));
    }
    Ok(Serving { services, http })
}
