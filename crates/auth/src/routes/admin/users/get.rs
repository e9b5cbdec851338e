//! `GET /admin/users/{user_id}`

use actix_web::web::{self, Json};

use crate::error::AuthError;
use crate::flows::administrator::AdminToken;
use crate::model::account::UserBody;

/// A user.
#[utoipa::path(get, path = "/admin/users/{user_id}", tag = "admin", security(("admin" = [])),
    params(("user_id" = uuid::Uuid, Path)),
    responses((status = 200, body = UserBody), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn show_user(token: AdminToken, id: web::Path<String>) -> Result<Json<UserBody>, AuthError> {
    let admin = token.enter().await?;
    Ok(Json(super::named(&admin, &id).await?.into()))
}
