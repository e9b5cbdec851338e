//! `POST /token`: one file per grant.

mod id_token;
mod password;
mod pkce;
mod refresh_token;
mod web3;

use actix_web::HttpRequest;
use actix_web::web::{self, Json};
use gateway::Anyone;

use crate::error::AuthError;
use crate::flows::limits::{self, Bucket};
use crate::flows::tokens::TokenBody;
use crate::model::requester::Requester;
use crate::model::trace::Trace;
use crate::outside::captcha;
use crate::protocol::body::Body;
use crate::state::State;

pub(crate) use password::PasswordGrant;

/// Exchanges credentials for an access token and a refresh token.
#[utoipa::path(post, path = "/token", tag = "session",
    params(("grant_type" = String, Query, description = "`password`, `refresh_token`, `pkce`, `id_token` or `web3`")),
    request_body(content = PasswordGrant, description = "For `refresh_token`: `{\"refresh_token\": …}`; for `pkce`: `{\"auth_code\": …, \"code_verifier\": …}`; for `id_token`: `{\"id_token\": …, \"provider\": …, \"access_token\": …, \"nonce\": …}`; for `web3`: `{\"chain\": …, \"message\": …, \"signature\": …}`"),
    responses((status = 200, body = TokenBody), (status = 400), (status = 401), (status = 403), (status = 404), (status = 409), (status = 413), (status = 422), (status = 429)))]
pub(crate) async fn token(
    _: Anyone,
    state: web::Data<State>,
    body: Body,
    (request, requester): (HttpRequest, Requester),
    trace: Trace,
) -> Result<Json<TokenBody>, AuthError> {
    let grant = requester.parameter("grant_type");
    // The other grants follow a request that was checked.
    if !matches!(grant.as_str(), "pkce" | "refresh_token" | "id_token") {
        captcha::check(state.captcha.as_ref(), &requester, &body).await?;
    }
    match grant.as_str() {
        "password" | "refresh_token" | "pkce" | "id_token" => limits::admit(&state, Bucket::Token, requester.client)?,
        "web3" => limits::admit(&state, Bucket::Web3, requester.client)?,
        _ => return Err(AuthError::UnsupportedGrant),
    }
    match grant.as_str() {
        "password" => password::grant(&state, body.parse()?, &requester, &trace).await,
        "refresh_token" => refresh_token::grant(&state, body.parse()?, &requester, &trace).await,
        "pkce" => pkce::grant(&state, body.parse()?, &requester, &trace).await,
        "id_token" => id_token::grant(&state, &body, &request, &requester, &trace).await,
        "web3" => web3::grant(&state, &body, &requester, &trace).await,
        _ => Err(AuthError::UnsupportedGrant),
    }
    .map(Json)
}
