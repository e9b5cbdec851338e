//! `GET /.well-known/jwks.json`

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, web};
use gateway::Anyone;

use crate::state::State;

/// The public keys that verify access tokens (RFC 7517). Contains no symmetric keys.
#[utoipa::path(get, path = "/.well-known/jwks.json", tag = "service",
    responses((status = 200, description = "A JSON Web Key set", body = Object)))]
pub(crate) async fn jwks(_: Anyone, state: web::Data<State>) -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "public, max-age=600")).json(state.keys.jwks())
}
