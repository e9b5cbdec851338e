//! `GET /admin/custom-providers/{identifier}`

use actix_web::web::{Json, Path};

use super::{allowed, find};
use crate::error::AuthError;
use crate::flows::administrator::AdminToken;
use crate::store::custom_oauth_providers::CustomOauthProvider;

/// A provider that an administrator has added, without its secret.
#[utoipa::path(get, path = "/admin/custom-providers/{identifier}", tag = "admin", security(("admin" = [])),
    params(("identifier" = String, Path, description = "Begins with `custom:`")),
    responses((status = 200, body = CustomOauthProvider), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn get_custom_provider(
    token: AdminToken,
    path: Path<String>,
) -> Result<Json<CustomOauthProvider>, AuthError> {
    let admin = token.enter().await?;
    allowed(admin.state())?;
    find(&admin, &path).await.map(Json)
}
