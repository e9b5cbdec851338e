//! Supabase Storage: buckets and objects over the schema `storage`, with their bytes in files.
//!
//! A request goes from [`routes`] (one file an endpoint) over the flows to `store` (one file a table) and `backend` (the
//! bytes). Whether somebody may is the database's to say: what a request is about to do is done in a transaction under the
//! caller's role, which is rolled back, before a byte of the body is read. The original is supabase/storage.
//!
//! Invariants:
//! - a file has its name when it is whole and on the disk, and a row names only such files;
//! - a row goes before its file: what a crash leaves behind is a file that nobody names;
//! - nothing that a browser could run is served as a page.

mod backend;
mod caller;
mod config;
mod error;
mod flows;
mod protocol;
mod routes;
mod schema;
mod session;
mod store;
mod wire;

use std::sync::Arc;

use actix_web::{HttpRequest, web};
use gateway::{Clock, Keys, Secret};
use pg::pool::Connection;

pub use config::Config;
pub use routes::routes;
pub use schema::SCHEMA;

use backend::Files;
use error::StorageError;

/// What every handler shares. Cloning is cheap.
#[derive(Clone)]
pub struct State {
    pub(crate) pool: pg::Pool,
    /// Verifies what others signed.
    pub(crate) keys: Keys,
    /// Signs and verifies URLs.
    pub(crate) url_keys: Keys,
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Clock,
    pub(crate) files: Files,
}

impl State {
    /// Puts the parts together. The pool logs in as a role that may become the callers' roles and `service_role`; `keys`
    /// verifies tokens, `secret` signs URLs, with HS256 as upstream does.
    pub fn new(pool: pg::Pool, keys: Keys, secret: &Secret<String>, config: Config) -> Self {
        let clock = keys.clock().clone();
        let url_keys = Keys::builder().secret(secret).clock(clock.clone()).build();
        let files = Files::new(&config);
        State { pool, keys, url_keys, config: Arc::new(config), clock, files }
    }

    pub(crate) async fn connection(&self) -> Result<Connection, StorageError> {
        self.pool.get().await.map_err(StorageError::database)
    }
}

/// Where the service is mounted, for messages.
pub(crate) fn mount_of(request: &HttpRequest) -> &str {
    request.app_data::<web::Data<State>>().map_or("", |state| &state.config.mount)
}

/// Mounts the service into a scope: `/storage/v1` behind the server, `/` when it stands in for storage-api's container. The
/// scope must be wrapped by [`gateway::caller::resolve`].
pub fn configure(state: State) -> impl Fn(&mut web::ServiceConfig) + Clone {
    move |scope| {
        let service = web::scope("")
            .app_data(web::Data::new(state.clone()))
            .configure(|scope| gateway::route::mount(routes(), Arc::new(wire::StorageWire), scope));
        scope.service(service);
    }
}
