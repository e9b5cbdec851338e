//! `POST /oauth/clients/register` (RFC 7591)

use actix_web::http::StatusCode;
use actix_web::web::{self, Json};
use gateway::Anyone;

use crate::error::fault::OrFault;
use crate::error::{AuthError, OAuthServerError};
use crate::flows::oauth_server::{ClientBody, RegisterBody, Secret, WhileOn};
use crate::model::oauth_client::ClientType;
use crate::model::timestamp;
use crate::protocol::body::Body;
use crate::state::State;
use crate::store::oauth_clients;

/// Registers a client without authentication, if that is allowed.
#[utoipa::path(post, path = "/oauth/clients/register", tag = "oauth", request_body = RegisterBody,
    responses((status = 201, body = ClientBody), (status = 400), (status = 403), (status = 404), (status = 413),
        (status = 429)))]
pub(crate) async fn clients_register(
    _: WhileOn<Anyone>,
    state: web::Data<State>,
    body: Body,
) -> Result<(Json<ClientBody>, StatusCode), AuthError> {
    if !state.config.oauth_server.allow_dynamic_registration {
        return Err(AuthError::OAuthServer(OAuthServerError::RegistrationDisabled));
    }
    register(&state, &body, "dynamic").await
}

/// Registers a client; `how` is `dynamic` or `manual`.
///
/// # Errors
/// [`OAuthServerError::ClientJson`], [`OAuthServerError::Registration`].
pub(in crate::routes) async fn register(
    state: &State,
    body: &Body,
    how: &'static str,
) -> Result<(Json<ClientBody>, StatusCode), AuthError> {
    let body: RegisterBody = body.parse_first().map_err(|_| AuthError::OAuthServer(OAuthServerError::ClientJson))?;
    let new = body.check().map_err(|problem| AuthError::OAuthServer(OAuthServerError::Registration(problem)))?;
    let secret = (new.client_type == ClientType::Confidential).then(Secret::new);
    let hash = secret.as_ref().map(Secret::hash);
    const FAILED: &str = "failed to create OAuth client";
    let db = state.pool.get().await.or_fault(FAILED)?;
    let now = timestamp::now(&state.clock);
    let client = oauth_clients::insert(&db, how, &new, hash.as_deref(), now).await.or_fault(FAILED)?;
    Ok((Json(ClientBody::from(client).with_secret(secret)), StatusCode::CREATED))
}
