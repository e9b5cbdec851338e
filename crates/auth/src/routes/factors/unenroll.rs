//! `DELETE /factors/{factor_id}`
//!
//! Source: supabase/auth, `internal/api/mfa.go`.

use actix_web::web::{self, Json, Path};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, MfaError};
use crate::flows::audit::{self, Action};
use crate::flows::first_party::FirstParty;
use crate::flows::mfa;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::state::State;

/// The deleted factor.
#[derive(Serialize, ToSchema)]
pub(crate) struct UnenrollFactorBody {
    id: Uuid,
}

/// Deletes a factor. A verified factor can only be deleted by an AAL2 session.
#[utoipa::path(delete, path = "/factors/{factor_id}", tag = "second factors", security(("user" = [])),
    params(("factor_id" = String, Path)),
    responses((status = 200, body = UnenrollFactorBody), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 422)))]
pub(crate) async fn unenroll(
    who: FirstParty,
    state: web::Data<State>,
    path: Path<String>,
    requester: Requester,
) -> Result<Json<UnenrollFactorBody>, AuthError> {
    let holder = mfa::holder(&state, &who).await?;
    let factor = mfa::factor_of(&holder.user, &path)?;
    let session = holder.session("A valid session and factor are required to unenroll a factor")?;
    if factor.is_verified() && !holder.is_aal2() {
        return Err(MfaError::UnenrollNeedsAal2.into());
    }
    let user = &holder.user;
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    mfa::remove(&db, &factor, timestamp::now(&state.clock)).await?;
    let traits = json!({ "factor_id": factor.id, "factor_status": factor.status, "session_id": session.id });
    audit::record_from(&state, &db, Some(requester.ip), user, Action::FactorUnenrolled, traits).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    // Sending may wait for a hook, which must not hold a connection.
    drop(connection);
    mfa::notify_of_removal(&state, &requester, user, &factor).await;
    Ok(Json(UnenrollFactorBody { id: factor.id }))
}
