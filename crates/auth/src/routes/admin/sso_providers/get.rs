//! `GET /admin/sso/providers/{provider}`

use actix_web::web::{Json, Path};

use super::find;
use crate::error::AuthError;
use crate::flows::administrator::AdminToken;
use crate::store::sso_providers::SsoProvider;

/// An identity provider, with its metadata.
#[utoipa::path(get, path = "/admin/sso/providers/{provider}", tag = "admin", security(("admin" = [])),
    params(("provider" = String, Path, description = "Its id, or `resource_` and its resource id")),
    responses((status = 200, body = SsoProvider), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn get_sso_provider(token: AdminToken, path: Path<String>) -> Result<Json<SsoProvider>, AuthError> {
    let admin = token.enter().await?;
    find(&admin, &path).await.map(Json)
}
