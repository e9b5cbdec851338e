//! `GET /reauthenticate`
//!
//! Source: supabase/auth, `internal/api/reauthenticate.go`.

use actix_web::HttpResponse;
use actix_web::web;
use serde_json::{Value, json};

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::first_party::FirstParty;
use crate::flows::limits::{self, Subject};
use crate::flows::one_time_tokens::{self, Dispatch, Occasion};
use crate::flows::sessions::current;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::outside::sms::Channel;
use crate::state::State;

/// Sends the user of the token a code. A password change may require it as a nonce.
#[utoipa::path(get, path = "/reauthenticate", tag = "one-time codes", security(("user" = [])),
    responses((status = 200, description = "`{}`"), (status = 400), (status = 401), (status = 403), (status = 422),
        (status = 429)))]
pub(crate) async fn reauthenticate(
    who: FirstParty,
    state: web::Data<State>,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    let mut user = current(&state, &who).await?.user;
    match (user.email.as_str(), user.phone.as_str()) {
        ("", "") => return Err(AuthError::ReauthenticationAddress),
        ("", _) if user.phone_confirmed_at.is_none() => return Err(AuthError::ReauthenticationPhone),
        (email, _) if !email.is_empty() && user.email_confirmed_at.is_none() => {
            return Err(AuthError::ReauthenticationEmail);
        }
        _ => {}
    }
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    audit::record(&state, &db, &user, Action::UserReauthenticateRequested, Value::Null).await?;
    let dispatch = if user.email.is_empty() {
        let (phone, occasion) = (user.phone.clone(), Occasion::Reauthentication);
        let due =
            one_time_tokens::request_phone_code(&state, &db, &mut user, &phone, occasion, Channel::Sms, now).await?;
        Dispatch::Message(due)
    } else {
        one_time_tokens::request_nonce(&state, &db, &user, now).await?
    };
    let ready = dispatch.hand_over(&state, &db, &requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    let message = ready.send(&state).await?;
    limits::code_requested(&state, &Subject::nonce(&state.config, &user), requester.client, now);
    Ok(HttpResponse::Ok().json(message.map_or(json!({}), |id| json!({ "message_id": id }))))
}
