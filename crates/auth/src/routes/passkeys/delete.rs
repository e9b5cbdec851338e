//! `DELETE /passkeys/{passkey_id}`

use actix_web::HttpResponse;
use actix_web::web::{self, Path};
use serde_json::json;

use crate::error::fault::OrFault;
use crate::error::{AuthError, PasskeyError};
use crate::flows::audit::{self, Action};
use crate::flows::first_party::FirstParty;
use crate::flows::passkeys;
use crate::flows::sessions::current;
use crate::model::requester::Requester;
use crate::model::session::Aal;
use crate::state::State;
use crate::store::webauthn_credentials;

/// Deletes a passkey. Sessions that were started with it continue.
#[utoipa::path(delete, path = "/passkeys/{passkey_id}", tag = "passkeys", security(("user" = [])),
    params(("passkey_id" = String, Path)),
    responses((status = 204), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn delete(
    who: FirstParty,
    state: web::Data<State>,
    path: Path<String>,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    const FAILED: &str = "Database error deleting passkey";
    passkeys::check_enabled(&state)?;
    let current = current(&state, &who).await?;
    let is_aal2 = current.session.as_ref().is_some_and(|session| session.level() >= Aal::Two);
    passkeys::check_aal2(&current.user, is_aal2)?;
    let id = passkeys::id(&path)?;
    let mut connection = state.pool.get().await.or_fault(FAILED)?;
    let db = connection.transaction().await.or_fault(FAILED)?;
    if !webauthn_credentials::delete(&db, id, current.user.id).await.or_fault(FAILED)? {
        return Err(PasskeyError::NotFound.into());
    }
    let traits = json!({ "passkey_id": id });
    audit::record_from(&state, &db, Some(requester.ip), &current.user, Action::PasskeyDeleted, traits).await?;
    db.commit().await.or_fault(FAILED)?;
    Ok(HttpResponse::NoContent().finish())
}
