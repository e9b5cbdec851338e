//! `DELETE /admin/custom-providers/{identifier}`

use actix_web::HttpResponse;
use actix_web::web::Path;

use super::{allowed, find, forget};
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, ExternalError};
use crate::flows::administrator::AdminToken;
use crate::store::custom_oauth_providers;

/// Deletes a provider. Users keep their identities.
#[utoipa::path(delete, path = "/admin/custom-providers/{identifier}", tag = "admin", security(("admin" = [])),
    params(("identifier" = String, Path, description = "Begins with `custom:`")),
    responses((status = 204), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn delete_custom_provider(token: AdminToken, path: Path<String>) -> Result<HttpResponse, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    allowed(state)?;
    let provider = find(&admin, &path).await?;
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    let deleted = custom_oauth_providers::delete(&db, provider.id).await;
    if !deleted.or_fault("Error deleting custom OAuth provider")? {
        return Err(AuthError::External(ExternalError::CustomNotFound));
    }
    forget(state, &provider);
    Ok(HttpResponse::NoContent().finish())
}
