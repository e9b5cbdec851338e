//! `GET /admin/users/{user_id}`

use actix_web::web::{self, Json};

use crate::error::AuthError;
use crate::flows::administrator::Administrator;
use crate::model::account::UserBody;
use crate::state::State;

/// A user.
#[utoipa::path(get, path = "/admin/users/{user_id}", tag = "admin", security(("admin" = [])),
    params(("user_id" = uuid::Uuid, Path)),
    responses((status = 200, body = UserBody), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn show_user(
    who: Administrator,
    state: web::Data<State>,
    id: web::Path<String>,
) -> Result<Json<UserBody>, AuthError> {
    who.enter(&state).await?;
    Ok(Json(super::named(&state, &id).await?.into()))
}
