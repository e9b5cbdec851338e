//! `/admin/users/{user_id}/passkeys`, available even if passkeys are disabled.
//!
//! Source: supabase/auth, `internal/api/passkey_admin.go`.

use actix_web::HttpResponse;
use actix_web::web::{Json, Path};
use serde_json::json;

use super::users::named;
use crate::error::fault::OrFault;
use crate::error::{AuthError, PasskeyError};
use crate::flows::administrator::AdminToken;
use crate::flows::audit::{self, Action};
use crate::flows::passkeys::{self, PasskeyBody};
use crate::model::requester::Requester;
use crate::store::webauthn_credentials;

/// The passkeys of a user, oldest first.
#[utoipa::path(get, path = "/admin/users/{user_id}/passkeys", tag = "admin", security(("admin" = [])),
    params(("user_id" = Uuid, Path)),
    responses((status = 200, body = Vec<PasskeyBody>), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn list_passkeys(token: AdminToken, id: Path<String>) -> Result<Json<Vec<PasskeyBody>>, AuthError> {
    const FAILED: &str = "Database error loading passkeys";
    let admin = token.enter().await?;
    let state = admin.state();
    let user = named(&admin, &id).await?;
    let db = state.pool.get().await.or_fault(FAILED)?;
    let passkeys = webauthn_credentials::of_user(&db, user.id).await.or_fault(FAILED)?;
    Ok(Json(passkeys.into_iter().map(PasskeyBody::from).collect()))
}

/// Deletes a passkey of a user.
#[utoipa::path(delete, path = "/admin/users/{user_id}/passkeys/{passkey_id}", tag = "admin", security(("admin" = [])),
    params(("user_id" = Uuid, Path), ("passkey_id" = Uuid, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn delete_passkey(
    token: AdminToken,
    path: Path<(String, String)>,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    const FAILED: &str = "Database error deleting passkey";
    let admin = token.enter().await?;
    let state = admin.state();
    let user = named(&admin, &path.0).await?;
    let id = passkeys::id(&path.1)?;
    let mut connection = state.pool.get().await.or_fault(FAILED)?;
    let db = connection.transaction().await.or_fault(FAILED)?;
    if !webauthn_credentials::delete(&db, id, user.id).await.or_fault(FAILED)? {
        return Err(PasskeyError::NotFound.into());
    }
    let traits = json!({ "passkey_id": id, "user_id": user.id });
    audit::record_from(state, &db, Some(requester.ip), admin.actor(), Action::PasskeyDeleted, traits).await?;
    db.commit().await.or_fault(FAILED)?;
    Ok(HttpResponse::NoContent().finish())
}
