//! `GET /.well-known/oauth-authorization-server` (RFC 8414)

use actix_web::{HttpResponse, web};
use gateway::Anyone;

use super::openid_configuration::metadata;
use crate::flows::oauth_server::WhileOn;
use crate::state::State;

/// The same document as for OpenID Connect, if the OAuth server is enabled.
#[utoipa::path(get, path = "/.well-known/oauth-authorization-server", tag = "oauth",
    responses((status = 200, description = "Server metadata", body = Object), (status = 404)))]
pub(crate) async fn oauth_authorization_server(_: WhileOn<Anyone>, state: web::Data<State>) -> HttpResponse {
    metadata(&state)
}
