//! `GET /ip`: the client's address as the server sees it, in the format of public look-up services.

use actix_web::{HttpResponse, Responder};
use gateway::{Anyone, RequestContext};
use serde_json::json;

/// Responds with `{"ip": "192.0.2.1"}`. Must not be cached.
pub(super) async fn ip(_: Anyone, context: RequestContext) -> impl Responder {
    HttpResponse::Ok().insert_header(("cache-control", "no-store")).json(json!({ "ip": context.client_ip.to_string() }))
}
