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

/// What the consent page gets.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum AuthorizationBody {
    /// Somebody is to decide.
    Open {
        authorization_id: String,
        redirect_uri: String,
        client: ClientSummary,
        user: Box<Asked>,
        /// Separated by spaces.
        scope: String,
    },
    /// It is decided: where the browser goes.
    Decided { redirect_url: String },
}

/// Who is asked.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Asked {
    id: Uuid,
    #[serde(skip_serializing_if = "String::is_empty")]
    email: String,
}

/// Tells the consent page what a client asks for. Who opens it first is the one who decides. What they allowed the client
/// before needs no consent again.
///
/// DEVIATION: who opens the same request at the same time waits for a moment; GoTrue tells one of them that it is not there.
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

/// The request, kept for this transaction. One that nobody decided in time is gone: that is to be committed.
///
/// # Errors
/// [`OAuthServerError::AuthorizationNotFound`] when there never was one.
pub(super) async fn open(
    db: &Transaction<'_>,
    id: &str,
    now: DateTime<Utc>,
) -> Result<Option<Authorization>, AuthError> {
    // PostgreSQL cannot be asked for such a text.
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

/// Whoever opens a request first decides it, and may have done so before: then it is approved.
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

/// Gives out the code; tells where the browser takes it.
pub(super) async fn approve(
    db: &Transaction<'_>,
    asked: &Authorization,
    now: DateTime<Utc>,
) -> Result<String, AuthError> {
    let code = Uuid::new_v4().to_string();
    oauth_authorizations::approve(db, asked.id, &code, now).await.or_fault("error approving authorization")?;
    Ok(asked.approved(&code))
}
