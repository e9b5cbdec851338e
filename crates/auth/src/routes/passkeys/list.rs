//! `GET /passkeys`

use actix_web::web::{self, Json};

use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::flows::first_party::FirstParty;
use crate::flows::passkeys::{self, PasskeyBody};
use crate::flows::sessions::current;
use crate::state::State;
use crate::store::webauthn_credentials;

/// The passkeys of the user of the token, oldest first.
#[utoipa::path(get, path = "/passkeys", tag = "passkeys", security(("user" = [])),
    responses((status = 200, body = Vec<PasskeyBody>), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn list(who: FirstParty, state: web::Data<State>) -> Result<Json<Vec<PasskeyBody>>, AuthError> {
    const FAILED: &str = "Database error loading passkeys";
    passkeys::check_enabled(&state)?;
    let user = current(&state, &who).await?.user;
    let db = state.pool.get().await.or_fault(FAILED)?;
    let passkeys = webauthn_credentials::of_user(&db, user.id).await.or_fault(FAILED)?;
    Ok(Json(passkeys.into_iter().map(PasskeyBody::from).collect()))
}
