//! `GET /sso/saml/metadata`

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web;
use gateway::Anyone;

use super::config;
use crate::error::AuthError;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::protocol::saml::Purpose;
use crate::state::State;

/// Our metadata for identity providers.
#[utoipa::path(get, path = "/sso/saml/metadata", tag = "sso",
    params(("download" = Option<String>, Query, description = "`true` for a file that is good for five years")),
    responses((status = 200, body = String, content_type = "application/xml"), (status = 404)))]
pub(crate) async fn saml_metadata(
    _: Anyone,
    state: web::Data<State>,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    let service = &config(&state)?.service;
    let is_file = requester.parameter("download") == "true";
    let purpose = if is_file { Purpose::Downloaded } else { Purpose::Served };
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, "application/xml"));
    // Shorter caching during a key rotation, so that everyone learns the new key soon.
    let seconds = if service.has_next_key() { 60 } else { 600 };
    response.insert_header((CACHE_CONTROL, format!("public, max-age={seconds}")));
    if is_file {
        response.insert_header((CONTENT_DISPOSITION, "attachment; filename=\"metadata.xml\""));
    }
    Ok(response.body(service.metadata(purpose, timestamp::now(&state.clock))))
}
