//! The admin server: liveness, readiness, configuration, catalog and metrics.
//!
//! Source: PostgREST `Admin.hs`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::http::StatusCode;
use actix_web::http::header::ContentType;
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use gateway::PolicyCell;

use super::log::Log;
use crate::Rest;

/// The state of the admin server.
pub struct Admin {
    rest: Arc<Rest>,
    log: Arc<Log>,
    policy: Arc<PolicyCell>,
    serving: AtomicBool,
    /// The path of the API's socket, if it uses one: without the file, clients cannot reach the API.
    socket: Option<PathBuf>,
}

impl Admin {
    /// An admin server for an API that does not listen yet.
    pub fn new(rest: Arc<Rest>, log: Arc<Log>, policy: Arc<PolicyCell>) -> Self {
        let socket = rest.config().server_unix_socket.clone().map(PathBuf::from);
        Admin { rest, log, policy, serving: AtomicBool::new(false), socket }
    }

    /// Sets whether the API listens.
    pub fn set_serving(&self, serving: bool) {
        self.serving.store(serving, Ordering::Relaxed);
    }

    /// Mounts the admin server at the root.
    pub fn mount(self: Arc<Self>, scope: &mut ServiceConfig) {
        scope.app_data(web::Data::from(self)).default_service(web::to(answer));
    }

    fn is_live(&self) -> bool {
        self.serving.load(Ordering::Relaxed) && self.socket.as_ref().is_none_or(|path| path.exists())
    }
}

async fn answer(request: HttpRequest, admin: web::Data<Admin>) -> HttpResponse {
    let empty = |status: StatusCode| HttpResponse::build(status).finish();
    match request.path() {
        "/live" if admin.is_live() => empty(StatusCode::OK),
        "/live" => empty(StatusCode::INTERNAL_SERVER_ERROR),
        "/ready" if !admin.rest.is_current().await => empty(StatusCode::SERVICE_UNAVAILABLE),
        "/ready" if admin.is_live() => empty(StatusCode::OK),
        "/ready" => empty(StatusCode::INTERNAL_SERVER_ERROR),
        "/schema_cache" => HttpResponse::Ok().body(admin.rest.schema_cache().unwrap_or_default()),
        "/metrics" => {
            let text = admin.log.counters.render(&admin.rest, admin.policy.get().keys.cache_counts());
            HttpResponse::Ok().content_type(ContentType::plaintext()).body(text)
        }
        _ => empty(StatusCode::NOT_FOUND),
    }
}
