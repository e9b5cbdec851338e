//! `DELETE /admin/sso/providers/{provider}`

use actix_web::web::{Json, Path};

use super::find;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, SamlError};
use crate::flows::administrator::AdminToken;
use crate::store::sso_providers::{self, SsoProvider};

/// Deletes an identity provider and returns it. Users keep their identities and sessions.
#[utoipa::path(delete, path = "/admin/sso/providers/{provider}", tag = "admin", security(("admin" = [])),
    params(("provider" = String, Path, description = "Its id, or `resource_` and its resource id")),
    responses((status = 200, body = SsoProvider), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn delete_sso_provider(token: AdminToken, path: Path<String>) -> Result<Json<SsoProvider>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let provider = find(&admin, &path).await?;
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    if !sso_providers::delete(&db, provider.id).await.or_fault(UNEXPECTED)? {
        return Err(AuthError::Saml(SamlError::ProviderNotFound));
    }
    Ok(Json(provider))
}
