//! `PATCH /passkeys/{passkey_id}`

use actix_web::web::{self, Json, Path};
use serde_json::json;
use utoipa::ToSchema;

use crate::error::fault::OrFault;
use crate::error::{AuthError, PasskeyError};
use crate::flows::audit::{self, Action};
use crate::flows::first_party::FirstParty;
use crate::flows::passkeys::{self, PasskeyBody};
use crate::flows::sessions::current;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::protocol::body::{Body, params};
use crate::state::State;
use crate::store::webauthn_credentials;

/// Maximum length of a name, in bytes.
const MAX_NAME: usize = 120;

/// The passkey's new name.
#[derive(Default, ToSchema)]
pub(crate) struct PasskeyUpdateParams {
    friendly_name: String,
}
params!(PasskeyUpdateParams as "PasskeyUpdateParams" { friendly_name: Text });

/// Renames a passkey.
#[utoipa::path(patch, path = "/passkeys/{passkey_id}", tag = "passkeys", security(("user" = [])),
    params(("passkey_id" = String, Path)), request_body = PasskeyUpdateParams,
    responses((status = 200, body = PasskeyBody), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413)))]
pub(crate) async fn rename(
    who: FirstParty,
    state: web::Data<State>,
    path: Path<String>,
    requester: Requester,
    body: Body,
) -> Result<Json<PasskeyBody>, AuthError> {
    const FAILED: &str = "Database error updating passkey";
    passkeys::check_enabled(&state)?;
    let user = current(&state, &who).await?.user;
    let id = passkeys::id(&path)?;
    let PasskeyUpdateParams { friendly_name } = body.parse()?;
    if friendly_name.is_empty() {
        return Err(PasskeyError::NameRequired.into());
    }
    if friendly_name.len() > MAX_NAME {
        return Err(PasskeyError::NameTooLong.into());
    }
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(FAILED)?;
    let db = connection.transaction().await.or_fault(FAILED)?;
    let renamed = webauthn_credentials::rename(&db, id, user.id, &friendly_name, now).await.or_fault(FAILED)?;
    let passkey = renamed.ok_or(PasskeyError::NotFound)?;
    let traits = json!({ "passkey_id": id });
    audit::record_from(&state, &db, Some(requester.ip), &user, Action::PasskeyUpdated, traits).await?;
    db.commit().await.or_fault(FAILED)?;
    Ok(Json(passkey.into()))
}
