//! `POST /passkeys/authentication/verify`
//!
//! Source: supabase/auth, `internal/api/passkey_authentication.go`.

use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use gateway::Anyone;
use serde_json::json;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, PasskeyError};
use crate::flows::audit::{self, Action};
use crate::flows::passkeys::{self, Answer, PasskeyAuthenticationVerifyParams};
use crate::flows::sessions::issue;
use crate::flows::tokens::TokenBody;
use crate::model::account::User;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::model::trace::Trace;
use crate::protocol::body::Body;
use crate::protocol::webauthn::{self, Credential};
use crate::state::State;
use crate::store::webauthn_challenges::Purpose;
use crate::store::{users, webauthn_credentials};

/// Signs in the user of the passkey. A passkey is one factor, however strong: the session is `aal1`.
#[utoipa::path(post, path = "/passkeys/authentication/verify", tag = "passkeys", request_body = PasskeyAuthenticationVerifyParams,
    responses((status = 200, body = TokenBody), (status = 400), (status = 403), (status = 404), (status = 413)))]
pub(crate) async fn authentication_verify(
    _: Anyone,
    state: web::Data<State>,
    requester: Requester,
    trace: Trace,
    body: Body,
) -> Result<Json<TokenBody>, AuthError> {
    passkeys::check_enabled(&state)?;
    let answer = Answer::try_from(body.parse::<PasskeyAuthenticationVerifyParams>()?)?;
    let now = timestamp::now(&state.clock);
    let data = answer.take_challenge(&state, None, Purpose::Authentication, now).await?;
    let user_id = webauthn::user_of(&answer.credential)?;
    let party = passkeys::relying_party(&state)?;

    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let user = users::by_id(&connection, user_id).await.or_fault("Database error loading user")?;
    let user = user.ok_or(PasskeyError::CredentialRefused)?;
    let existing =
        webauthn_credentials::of_user(&connection, user.id).await.or_fault("Database error loading passkey")?;
    let (ids, credentials): (Vec<_>, Vec<Credential>) =
        existing.into_iter().map(|passkey| (passkey.id, passkey.credential)).unzip();
    let (index, shown) = party.assert(&data, user.id, &credentials, &answer.credential)?;
    check(&user, now)?;

    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    webauthn_credentials::used(&db, ids[index], shown, now).await.or_fault(UNEXPECTED)?;
    let traits = json!({ "passkey_id": ids[index] });
    audit::record_from(&state, &db, Some(requester.ip), &user, Action::Login, traits).await?;
    let issued = issue(&state, &db, user, AuthenticationMethod::Passkey, &requester, &trace).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    Ok(Json(issued.complete(&state, &requester).await?))
}

/// Checks that the user may sign in.
fn check(user: &User, now: DateTime<Utc>) -> Result<(), AuthError> {
    if !user.email.is_empty() && user.email_confirmed_at.is_none() {
        return Err(PasskeyError::EmailNotConfirmed.into());
    }
    if !user.phone.is_empty() && user.phone_confirmed_at.is_none() {
        return Err(PasskeyError::PhoneNotConfirmed.into());
    }
    if user.is_banned(now) { Err(AuthError::Banned) } else { Ok(()) }
}
