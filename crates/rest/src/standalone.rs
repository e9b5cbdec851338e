//! The data API in place of PostgREST's container: its log, its admin server, its CORS.

mod access_log;
mod admin;
mod log;
mod metrics;
mod writer;

use std::sync::Arc;

use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};

pub use admin::Admin;
pub use log::{Line, Log};

use crate::{Rest, cors, routes};

/// Mounts the data API at the root.
pub fn mount(rest: &Arc<Rest>, log: &Arc<Log>, scope: &mut ServiceConfig) {
    scope.app_data(web::Data::from(Arc::clone(rest))).app_data(web::Data::from(Arc::clone(log))).service(
        web::scope("")
            .wrap(from_fn(access_log::observe))
            .wrap(from_fn(gateway::caller::resolve))
            .wrap(from_fn(cors::answer))
            .wrap(from_fn(access_log::sign))
            .configure(|scope| routes::mount(rest, "", scope)),
    );
}
