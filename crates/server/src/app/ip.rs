//! `GET /ip`: the caller's address as the server sees it, in the shape of the public look-up services.

use actix_web::{HttpResponse, Responder};
use gateway::{Anyone, RequestContext};
use serde_json::json;

/// Answers `{"ip": "192.0.2.1"}`, never cached.
pub(super) async fn ip(_: Anyone, context: RequestContext) -> impl Responder {
    HttpResponse::Ok().insert_header(("cache-control", "no-store")).json(json!({ "ip": context.client_ip.to_string() }))
}
