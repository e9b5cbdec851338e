//! `GET` and `DELETE /user/oauth/grants`: the user's grants to OAuth clients.

use actix_web::HttpResponse;
use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::fault::OrFault;
use crate::error::{AuthError, OAuthServerError};
use crate::flows::audit::{self, Action};
use crate::flows::first_party::FirstParty;
use crate::flows::sessions::current;
use crate::model::oauth_client::ClientSummary;
use crate::model::requester::Requester;
use crate::model::scopes::Scopes;
use crate::model::timestamp;
use crate::state::State;
use crate::store::oauth_consents::{self, Consent};
use crate::store::sessions;

/// A client and its granted scopes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GrantBody {
    client: ClientSummary,
    scopes: Vec<String>,
    #[serde(serialize_with = "timestamp::serialize")]
    granted_at: DateTime<Utc>,
}

impl From<Consent> for GrantBody {
    fn from(consent: Consent) -> Self {
        let scopes = Scopes(&consent.scopes).iter().map(str::to_owned).collect();
        GrantBody { client: consent.client, scopes, granted_at: consent.granted_at }
    }
}

/// All clients that may act for the user, most recent grant first.
#[utoipa::path(get, path = "/user/oauth/grants", tag = "user", security(("user" = [])),
    responses((status = 200, body = [GrantBody]), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn oauth_grants(who: FirstParty, state: web::Data<State>) -> Result<Json<Vec<GrantBody>>, AuthError> {
    const FAILED: &str = "Error fetching OAuth grants";
    let user = current(&state, &who).await?.user;
    state.config.oauth_server.require()?;
    let db = state.pool.get().await.or_fault(FAILED)?;
    let consents = oauth_consents::of_user(&db, user.id).await.or_fault(FAILED)?;
    Ok(Json(consents.into_iter().map(GrantBody::from).collect()))
}

/// Revokes a client's grant and ends its sessions.
#[utoipa::path(delete, path = "/user/oauth/grants", tag = "user", security(("user" = [])),
    params(("client_id" = String, Query)),
    responses((status = 204), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn revoke_oauth_grant(
    who: FirstParty,
    state: web::Data<State>,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    const FAILED: &str = "Error revoking grant";
    let refused = |error| Err(AuthError::OAuthServer(error));
    let user = current(&state, &who).await?.user;
    state.config.oauth_server.require()?;
    let client = requester.parameter("client_id");
    if client.is_empty() {
        return refused(OAuthServerError::GrantClientMissing);
    }
    let Ok(client) = Uuid::parse_str(&client) else { return refused(OAuthServerError::ClientIdFormat) };
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(FAILED)?;
    let db = connection.transaction().await.or_fault(FAILED)?;
    if !oauth_consents::revoke(&db, user.id, client, now).await.or_fault(FAILED)? {
        return refused(OAuthServerError::GrantNotFound);
    }
    sessions::delete_of_client(&db, user.id, client).await.or_fault(FAILED)?;
    let traits = json!({ "action": "revoke_oauth_grant", "oauth_client_id": client });
    audit::record(&state, &db, &user, Action::TokenRevoked, traits).await?;
    db.commit().await.or_fault(FAILED)?;
    Ok(HttpResponse::NoContent().finish())
}
