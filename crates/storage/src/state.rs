//! What every handler shares.

use std::sync::Arc;

use actix_web::{HttpRequest, web};
use gateway::service::Failed;
use gateway::{Clock, Keys, Secret};
use pg::pool::Connection;
use url::Url;

use crate::backend::{Files, Parts, Remote, Resumables};
use crate::config::Config;
use crate::error::StorageError;
use crate::outside::cdn::Cdn;
use crate::outside::webhook::Webhook;
use crate::picture::Renditions;
use crate::sessions::Sessions;
use crate::store::lookups::Lookups;

/// State shared by all handlers. Cheap to clone.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) pool: pg::Pool,
    /// Looks up objects for reading; `None` if there are too few connections.
    pub(crate) lookups: Option<Lookups>,
    /// Verifies callers' tokens.
    pub(crate) keys: Keys,
    /// Signs and verifies URLs.
    pub(crate) url_keys: Keys,
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Clock,
    pub(crate) files: Files,
    pub(crate) resumables: Resumables,
    pub(crate) parts: Parts,
    pub(crate) renditions: Renditions,
    pub(crate) cdn: Cdn,
    pub(crate) webhook: Webhook,
    /// Which sessions of callers have ended.
    pub(crate) sessions: Sessions,
}

impl State {
    /// Builds the state. The pool logs in as a role that may switch to the callers' roles and `service_role`; `keys`
    /// verifies tokens, `secret` signs URLs with HS256, as upstream does. Must be called on the server's main runtime.
    ///
    /// # Errors
    /// If the settings of the S3 server do not fit together, or TLS cannot be set up.
    pub(crate) fn new(pool: pg::Pool, keys: Keys, secret: &Secret<String>, config: Config) -> Result<Self, Failed> {
        let clock = keys.clock().clone();
        let url_keys = Keys::builder().secret(secret).clock(clock.clone()).build();
        let remote = config.remote.as_ref().map(|remote| Remote::new(remote, &config.tenant)).transpose()?;
        let files = Files::new(&config).with_remote(remote);
        let resumables = Resumables::new(&files);
        let parts = Parts::new(&files);
        let renditions = Renditions::new(&files, config.picture_cache);
        let cdn = Cdn::new(&config.cdn, &config.tenant)?;
        let host = Url::parse(&config.public_url).ok().and_then(|url| url.host_str().map(str::to_owned));
        let webhook = Webhook::new(&config.webhook, &config.tenant, &host.unwrap_or_default(), files.waiting_folder())?;
        let config = Arc::new(config);
        let sessions = Sessions::new(pool.clone());
        Ok(State {
            pool,
            lookups: None,
            keys,
            url_keys,
            config,
            clock,
            files,
            resumables,
            parts,
            renditions,
            cdn,
            webhook,
            sessions,
        })
    }

    /// Where the service is reached from outside, without a slash at its end.
    ///
    /// DEVIATION (safer): the URL of a resumable upload begins with the configured address; upstream takes it from the headers.
    pub(crate) fn public_url(&self) -> &str {
        let url = if self.config.public_url.is_empty() { &self.config.mount } else { &self.config.public_url };
        url.trim_end_matches('/')
    }

    pub(crate) async fn connection(&self) -> Result<Connection, StorageError> {
        self.pool.get().await.map_err(StorageError::database)
    }
}

/// The service's mount point, for messages.
pub(crate) fn mount_of(request: &HttpRequest) -> &str {
    request.app_data::<web::Data<State>>().map_or("", |state| &state.config.mount)
}
