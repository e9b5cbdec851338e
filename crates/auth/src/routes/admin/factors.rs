//! `/admin/users/{user_id}/factors`
//!
//! Source: supabase/auth, `internal/api/admin.go`.

use actix_web::web::{Json, Path};
use pg::OnConstraint;
use serde_json::json;
use utoipa::ToSchema;

use super::users::named;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, MfaError};
use crate::flows::administrator::AdminToken;
use crate::flows::audit::{self, Action};
use crate::flows::mfa;
use crate::model::account::Factor;
use crate::model::requester::Requester;
use crate::model::{addresses, timestamp};
use crate::protocol::body::{Body, params};
use crate::store::mfa_factors;

/// The second factors of a user, verified or not.
#[utoipa::path(get, path = "/admin/users/{user_id}/factors", tag = "admin", security(("admin" = [])),
    params(("user_id" = Uuid, Path)),
    responses((status = 200, body = Vec<Factor>), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn list_factors(token: AdminToken, id: Path<String>) -> Result<Json<Vec<Factor>>, AuthError> {
    let admin = token.enter().await?;
    Ok(Json(named(&admin, &id).await?.factors))
}

/// The fields of a factor that an administrator may change. Absent fields keep their value.
#[derive(Default, ToSchema)]
pub(crate) struct AdminUserUpdateFactorParams {
    friendly_name: String,
    /// For a phone factor; ignored for others.
    phone: String,
}
params!(AdminUserUpdateFactorParams as "adminUserUpdateFactorParams" { friendly_name: Text, phone: Text });

/// Changes name or number of a factor.
///
/// DEVIATION (words): a name or number that another factor of the user has is refused with 422; GoTrue answers 500.
#[utoipa::path(put, path = "/admin/users/{user_id}/factors/{factor_id}", tag = "admin", security(("admin" = [])),
    params(("user_id" = Uuid, Path), ("factor_id" = Uuid, Path)), request_body = AdminUserUpdateFactorParams,
    responses((status = 200, body = Factor), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413), (status = 422)))]
pub(crate) async fn update_factor(
    token: AdminToken,
    path: Path<(String, String)>,
    body: Body,
) -> Result<Json<Factor>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let user = named(&admin, &path.0).await?;
    let mut factor = mfa::factor_of(&user, &path.1)?;
    let params: AdminUserUpdateFactorParams = body.parse()?;
    let name = Some(params.friendly_name).filter(|name| !name.is_empty());
    let phone = match params.phone.as_str() {
        text if !text.is_empty() && factor.factor_type == "phone" => Some(addresses::phone(text)?),
        _ => None,
    };
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let taken = || MfaError::NameConflict(format!("{:?}", name.as_deref().unwrap_or_default()));
    mfa_factors::update(&db, factor.id, name.as_deref(), phone.as_deref(), now)
        .await
        .on_constraint("mfa_factors_user_friendly_name_unique", taken)?
        .on_constraint("unique_phone_factor_per_user", || MfaError::PhoneFactorExists)?
        .or_fault(UNEXPECTED)?;
    let traits = json!({ "factor_id": factor.id, "factor_type": factor.factor_type, "user_id": user.id });
    audit::record(state, &db, admin.actor(), Action::FactorUpdated, traits).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    if name.is_some() || phone.is_some() {
        factor.updated_at = now;
    }
    factor.friendly_name = name.unwrap_or(factor.friendly_name);
    factor.phone = phone.unwrap_or(factor.phone);
    Ok(Json(factor))
}

/// Deletes a factor, whatever the assurance level of its user's sessions.
#[utoipa::path(delete, path = "/admin/users/{user_id}/factors/{factor_id}", tag = "admin", security(("admin" = [])),
    params(("user_id" = Uuid, Path), ("factor_id" = Uuid, Path)),
    responses((status = 200, body = Factor), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn delete_factor(
    token: AdminToken,
    path: Path<(String, String)>,
    requester: Requester,
) -> Result<Json<Factor>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let user = named(&admin, &path.0).await?;
    let factor = mfa::factor_of(&user, &path.1)?;
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    // Recorded as an action of the user, as in GoTrue.
    let traits = json!({ "factor_id": factor.id, "user_id": user.id });
    audit::record_from(state, &db, Some(requester.ip), &user, Action::FactorDeleted, traits).await?;
    mfa::remove(&db, &factor, timestamp::now(&state.clock)).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    Ok(Json(factor))
}
