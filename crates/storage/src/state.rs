//! What every handler shares.

use std::sync::Arc;

use actix_web::{HttpRequest, web};
use gateway::{Clock, Keys, Secret};
use pg::pool::Connection;

use crate::backend::{Files, Parts, Resumables};
use crate::config::Config;
use crate::error::StorageError;
use crate::picture::Renditions;

/// State shared by all handlers. Cheap to clone.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) pool: pg::Pool,
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
}

impl State {
    /// Builds the state. The pool logs in as a role that may switch to the callers' roles and `service_role`; `keys`
    /// verifies tokens, `secret` signs URLs with HS256, as upstream does.
    pub(crate) fn new(pool: pg::Pool, keys: Keys, secret: &Secret<String>, config: Config) -> Self {
        let clock = keys.clock().clone();
        let url_keys = Keys::builder().secret(secret).clock(clock.clone()).build();
        let files = Files::new(&config);
        let resumables = Resumables::new(&files);
        let parts = Parts::new(&files);
        let renditions = Renditions::new(&files, config.picture_cache);
        State { pool, keys, url_keys, config: Arc::new(config), clock, files, resumables, parts, renditions }
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
