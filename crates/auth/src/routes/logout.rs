//! `POST /logout`

use actix_web::{HttpResponse, web};
use serde_json::Value;
use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::flows::audit::{self, Action};
use crate::flows::first_party::FirstParty;
use crate::flows::sessions::current;
use crate::model::requester::Requester;
use crate::model::session::Aal;
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
    // DEVIATION (safer): a session at `aal1` does not end the user's sessions at `aal2`, because a password alone must not undo
    // what needed a second factor; GoTrue ends them.
    // A token without a session has no session of its own to end or to keep.
    let own = current.session.as_ref().map(|session| session.id);
    match (scope, own, current.level()) {
        (Scope::Local, Some(own), _) => sessions::delete(&db, own).await,
        (Scope::Others, Some(own), Aal::Two) => sessions::delete_others(&db, user.id, own).await,
        (Scope::Others, Some(own), Aal::One) => sessions::delete_weaker(&db, user.id, own).await,
        (_, _, Aal::Two) => sessions::delete_of_user(&db, user.id).await,
        (_, _, Aal::One) => sessions::delete_weaker(&db, user.id, Uuid::nil()).await,
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
