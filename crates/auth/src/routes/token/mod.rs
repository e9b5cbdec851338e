//! `POST /token`: one file for each grant.

mod password;
mod pkce;
mod refresh_token;
mod web3;

use actix_web::web::{self, Json};
use gateway::Anyone;

use crate::State;
use crate::body::Body;
use crate::captcha;
use crate::error::AuthError;
use crate::limits::{self, Bucket};
use crate::requester::Requester;
use crate::tokens::TokenBody;
use crate::wire::Trace;

pub(crate) use password::PasswordGrant;

/// Trades what a user knows or has for an access token and a refresh token.
///
/// The grant `id_token` belongs to a flow that this version does not have: it is refused as GoTrue refuses grants it
/// does not know.
#[utoipa::path(post, path = "/token", tag = "session",
    params(("grant_type" = String, Query, description = "`password`, `refresh_token`, `pkce` or `web3`")),
    request_body(content = PasswordGrant, description = "For `refresh_token`: `{\"refresh_token\": …}`; for `pkce`: `{\"auth_code\": …, \"code_verifier\": …}`; for `web3`: `{\"chain\": …, \"message\": …, \"signature\": …}`"),
    responses((status = 200, body = TokenBody), (status = 400), (status = 404), (status = 409), (status = 413), (status = 422), (status = 429)))]
pub(crate) async fn token(
    _: Anyone,
    state: web::Data<State>,
    body: Body,
    requester: Requester,
    trace: Trace,
) -> Result<Json<TokenBody>, AuthError> {
    let grant = requester.parameter("grant_type");
    // The others follow from something that went before.
    if !matches!(grant.as_str(), "pkce" | "refresh_token" | "id_token") {
        captcha::check(&state, &requester, &body).await?;
    }
    match grant.as_str() {
        "password" | "refresh_token" | "pkce" => limits::admit(&state, Bucket::Token, requester.client)?,
        "web3" => limits::admit(&state, Bucket::Web3, requester.client)?,
        _ => return Err(AuthError::UnsupportedGrant),
    }
    match grant.as_str() {
        "password" => password::grant(&state, body.parse()?, &requester, &trace).await,
        "refresh_token" => refresh_token::grant(&state, body.parse()?, &requester, &trace).await,
        "pkce" => pkce::grant(&state, body.parse()?, &requester, &trace).await,
        "web3" => web3::grant(&state, &body, &requester, &trace).await,
        _ => Err(AuthError::UnsupportedGrant),
    }
    .map(Json)
}
