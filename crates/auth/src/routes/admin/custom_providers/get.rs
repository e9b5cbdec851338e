//! `GET /admin/custom-providers/{identifier}`

use actix_web::web::{self, Json, Path};

use super::{allowed, find};
use crate::error::AuthError;
use crate::flows::administrator::Administrator;
use crate::state::State;
use crate::store::custom_oauth_providers::CustomOauthProvider;

/// A provider that an administrator has added, without its secret.
#[utoipa::path(get, path = "/admin/custom-providers/{identifier}", tag = "admin", security(("admin" = [])),
    params(("identifier" = String, Path, description = "Begins with `custom:`")),
    responses((status = 200, body = CustomOauthProvider), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn get_custom_provider(
    who: Administrator,
    state: web::Data<State>,
    path: Path<String>,
) -> Result<Json<CustomOauthProvider>, AuthError> {
    who.enter(&state).await?;
    allowed(&state)?;
    find(&state, &path).await.map(Json)
}
