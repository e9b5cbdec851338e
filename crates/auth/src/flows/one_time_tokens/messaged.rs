//! Codes sent to a phone.
//!
//! Source: supabase/auth, `internal/api/phone.go`.
//!
//! DEVIATION (behaviour): a code for a phone number is stored before it is sent, and removed if the provider refuses
//! it; GoTrue keeps its transaction open while it waits for the provider.

use chrono::{DateTime, Utc};
use gateway::events::Event;
use pg::pool::{Query, Transaction};
use serde_json::json;
use uuid::Uuid;

use super::new_code;
use crate::config::SmsConfig;
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::{hooks, limits};
use crate::model::account::{User, UserBody};
use crate::model::requester::Requester;
use crate::model::timestamp::after;
use crate::outside::sms::Channel;
use crate::state::State;
use crate::store::one_time_tokens::{self, Kind};
use crate::store::users::{self, Slot};

/// The message id for test numbers, which get no message.
const TEST_MESSAGE: &str = "test-otp";

/// The purpose of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    Confirmation,
    PhoneChange,
    Reauthentication,
}

/// A message that is still to be sent.
pub(crate) struct Due {
    user: Uuid,
    phone: String,
    occasion: Occasion,
    channel: Channel,
    /// `None` for a test number, which gets no message.
    code: Option<String>,
    /// The hash of the code, as stored.
    token: String,
    /// The user as the send-SMS hook sees them, if there is such a hook.
    hooked: Option<Box<UserBody>>,
}

impl Due {
    /// True if the hook sends this message.
    pub(super) fn is_hooked(&self) -> bool {
        self.code.is_some() && self.hooked.is_some()
    }

    /// The message id if nothing is sent.
    pub(super) fn test_message(&self) -> Option<&'static str> {
        self.code.is_none().then_some(TEST_MESSAGE)
    }
}

impl Occasion {
    fn name(self) -> &'static str {
        match self {
            Occasion::Confirmation => "confirmation",
            Occasion::PhoneChange => "phone_change",
            Occasion::Reauthentication => "reauthentication",
        }
    }

    fn last_sent(self, user: &User) -> Option<DateTime<Utc>> {
        match self {
            Occasion::Confirmation => user.confirmation_sent_at,
            Occasion::PhoneChange => user.phone_change_sent_at,
            Occasion::Reauthentication => user.reauthentication_sent_at,
        }
    }
}

/// The fixed code of a test number.
pub(crate) fn test_code<'a>(sms: &'a SmsConfig, phone: &str, now: DateTime<Utc>) -> Option<&'a str> {
    let valid = sms.test_otps_valid_until.is_none_or(|until| now < until);
    sms.test_otps.get(phone).filter(|_| valid).map(|code| code.reveal().as_str())
}

/// Creates a code for `phone` and stores it.
///
/// # Errors
/// [`AuthError::TooSoonForSms`], [`AuthError::TooManySms`]; a fault if no provider is configured.
pub(crate) async fn request_phone_code(
    state: &State,
    db: &impl Query,
    user: &mut User,
    phone: &str,
    occasion: Occasion,
    channel: Channel,
    now: DateTime<Utc>,
) -> Result<Due, AuthError> {
    const FAILED: &str = "error creating one time token";
    let sms = &state.config.sms;
    if let Some(allowed) = occasion.last_sent(user).map(|last| after(last, sms.max_frequency))
        && allowed >= now
    {
        return Err(AuthError::TooSoonForSms((allowed - now).num_seconds()));
    }
    let (code, is_sent) = match test_code(sms, phone, now) {
        Some(code) => (code.to_owned(), false),
        None => {
            limits::sms(state, now)?;
            if state.sms.is_none() && state.config.hooks.send_sms.is_none() {
                return Err(no_provider());
            }
            (new_code(sms.otp_length), true)
        }
    };
    let hooked = (is_sent && state.config.hooks.send_sms.is_some()).then(|| {
        let mut body = UserBody::from(user.clone());
        if occasion == Occasion::PhoneChange {
            phone.clone_into(&mut body.new_phone);
        }
        Box::new(body)
    });
    let token = state.codes.token(phone, &code, None);
    let kind = match occasion {
        Occasion::Confirmation => {
            users::set_token(db, user.id, Slot::Confirmation, &token, now).await.or_fault(UNEXPECTED)?;
            user.confirmation_sent_at = Some(now);
            Kind::Confirmation
        }
        Occasion::PhoneChange => {
            users::set_phone_change_token(db, user.id, phone, &token, now).await.or_fault(UNEXPECTED)?;
            user.phone_change = phone.to_owned();
            user.phone_change_sent_at = Some(now);
            Kind::PhoneChange
        }
        Occasion::Reauthentication => {
            users::set_token(db, user.id, Slot::Reauthentication, &token, now).await.or_fault(UNEXPECTED)?;
            user.reauthentication_sent_at = Some(now);
            Kind::Reauthentication
        }
    };
    one_time_tokens::replace(db, user.id, kind, &token, phone, now).await.or_fault(FAILED)?;
    user.updated_at = now;
    let code = is_sent.then_some(code);
    Ok(Due { user: user.id, phone: phone.to_owned(), occasion, channel, code, token, hooked })
}

/// Calls the send-SMS hook, if there is one.
///
/// # Errors
/// The hook's refusal.
pub(super) async fn hand_over(
    state: &State,
    db: &Transaction<'_>,
    requester: &Requester,
    due: Due,
) -> Result<Due, AuthError> {
    if let (Some(code), Some(user)) = (&due.code, &due.hooked) {
        let sms = hooks::Sms { otp: code.clone(), sms_type: "", phone: due.phone.clone() };
        hooks::send_sms(state, Some(db), requester, user, &sms).await?;
    }
    Ok(due)
}

/// Sends the message.
///
/// # Errors
/// [`AuthError::SmsSendFailed`].
pub(super) async fn send(state: &State, due: Due) -> Result<Option<&'static str>, AuthError> {
    let Some(code) = &due.code else { return Ok(Some(TEST_MESSAGE)) };
    if due.hooked.is_some() {
        return Ok(None);
    }
    let Some(provider) = &state.sms else { return Err(no_provider()) };
    let (kind, user_id) = (due.occasion.name(), due.user.to_string());
    let text = state.config.sms.template.text(&json!({ "Code": code })).unwrap_or_else(|_| code.clone());
    match provider.send(&due.phone, &text, due.channel, code).await {
        Ok(()) => {
            state.events.emit(Event::MessageSent { kind, user_id: &user_id });
            Ok(None)
        }
        Err(error) => {
            state.events.emit(Event::MessageNotSent { kind, user_id: &user_id, reason: error.kind() });
            let db = state.pool.get().await.or_fault(UNEXPECTED)?;
            users::forget_phone_code(&db, due.user, &due.token).await.or_fault(UNEXPECTED)?;
            one_time_tokens::delete(&db, due.user, &due.token).await.or_fault(UNEXPECTED)?;
            Err(AuthError::SmsSendFailed(format!("{kind} OTP to provider: {error}")))
        }
    }
}

/// GoTrue's error if no SMS provider is configured.
#[track_caller]
fn no_provider() -> AuthError {
    AuthError::internal("Unable to get SMS provider", "no provider of messages is configured, or it lacks credentials")
}
