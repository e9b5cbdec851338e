//! `GET /oauth/userinfo` (OpenID Connect Core 1.0, section 5.3)

use actix_web::web::{self, Json};
use gateway::Authenticated;
use serde_json::{Map, Value};

use crate::error::AuthError;
use crate::flows::oauth_server::{WhileOn, user_info};
use crate::flows::sessions::current_of_any;
use crate::model::scopes::Scopes;
use crate::state::State;

/// The user of the token, limited by the session's scopes; without scopes only the id.
#[utoipa::path(get, path = "/oauth/userinfo", tag = "oauth", security(("user" = [])),
    responses((status = 200, description = "Claims by scope", body = Object), (status = 400), (status = 401),
        (status = 403), (status = 404)))]
pub(crate) async fn userinfo(
    who: WhileOn<Authenticated>,
    state: web::Data<State>,
) -> Result<Json<Map<String, Value>>, AuthError> {
    let current = current_of_any(&state, &who.0).await?;
    let scopes = current.session.and_then(|session| session.scopes).unwrap_or_default();
    Ok(Json(user_info(&current.user, Scopes(&scopes))))
}
