//! The services, built once and mounted in every worker.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web::{self, ServiceConfig};
use auth::{Mailbox, WithoutSmtp};
use gateway::events::Events;
use gateway::{Keys, PublicUrl, Secret};
use pg::{Listener, Pool, PoolConfig};
use rest::Rest;
use tokio::task::AbortHandle;

use crate::config::Config;
use crate::database::Ready;
use crate::error::StartError;
use crate::secrets::Secrets;

/// Handles on the services. Cloning shares them.
#[derive(Clone)]
pub(crate) struct Services {
    auth: auth::State,
    auth_pool: Pool,
    mailbox: Option<Mailbox>,
    rest: Arc<Rest>,
    /// `None` where `[storage]` is not enabled.
    storage: Option<storage::State>,
    storage_pool: Pool,
    watch: AbortHandle,
}

/// How long the start waits for the catalog; after that requests are told to come back, and the loading goes on.
const CATALOG_PATIENCE: Duration = Duration::from_secs(10);

/// Delay before the catalog is watched again after it could not be; it doubles up to [`WATCH_MAX_DELAY`].
const WATCH_DELAY: Duration = Duration::from_secs(1);
const WATCH_MAX_DELAY: Duration = Duration::from_secs(30);

/// How long the end waits for mails that are due.
pub(crate) const MAIL_PATIENCE: Duration = Duration::from_secs(5);

impl Services {
    /// Builds them; nothing is served yet.
    pub(crate) async fn new(
        config: &Config,
        ready: &Ready,
        secrets: &Secrets,
        keys: &Keys,
        events: &Events,
        public_url: &PublicUrl,
    ) -> Result<Self, StartError> {
        let size = PoolConfig { size: auth_share(config.pool), acquire_timeout: config.acquire_timeout };
        let pool = Pool::new(&ready.auth_admin, &size)
            .map_err(|error| StartError::Bootstrap("connection pool", error.to_string()))?;
        let settings = auth_settings(config, secrets, public_url);
        let (clock, events_of_auth) = (keys.clock().clone(), events.clone());
        // The mailbox of development shows every mail to whoever is on this machine.
        let mailbox = (config.dev && settings.mailer.smtp.is_none()).then(Mailbox::default);
        let without_smtp = mailbox.clone().map_or(WithoutSmtp::Drop, WithoutSmtp::Keep);
        let auth = auth::State::new(pool.clone(), keys.clone(), settings, clock, events_of_auth, without_smtp)
            .map_err(StartError::Http)?;
        let size = PoolConfig { size: storage_share(config.pool), acquire_timeout: config.acquire_timeout };
        let storage_pool = Pool::new(&ready.authenticator, &size)
            .map_err(|error| StartError::Bootstrap("connection pool", error.to_string()))?;
        let storage = config
            .storage
            .clone()
            .map(|settings| storage::State::new(storage_pool.clone(), keys.clone(), &secrets.jwt_secret, settings));
        let listener = Listener::new(&ready.authenticator)
            .map_err(|error| StartError::Bootstrap("listener", error.to_string()))?;
        let setup = rest::Setup {
            target: ready.authenticator.clone(),
            listener,
            config: rest_settings(config, public_url),
            sources: None,
            policy: None,
            workers: config.workers,
            observer: Arc::new(events.clone()),
        };
        let rest = Rest::new(setup).map_err(|error| StartError::Bootstrap("connection pool", error.to_string()))?;
        let rest = Arc::new(rest);
        let watch = watched(&rest).await;
        Ok(Services { auth, auth_pool: pool, mailbox, rest, storage, storage_pool, watch })
    }

    /// Sets the gauges of the connections.
    pub(crate) fn gauge(&self, events: &Events) {
        events.pool("auth", self.auth_pool.status());
        events.pool("rest", self.rest.connections());
        events.pool("storage", self.storage_pool.status());
    }

    /// Mounts what clients of the OAuth server look for outside of `/auth/v1`.
    pub(crate) fn auth_metadata(&self, app: &mut ServiceConfig) {
        let scope = web::scope("/.well-known/oauth-authorization-server/auth/v1");
        app.service(scope.configure(auth::configure_metadata(self.auth.clone())));
    }

    /// Mounts `/auth/v1`.
    pub(crate) fn auth(&self, scope: &mut ServiceConfig) {
        auth::configure(self.auth.clone())(scope);
    }

    /// Mounts `/rest/v1`.
    pub(crate) fn rest(&self, scope: &mut ServiceConfig) {
        rest::routes::mount(&self.rest, "/rest/v1", scope);
    }

    /// The data API, for those who ask how it is.
    pub(crate) fn data_api(&self) -> Arc<Rest> {
        Arc::clone(&self.rest)
    }

    /// Mounts `/storage/v1`.
    pub(crate) fn storage(&self, scope: &mut ServiceConfig) {
        if let Some(state) = &self.storage {
            storage::configure(state.clone())(scope);
        }
    }

    /// The mailbox of development.
    pub(crate) fn mailbox(&self) -> Option<&Mailbox> {
        self.mailbox.as_ref()
    }

    /// Waits a little until mails that are due have left.
    pub(crate) async fn send_mails(&self) {
        self.auth.stop(MAIL_PATIENCE).await;
    }

    /// Gives the connections back.
    pub(crate) fn close(&self) {
        self.watch.abort();
        self.rest.close();
        self.auth_pool.close();
        self.storage_pool.close();
    }
}

/// Keeps the catalog current from now on, and waits for the first one: who comes meanwhile waits a little, too, instead of
/// being told to come back.
pub(crate) async fn watched(rest: &Arc<Rest>) -> AbortHandle {
    let watching = Arc::clone(rest);
    let watch = tokio::spawn(async move {
        let mut delay = WATCH_DELAY;
        loop {
            let begun = Instant::now();
            let Err(error) = watching.watch().await;
            // PostgREST ends here, and its supervisor starts it again. One service among others goes on trying: a password
            // that was changed may be changed back.
            if begun.elapsed() > WATCH_MAX_DELAY {
                delay = WATCH_DELAY;
            }
            tracing::error!(event = "catalog_watch_failed", detail = %error, retry_in_seconds = delay.as_secs());
            tokio::time::sleep(delay).await;
            delay = (delay * 2).min(WATCH_MAX_DELAY);
        }
    });
    let started = Instant::now();
    while !rest.is_ready() && started.elapsed() < CATALOG_PATIENCE {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    watch.abort_handle()
}

/// A quarter of the budget is kept for auth, so that a flood of data requests locks nobody out.
fn auth_share(pool: usize) -> usize {
    (pool / 4).max(1)
}

/// An eighth is storage's: it holds a connection for single statements, never while bytes come or go.
fn storage_share(pool: usize) -> usize {
    (pool / 8).max(1)
}

/// PostgREST's settings: what the project says, and Supabase's for the rest.
fn rest_settings(config: &Config, public_url: &PublicUrl) -> rest::Config {
    rest::Config {
        db_anon_role: Some("anon".to_owned()),
        db_schemas: config.rest.schemas.clone(),
        db_extra_search_path: config.rest.extra_search_path.clone(),
        db_max_rows: config.rest.max_rows.and_then(|rows| i64::try_from(rows).ok()),
        // What auth and storage do not have, less the listener, the catalog's and that of the health check.
        db_pool: config.pool.saturating_sub(auth_share(config.pool) + storage_share(config.pool) + 3).max(1),
        db_pool_acquisition_timeout: config.acquire_timeout,
        anon_share: config.limits.anonymous_share,
        openapi_server_proxy_uri: Some(public_url.join("/rest/v1")),
        ..rest::Config::default()
    }
}

/// GoTrue's settings, completed with what only a running server knows: its address and its secret.
fn auth_settings(config: &Config, secrets: &Secrets, public_url: &PublicUrl) -> auth::Config {
    let mut settings = config.auth.clone();
    settings.jwt.secret = Secret::new(secrets.jwt_secret.reveal().clone());
    // Unlike the JWT secret it stays when API keys are rotated, so that mailed codes stay good.
    settings.code_secret = Some(secrets.role_key.clone());
    // Whoever tries a provider of their own has it on this machine.
    settings.custom_oauth.allow_private_addresses |= config.dev;
    if let Ok(own) = PublicUrl::parse(&public_url.join("/auth/v1")) {
        if !config.auth_external_url_given {
            settings.external_url = own;
        }
        // As the CLI has it.
        for provider in settings.external.providers.values_mut().filter(|provider| provider.redirect_uri.is_empty()) {
            provider.redirect_uri = settings.external_url.join("/callback");
        }
        if settings.jwt.issuer.is_empty() {
            settings.jwt.issuer = settings.external_url.as_str().to_owned();
        }
    }
    settings
}
