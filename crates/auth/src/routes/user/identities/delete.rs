//! `DELETE /user/identities/{identity_id}`

use actix_web::web::{self, Json, Path};
use serde_json::{Value, json};
use uuid::Uuid;

use super::allowed;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, ExternalError};
use crate::flows::external;
use crate::flows::first_party::FirstParty;
use crate::flows::sessions::current;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::state::State;
use crate::store::users;

/// Unlinks an identity from the user, who must keep at least one.
#[utoipa::path(delete, path = "/user/identities/{identity_id}", tag = "external", security(("user" = [])),
    params(("identity_id" = Uuid, Path)),
    responses((status = 200, body = Object), (status = 400), (status = 401), (status = 403), (status = 404), (status = 422)))]
pub(crate) async fn delete_identity(
    who: FirstParty,
    state: web::Data<State>,
    requester: Requester,
    path: Path<String>,
) -> Result<Json<Value>, AuthError> {
    let current = current(&state, &who).await?;
    allowed(&state)?;
    let identity = Uuid::parse_str(&path).map_err(|_| AuthError::External(ExternalError::IdentityNotUuid))?;
    if current.token_audience() != Some(current.audience(&state, &requester)) {
        return Err(AuthError::External(ExternalError::UnexpectedAudience));
    }
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    // Lock, so that two parallel requests cannot remove the last two identities.
    users::lock(&db, current.user.id).await.or_fault(UNEXPECTED)?;
    let user = users::by_id(&db, current.user.id).await.or_fault(UNEXPECTED)?.ok_or(AuthError::UserNotFound)?;
    let dispatch = external::unlink(&state, &db, user, identity, now).await?;
    let ready = dispatch.hand_over(&state, &db, &requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    ready.send(&state).await?;
    Ok(Json(json!({})))
}
