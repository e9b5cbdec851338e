//! `POST /passkeys/registration/verify`
//!
//! Source: supabase/auth, `internal/api/passkey_registration.go`.

use actix_web::web::{self, Json};
use serde_json::json;
use uuid::Uuid;

use crate::error::fault::OrFault;
use crate::error::{AuthError, PasskeyError};
use crate::flows::audit::{self, Action};
use crate::flows::first_party::FirstParty;
use crate::flows::mfa;
use crate::flows::passkeys::{self, Answer, PasskeyBody, PasskeyRegistrationVerifyParams};
use crate::model::passkey::Passkey;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::protocol::body::Body;
use crate::protocol::webauthn;
use crate::state::State;
use crate::store::webauthn_challenges::Purpose;
use crate::store::{users, webauthn_credentials};

/// Stores a passkey that the authenticator has created.
#[utoipa::path(post, path = "/passkeys/registration/verify", tag = "passkeys", security(("user" = [])),
    request_body = PasskeyRegistrationVerifyParams, responses((status = 200, body = PasskeyBody), (status = 400), (status = 401),
        (status = 403), (status = 404), (status = 413), (status = 422)))]
pub(crate) async fn registration_verify(
    who: FirstParty,
    state: web::Data<State>,
    requester: Requester,
    body: Body,
) -> Result<Json<PasskeyBody>, AuthError> {
    const FAILED: &str = "Database error creating passkey";
    passkeys::check_enabled(&state)?;
    let holder = mfa::holder(&state, &who).await?;
    passkeys::check_may_register(&holder)?;
    let user = &holder.user;
    let answer = Answer::try_from(body.parse::<PasskeyRegistrationVerifyParams>()?)?;
    let now = timestamp::now(&state.clock);
    let data = answer.take_challenge(&state, Some(user.id), Purpose::Registration, now).await?;
    let credential = passkeys::relying_party(&state)?.register(&data, user.id, &answer.credential)?;
    let friendly_name = webauthn::of_authenticator(credential.aaguid);

    let mut connection = state.pool.get().await.or_fault(FAILED)?;
    let db = connection.transaction().await.or_fault(FAILED)?;
    // Lock, so that two parallel registrations cannot both take the last free slot.
    users::lock(&db, user.id).await.or_fault(FAILED)?;
    let existing = webauthn_credentials::of_user(&db, user.id).await.or_fault(FAILED)?;
    if existing.len() >= state.config.passkey.max_per_user {
        return Err(PasskeyError::TooMany.into());
    }
    let id = Uuid::new_v4();
    let is_new = webauthn_credentials::insert(&db, id, user.id, &credential, friendly_name, now).await;
    if !is_new.or_fault(FAILED)? {
        return Err(PasskeyError::AlreadyRegistered.into());
    }
    let traits = json!({ "passkey_id": id });
    audit::record_from(&state, &db, Some(requester.ip), user, Action::PasskeyCreated, traits).await?;
    db.commit().await.or_fault(FAILED)?;
    let passkey =
        Passkey { id, friendly_name: friendly_name.to_owned(), created_at: now, last_used_at: None, credential };
    Ok(Json(passkey.into()))
}
