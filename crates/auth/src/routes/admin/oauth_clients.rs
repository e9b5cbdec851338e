//! `/admin/oauth/clients…`: the clients of our OAuth server.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::{Json, Path};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::fault::OrFault;
use crate::error::{AuthError, OAuthServerError};
use crate::flows::administrator::{AdminToken, Administrator};
use crate::flows::oauth_server::{ClientBody, RegisterBody, Secret, UpdateBody};
use crate::model::oauth_client::{Client, ClientType};
use crate::model::timestamp;
use crate::protocol::body::Body;
use crate::routes::oauth::register;
use crate::store::oauth_clients;

/// All clients; the field is omitted if there are none.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClientsBody {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clients: Vec<ClientBody>,
}

/// All clients, newest first.
#[utoipa::path(get, path = "/admin/oauth/clients", tag = "admin", security(("admin" = [])),
    responses((status = 200, body = ClientsBody), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn list_oauth_clients(token: AdminToken) -> Result<Json<ClientsBody>, AuthError> {
    const FAILED: &str = "Error listing OAuth clients";
    let admin = token.enter().await?;
    let state = admin.state();
    state.config.oauth_server.require()?;
    let db = state.pool.get().await.or_fault(FAILED)?;
    let clients = oauth_clients::list(&db).await.or_fault(FAILED)?;
    Ok(Json(ClientsBody { clients: clients.into_iter().map(ClientBody::from).collect() }))
}

/// Registers a client. Its secret, if it has one, is shown once.
#[utoipa::path(post, path = "/admin/oauth/clients", tag = "admin", security(("admin" = [])),
    request_body = RegisterBody,
    responses((status = 201, body = ClientBody), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413)))]
pub(crate) async fn create_oauth_client(
    token: AdminToken,
    body: Body,
) -> Result<(Json<ClientBody>, StatusCode), AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    state.config.oauth_server.require()?;
    register(state, &body, "manual").await
}

/// One client.
#[utoipa::path(get, path = "/admin/oauth/clients/{client_id}", tag = "admin", security(("admin" = [])),
    params(("client_id" = Uuid, Path)),
    responses((status = 200, body = ClientBody), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn get_oauth_client(token: AdminToken, id: Path<String>) -> Result<Json<ClientBody>, AuthError> {
    let admin = token.enter().await?;
    let client = find(&admin, &id).await?;
    Ok(Json(client.into()))
}

/// Changes the fields in the body.
#[utoipa::path(put, path = "/admin/oauth/clients/{client_id}", tag = "admin", security(("admin" = [])),
    params(("client_id" = Uuid, Path)), request_body = UpdateBody,
    responses((status = 200, body = ClientBody), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413)))]
pub(crate) async fn update_oauth_client(
    token: AdminToken,
    id: Path<String>,
    body: Body,
) -> Result<Json<ClientBody>, AuthError> {
    const FAILED: &str = "Error updating OAuth client";
    let admin = token.enter().await?;
    let state = admin.state();
    let client = find(&admin, &id).await?;
    let body: UpdateBody = body.parse_first().map_err(|_| AuthError::OAuthServer(OAuthServerError::ClientJson))?;
    if body.is_empty() {
        return Err(AuthError::OAuthServer(OAuthServerError::UpdateEmpty));
    }
    let changes = body.check(client.client_type);
    let changes = changes.map_err(|problem| AuthError::OAuthServer(OAuthServerError::Update(problem)))?;
    let db = state.pool.get().await.or_fault(FAILED)?;
    let client =
        oauth_clients::update(&db, client.id, &changes, timestamp::now(&state.clock)).await.or_fault(FAILED)?;
    Ok(Json(client.ok_or(AuthError::OAuthServer(OAuthServerError::ClientNotFound))?.into()))
}

/// Deletes a client: it can no longer be used.
#[utoipa::path(delete, path = "/admin/oauth/clients/{client_id}", tag = "admin", security(("admin" = [])),
    params(("client_id" = Uuid, Path)),
    responses((status = 204), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn delete_oauth_client(token: AdminToken, id: Path<String>) -> Result<HttpResponse, AuthError> {
    const FAILED: &str = "Error deleting OAuth client";
    let admin = token.enter().await?;
    let state = admin.state();
    let client = find(&admin, &id).await?;
    let db = state.pool.get().await.or_fault(FAILED)?;
    oauth_clients::delete(&db, client.id, timestamp::now(&state.clock)).await.or_fault(FAILED)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Replaces a client's secret. The new one is shown once; the old one becomes invalid.
#[utoipa::path(post, path = "/admin/oauth/clients/{client_id}/regenerate_secret", tag = "admin",
    security(("admin" = [])), params(("client_id" = Uuid, Path)),
    responses((status = 200, body = ClientBody), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn regenerate_oauth_client_secret(
    token: AdminToken,
    id: Path<String>,
) -> Result<Json<ClientBody>, AuthError> {
    const FAILED: &str = "Error regenerating OAuth client secret";
    let admin = token.enter().await?;
    let state = admin.state();
    let client = find(&admin, &id).await?;
    if client.client_type == ClientType::Public {
        return Err(AuthError::OAuthServer(OAuthServerError::SecretImpossible));
    }
    let secret = Secret::new();
    let db = state.pool.get().await.or_fault(FAILED)?;
    let now = timestamp::now(&state.clock);
    let client = oauth_clients::set_secret(&db, client.id, &secret.hash(), now).await.or_fault(FAILED)?;
    let client = client.ok_or(AuthError::OAuthServer(OAuthServerError::ClientNotFound))?;
    Ok(Json(ClientBody::from(client).with_secret(Some(secret))))
}

/// The client in the path, if the OAuth server is enabled.
async fn find(admin: &Administrator, id: &str) -> Result<Client, AuthError> {
    const FAILED: &str = "Error loading OAuth client";
    let state = admin.state();
    state.config.oauth_server.require()?;
    let id = Uuid::parse_str(id).map_err(|_| AuthError::OAuthServer(OAuthServerError::ClientIdFormat))?;
    let db = state.pool.get().await.or_fault(FAILED)?;
    let client = oauth_clients::by_id(&db, id).await.or_fault(FAILED)?;
    client.ok_or(AuthError::OAuthServer(OAuthServerError::ClientNotFound))
}
