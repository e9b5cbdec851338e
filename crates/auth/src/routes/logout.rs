//! `POST /logout`

use actix_web::{HttpResponse, web};
use serde_json::Value;

use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::flows::audit::{self, Action};
use crate::flows::first_party::FirstParty;
use crate::flows::sessions::current;
use crate::model::requester::Requester;
use crate::state::State;
use crate::store::sessions;

/// The sessions to end.
enum Scope {
    Global,
    Local,
    Others,
}

/// Ends sessions: their refresh tokens are deleted, and this service refuses their access tokens.
#[utoipa::path(post, path = "/logout", tag = "session", security(("user" = [])),
    params(("scope" = Option<String>, Query, description = "`global` (all, the default), `local` or `others`")),
    responses((status = 204), (status = 400), (status = 401), (status = 403)))]
pub(crate) async fn logout(
    who: FirstParty,
    state: web::Data<State>,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    const FAILED: &str = "Error logging out user";
    let current = current(&state, &who).await?;
    let scope = Scope::read(&requester.parameter("scope"))?;
    let mut connection = state.pool.get().await.or_fault(FAILED)?;
    let db = connection.transaction().await.or_fault(FAILED)?;
    let user = &current.user;
    audit::record(&state, &db, user, Action::Logout, Value::Null).await?;
    // A token without a session can only end all sessions.
    match (scope, &current.session) {
        (Scope::Local, Some(session)) => sessions::delete(&db, session.id).await,
        (Scope::Others, Some(session)) => sessions::delete_others(&db, user.id, session.id).await,
        _ => sessions::delete_of_user(&db, user.id).await,
    }
    .or_fault(FAILED)?;
    db.commit().await.or_fault(FAILED)?;
    Ok(HttpResponse::NoContent().finish())
}

impl Scope {
    fn read(text: &str) -> Result<Self, AuthError> {
        match text {
            "" | "global" => Ok(Scope::Global),
            "local" => Ok(Scope::Local),
            "others" => Ok(Scope::Others),
            other => Err(AuthError::LogoutScope(format!("{other:?}"))),
        }
    }
}
