//! Supabase Storage: buckets and objects over the schema `storage`, with their contents in files.
//!
//! A request goes from [`routes`] (one file per endpoint) to the flows, and from there to `store` (one file per table)
//! and `backend` (the files). The database decides about permission: before reading any byte of a body, the service
//! executes the intended statement in a transaction under the caller's role and rolls it back. The original is
//! supabase/storage.
//!
//! Invariants:
//! - a file gets its name when it is complete and synced, and rows refer only to such files;
//! - a row is deleted before its file: a crash can only leave a file without a row;
//! - no content that a browser could execute is served as a page.

mod alone;
mod backend;
mod caller;
mod config;
mod error;
mod flows;
mod protocol;
mod routes;
mod schema;
mod service;
mod session;
mod store;
mod wire;

use std::sync::Arc;

use actix_web::{HttpRequest, web};
use gateway::{Clock, Keys, Secret};
use pg::pool::Connection;

pub use schema::SCHEMA;
pub use service::SERVICE;

use backend::Files;
use config::Config;
use error::StorageError;

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
}

impl State {
    /// Builds the state. The pool logs in as a role that may switch to the callers' roles and `service_role`; `keys`
    /// verifies tokens, `secret` signs URLs with HS256, as upstream does.
    fn new(pool: pg::Pool, keys: Keys, secret: &Secret<String>, config: Config) -> Self {
        let clock = keys.clock().clone();
        let url_keys = Keys::builder().secret(secret).clock(clock.clone()).build();
        let files = Files::new(&config);
        State { pool, keys, url_keys, config: Arc::new(config), clock, files }
    }

    pub(crate) async fn connection(&self) -> Result<Connection, StorageError> {
        self.pool.get().await.map_err(StorageError::database)
    }
}

/// The service's mount point, for messages.
pub(crate) fn mount_of(request: &HttpRequest) -> &str {
    request.app_data::<web::Data<State>>().map_or("", |state| &state.config.mount)
}
