//! `GET /.well-known/openid-configuration`

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, web};
use gateway::Anyone;
use serde_json::json;

use crate::model::scopes::Scopes;
use crate::state::State;

/// Discovery metadata for clients that verify tokens (OpenID Connect Discovery 1.0). As in GoTrue, the document names
/// the OAuth endpoints whether or not they are enabled.
#[utoipa::path(get, path = "/.well-known/openid-configuration", tag = "service",
    responses((status = 200, description = "Provider metadata", body = Object)))]
pub(crate) async fn openid_configuration(_: Anyone, state: web::Data<State>) -> HttpResponse {
    metadata(&state)
}

/// The metadata of this server (RFC 8414 section 2, OpenID Connect Discovery 1.0 section 3).
pub(super) fn metadata(state: &State) -> HttpResponse {
    let issuer = &state.config.jwt.issuer;
    let methods: &[&str] = if state.config.oauth_server.allow_plain_pkce { &["S256", "plain"] } else { &["S256"] };
    let base = issuer.trim_end_matches('/');
    let mut document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{base}/oauth/authorize"),
        "token_endpoint": format!("{base}/oauth/token"),
        "jwks_uri": format!("{base}/.well-known/jwks.json"),
        "userinfo_endpoint": format!("{base}/oauth/userinfo"),
        "scopes_supported": Scopes::supported(),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "HS256", "ES256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "claims_supported": [
            "sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "email", "email_verified", "phone_number",
            "phone_number_verified", "name", "picture", "preferred_username", "updated_at",
        ],
        "code_challenge_methods_supported": methods,
    });
    let config = &state.config.oauth_server;
    if config.enabled && config.allow_dynamic_registration {
        document["registration_endpoint"] = json!(format!("{base}/oauth/clients/register"));
    }
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "public, max-age=600")).json(document)
}
