//! `GET /user`
//!
//! DEVIATION (safer): an OAuth client sees only what its scopes `email`, `phone` and `profile` allow; GoTrue shows it
//! everything.

use actix_web::web::{self, Json};
use gateway::Authenticated;

use crate::error::AuthError;
use crate::flows::sessions::current_of_any;
use crate::model::account::UserBody;
use crate::model::requester::Requester;
use crate::state::State;

/// The user of the token, read from the database.
#[utoipa::path(get, path = "/user", tag = "user", security(("user" = [])),
    responses((status = 200, body = UserBody), (status = 400), (status = 401), (status = 403)))]
pub(crate) async fn get(
    who: Authenticated,
    state: web::Data<State>,
    requester: Requester,
) -> Result<Json<UserBody>, AuthError> {
    let current = current_of_any(&state, &who).await?;
    if current.token_audience() != Some(current.audience(&state, &requester)) {
        return Err(AuthError::WrongAudience);
    }
    Ok(Json(current.visible_user().into()))
}
