//! Codes sent to a phone as a second factor.
//!
//! DEVIATION (behaviour): the code of a phone factor is stored before it is sent, and removed if the provider or the
//! hook refuses it; GoTrue sends it first, so two parallel requests send two codes.

use chrono::{DateTime, Utc};
use gateway::events::Event;
use serde_json::json;
use subtle::ConstantTimeEq;

use super::{Holder, challenged};
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::hooks::{self, Sms};
use crate::flows::one_time_tokens::new_code;
use crate::model::account::Factor;
use crate::model::factor::{Challenge, Pending};
use crate::model::requester::Requester;
use crate::model::timestamp::after;
use crate::outside::sms::Channel;
use crate::state::State;
use crate::store::{mfa_challenges, mfa_factors};

/// The name of these messages in the log.
const KIND: &str = "mfa";
const NO_PROVIDER: &str = "Failed to get SMS provider";

/// Sends a code to the number of a factor.
///
/// # Errors
/// [`AuthError::TooSoonForSms`]; a fault if no provider is configured or it refuses the message.
pub(crate) async fn challenge(
    state: &State,
    holder: &Holder,
    factor: &Factor,
    channel: Channel,
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<Challenge, AuthError> {
    let config = &state.config.mfa.phone;
    if let Some(allowed) = factor.last_challenged_at.map(|last| after(last, config.max_frequency))
        && allowed >= now
    {
        return Err(AuthError::TooSoonForSms((allowed - now).num_seconds()));
    }
    let is_hooked = state.config.hooks.send_sms.is_some();
    if state.sms.is_none() && !is_hooked {
        return Err(AuthError::internal(NO_PROVIDER, "no provider of messages is configured, or it lacks credentials"));
    }
    let code = new_code(config.otp_length);
    let text = config.template.text(&json!({ "Code": code }));
    let text = text.map_err(|error| AuthError::internal("error generating sms template", error))?;
    let mut challenge = Challenge::new(factor, requester.ip, now);
    challenge.otp_code = Some(state.config.encryption.seal(challenge.id, &code));

    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    if !mfa_factors::touch(&db, factor.id, factor.last_challenged_at, now).await.or_fault(UNEXPECTED)? {
        // Another request asked for a code at the same moment.
        return Err(AuthError::TooSoonForSms((after(now, config.max_frequency) - now).num_seconds()));
    }
    challenged(state, &db, &holder.user, factor, &challenge).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    let sent = match &state.sms {
        _ if is_hooked => {
            let sms = Sms { otp: code, sms_type: KIND, phone: factor.phone.clone() };
            let sent = hooks::send_sms(state, None, requester, &holder.user.clone().into(), &sms).await;
            sent.map_err(|error| AuthError::internal("error invoking hook", error))
        }
        Some(provider) => send(state, provider, holder, factor, (&text, channel, &code)).await,
        None => Ok(()),
    };
    if let Err(error) = sent {
        take_back(state, factor, &challenge).await?;
        return Err(error);
    }
    Ok(challenge)
}

/// Removes a challenge whose code was not sent, so that the next one need not wait.
async fn take_back(state: &State, factor: &Factor, challenge: &Challenge) -> Result<(), AuthError> {
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    mfa_challenges::delete(&db, challenge.id).await.or_fault(UNEXPECTED)?;
    let (at, before) = (challenge.created_at, factor.last_challenged_at);
    mfa_factors::untouch(&db, factor.id, at, before).await.or_fault(UNEXPECTED)
}

/// Sends the message through the provider.
async fn send(
    state: &State,
    provider: &crate::outside::sms::Sms,
    holder: &Holder,
    factor: &Factor,
    (text, channel, code): (&str, Channel, &str),
) -> Result<(), AuthError> {
    let user_id = holder.user.id.to_string();
    if let Err(error) = provider.send(&factor.phone, text, channel, code).await {
        state.events.emit(Event::MessageNotSent { kind: KIND, user_id: &user_id, reason: error.kind() });
        return Err(AuthError::internal("error sending message", error.kind()));
    }
    state.events.emit(Event::MessageSent { kind: KIND, user_id: &user_id });
    Ok(())
}

/// Compares a code with the one sent. If the provider made the code, it also checks it.
///
/// # Errors
/// With such a provider [`AuthError::OtpWrong`]; a fault if the stored code cannot be read.
pub(crate) async fn is_right(state: &State, factor: &Factor, pending: &Pending, code: &str) -> Result<bool, AuthError> {
    match &state.sms {
        Some(provider) if provider.keeps_codes() => {
            return provider.check(&factor.phone, code).await.map(|()| true).map_err(|_| AuthError::OtpWrong);
        }
        _ => {}
    }
    let stored = pending.otp_code.as_deref().unwrap_or_default();
    let opened = state.config.encryption.open(pending.id, stored);
    let opened = opened.map_err(|error| AuthError::internal("Database error verifying MFA TOTP secret", error))?;
    let sent = opened.value.reveal();
    Ok(!sent.is_empty() && bool::from(sent.as_bytes().ct_eq(code.as_bytes())))
}
