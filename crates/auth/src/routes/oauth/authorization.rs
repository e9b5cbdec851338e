//! `GET /oauth/authorizations/{authorization_id}`

use actix_web::web::{self, Json, Path};
use chrono::{DateTime, Utc};
use pg::pool::Transaction;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, OAuthServerError};
use crate::flows::first_party::FirstParty;
use crate::flows::oauth_server::{AppOrigin, WhileOn};
use crate::flows::sessions::current;
use crate::model::account::User;
use crate::model::oauth_authorization::{Authorization, Status};
use crate::model::oauth_client::ClientSummary;
use crate::model::scopes::Scopes;
use crate::model::timestamp;
use crate::state::State;
use crate::store::{oauth_authorizations, oauth_clients, oauth_consents};

const NOT_FOUND: AuthError = AuthError::OAuthServer(OAuthServerError::AuthorizationNotFound);

/// The answer for the consent page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum AuthorizationBody {
    /// The request waits for a decision.
    Open {
        authorization_id: String,
        redirect_uri: String,
        client: ClientSummary,
        user: Box<Asked>,
        /// Separated by spaces.
        scope: String,
    },
    /// The request is decided: the redirect for the browser.
    Decided { redirect_url: String },
}

/// The user who decides.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Asked {
    id: Uuid,
    #[serde(skip_serializing_if = "String::is_empty")]
    email: String,
}

/// Describes a client's request for the consent page. The first user who opens it decides about it. Scopes that the
/// user has granted this client before need no new consent.
///
/// DEVIATION (behaviour): concurrent requests for the same authorization wait for each other; GoTrue answers one of
/// them that it does not exist.
#[utoipa::path(get, path = "/oauth/authorizations/{authorization_id}", tag = "oauth", security(("user" = [])),
    params(("authorization_id" = String, Path)),
    responses((status = 200, body = AuthorizationBody), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn authorization(
    who: WhileOn<FirstParty>,
    state: web::Data<State>,
    _: AppOrigin,
    authorization_id: Path<String>,
) -> Result<Json<AuthorizationBody>, AuthError> {
    let user = current(&state, &who.0).await?.user;
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let Some(asked) = open(&db, &authorization_id, now).await? else {
        db.commit().await.or_fault(UNEXPECTED)?;
        return Err(NOT_FOUND);
    };
    if asked.status != Status::Pending {
        return Err(AuthError::OAuthServer(OAuthServerError::AuthorizationSpent));
    }
    let client = oauth_clients::by_id(&db, asked.client_id).await.or_fault("error finding client")?;
    let client = client.ok_or(NOT_FOUND)?;
    let redirect_url = match asked.user_id {
        Some(other) if other != user.id => return Err(NOT_FOUND),
        Some(_) => None,
        None => claim(&db, &asked, &user, now).await?,
    };
    db.commit().await.or_fault(UNEXPECTED)?;
    Ok(Json(match redirect_url {
        Some(redirect_url) => AuthorizationBody::Decided { redirect_url },
        None => AuthorizationBody::Open {
            authorization_id: asked.authorization_id,
            redirect_uri: asked.redirect_uri,
            client: client.into(),
            user: Box::new(Asked { id: user.id, email: user.email }),
            scope: asked.scope,
        },
    }))
}

/// The request, locked for this transaction. An expired one is marked as such, which the caller must commit.
///
/// # Errors
/// [`OAuthServerError::AuthorizationNotFound`] if it never existed.
pub(super) async fn open(
    db: &Transaction<'_>,
    id: &str,
    now: DateTime<Utc>,
) -> Result<Option<Authorization>, AuthError> {
    // PostgreSQL cannot store U+0000.
    if id.contains('\0') {
        return Err(NOT_FOUND);
    }
    let asked = oauth_authorizations::lock_by_id(db, id).await.or_fault("error finding authorization")?;
    let asked = asked.ok_or(NOT_FOUND)?;
    if !asked.has_expired(now) {
        return Ok(Some(asked));
    }
    if asked.status == Status::Pending {
        oauth_authorizations::set_status(db, asked.id, Status::Expired).await.or_fault(UNEXPECTED)?;
    }
    Ok(None)
}

/// Assigns the request to the first user who opens it. If they have granted the scopes before, it is approved.
async fn claim(
    db: &Transaction<'_>,
    asked: &Authorization,
    user: &User,
    now: DateTime<Utc>,
) -> Result<Option<String>, AuthError> {
    oauth_authorizations::set_user(db, asked.id, user.id).await.or_fault(UNEXPECTED)?;
    let allowed = oauth_consents::active_scopes(db, user.id, asked.client_id).await.or_fault(UNEXPECTED)?;
    if !allowed.is_some_and(|allowed| Scopes(&allowed).cover(Scopes(&asked.scope))) {
        return Ok(None);
    }
    approve(db, asked, now).await.map(Some)
}

/// Issues the code; returns the redirect.
pub(super) async fn approve(
    db: &Transaction<'_>,
    asked: &Authorization,
    now: DateTime<Utc>,
) -> Result<String, AuthError> {
    let code = Uuid::new_v4().to_string();
    oauth_authorizations::approve(db, asked.id, &code, now).await.or_fault("error approving authorization")?;
    Ok(asked.approved(&code))
}
