//! `POST /oauth/token`: one file per grant (RFC 6749 section 3.2).

mod authorization_code;
mod refresh_token;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, web};
use gateway::Anyone;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, OAuthError};
use crate::flows::oauth_server::{TokenRequest, WhileOn, authenticate};
use crate::flows::tokens::TokenBody;
use crate::model::requester::Requester;
use crate::model::trace::Trace;
use crate::state::State;

/// The token response for a client (RFC 6749 section 5.1). It contains no user data beyond the scopes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClientTokenBody {
    access_token: String,
    /// Seconds from now.
    expires_in: i64,
    /// With the scope `openid`, for a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    id_token: Option<String>,
    refresh_token: String,
    /// Always `bearer`.
    token_type: &'static str,
}

impl ClientTokenBody {
    fn new(body: TokenBody, id_token: Option<String>) -> Self {
        let (access_token, expires_in, refresh_token) = body.into_parts();
        ClientTokenBody { access_token, expires_in, id_token, refresh_token, token_type: "bearer" }
    }
}

/// Exchanges a code or a refresh token of an OAuth client.
///
/// DEVIATION (safer): token responses forbid caching (RFC 6749 section 5.1); GoTrue's does not.
#[utoipa::path(post, path = "/oauth/token", tag = "oauth",
    request_body(content = Object, description = "A form or JSON: `grant_type` (`authorization_code` or `refresh_token`), \
        and with it `code`, `redirect_uri`, `code_verifier`, `resource` or `refresh_token`; `client_id` and `client_secret` \
        unless a Basic header has them"),
    responses((status = 200, body = ClientTokenBody), (status = 400), (status = 404), (status = 409), (status = 413)))]
pub(crate) async fn oauth_token(
    _: WhileOn<Anyone>,
    state: web::Data<State>,
    request: TokenRequest,
    requester: Requester,
    trace: Trace,
) -> Result<HttpResponse, AuthError> {
    let client = {
        let db = state.pool.get().await.or_fault(UNEXPECTED)?;
        authenticate(&db, &request).await?
    };
    let params = request.params.ok_or(AuthError::OAuth(OAuthError::JsonBody))?;
    if params.grant_type.is_empty() {
        return Err(AuthError::OAuth(OAuthError::GrantTypeMissing));
    }
    let client = client.ok_or(AuthError::OAuth(OAuthError::ClientMissing))?;
    if !client.grant_types.contains(&params.grant_type) {
        return Err(AuthError::OAuth(OAuthError::GrantTypeNotAllowed(params.grant_type)));
    }
    let body = match params.grant_type.as_str() {
        "authorization_code" => authorization_code::exchange(&state, &client, &params, &requester, &trace).await?,
        "refresh_token" => refresh_token::refresh(&state, &client, &params, &requester, &trace).await?,
        _ => return Err(AuthError::OAuth(OAuthError::GrantTypeUnknown(params.grant_type))),
    };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(body))
}
