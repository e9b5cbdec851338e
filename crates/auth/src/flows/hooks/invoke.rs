//! Calls hooks and reads their answers.

use crate::config::{Hook, HookTarget};
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, HookError};
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::outside::hooks::{call_function, call_server};
use crate::state::State;
use chrono::{DateTime, Utc};
use gateway::events::Event;
use pg::pool::Transaction;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::time::Instant;
use uuid::Uuid;

/// The names of hooks in `metadata.name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookName {
    CustomizeAccessToken,
    SendEmail,
    SendSms,
    MfaVerification,
    PasswordVerification,
    BeforeUserCreated,
    AfterUserCreated,
}

impl HookName {
    fn as_str(self) -> &'static str {
        match self {
            HookName::CustomizeAccessToken => "customize-access-token",
            HookName::SendEmail => "send-email",
            HookName::SendSms => "send-sms",
            HookName::MfaVerification => "mfa-verification",
            HookName::PasswordVerification => "password-verification",
            HookName::BeforeUserCreated => "before-user-created",
            HookName::AfterUserCreated => "after-user-created",
        }
    }
}

/// The transaction in which a function hook runs.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// The caller's transaction: the effects of the function are committed or rolled back with it.
    In(&'a Transaction<'a>),
    /// A transaction of its own. The caller must hold no connection, or it could wait for itself.
    Own,
}

/// Checks that a caller that holds a connection may call the hook now.
///
/// # Errors
/// [`AuthError::TooBusy`].
pub(crate) fn has_room(state: &State, hook: Option<&Hook>) -> Result<(), AuthError> {
    match hook.map(|hook| &hook.target) {
        Some(HookTarget::Http(_)) => state.holding.try_acquire().map(drop).ok_or(AuthError::TooBusy),
        Some(HookTarget::Function { .. }) | None => Ok(()),
    }
}

/// The metadata that every hook gets.
pub(super) fn metadata(name: HookName, requester: &Requester, now: DateTime<Utc>) -> Value {
    json!({
        "uuid": Uuid::new_v4(),
        "time": timestamp::format(&now),
        "name": name.as_str(),
        "ip_address": requester.ip.to_string(),
    })
}

/// Calls a hook with `input` and returns the object it answers. An empty answer is an empty object.
///
/// # Errors
/// [`AuthError::Hook`], and a fault with the database's own error if a function failed.
pub(super) async fn invoke(
    state: &State,
    place: Place<'_>,
    name: HookName,
    hook: &Hook,
    input: &impl Serialize,
) -> Result<Map<String, Value>, AuthError> {
    let started = Instant::now();
    let outcome = answer(state, place, hook, input).await;
    let failure = outcome.as_ref().err().map(|error| match error.fault() {
        Some(fault) => fault.detail().to_owned(),
        // Log the code only: the hook's own message may quote the user.
        None => error.code().to_owned(),
    });
    state.events.emit(Event::Hook { name: name.as_str(), duration: started.elapsed(), failure: failure.as_deref() });
    outcome
}

pub(super) async fn answer(
    state: &State,
    place: Place<'_>,
    hook: &Hook,
    input: &impl Serialize,
) -> Result<Map<String, Value>, AuthError> {
    let failed = || AuthError::Hook(HookError::Failed("Error marshaling JSON input.".to_owned()));
    let body = serde_json::to_string(input).map_err(|_| failed())?;
    let said = match &hook.target {
        HookTarget::Http(url) => {
            let _held = match place {
                Place::In(_) => Some(state.holding.try_acquire().ok_or(AuthError::TooBusy)?),
                Place::Own => None,
            };
            call_server(&state.hooks, hook, url, &body, state.clock.now()).await.map_err(AuthError::Hook)?
        }
        HookTarget::Function { schema, name } => {
            let called = match place {
                Place::In(db) => call_function(db, schema, name, &body).await,
                Place::Own => {
                    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
                    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
                    let called = call_function(&db, schema, name, &body).await;
                    if called.is_ok() {
                        db.commit().await.or_fault(UNEXPECTED)?;
                    }
                    called
                }
            };
            called.or_fault(format!("Error running hook URI: {}", hook.uri))?.map(String::into_bytes)
        }
    };
    said.map_or(Ok(Map::new()), |said| read(&said)).map_err(AuthError::Hook)
}

/// Reads a hook's answer: an error or its output.
pub(super) fn read(said: &[u8]) -> Result<Map<String, Value>, HookError> {
    let unreadable = || HookError::Failed("Error unmarshaling JSON output.".to_owned());
    let output: Value = serde_json::from_slice(said).map_err(|_| unreadable())?;
    if let Some(refusal) = refusal(&output["error"]) {
        return Err(refusal);
    }
    match output {
        Value::Object(output) => Ok(output),
        Value::Null => Ok(Map::new()),
        _ => Err(unreadable()),
    }
}

/// `{"http_code": …, "message": …}`; an error without a message counts as none.
pub(super) fn refusal(error: &Value) -> Option<HookError> {
    let message = error["message"].as_str().filter(|message| !message.is_empty())?;
    let status = match &error["http_code"] {
        Value::Null => 500,
        // An invalid status would make our response invalid.
        code => code
            .as_i64()
            .and_then(|code| u16::try_from(code).ok())
            .filter(|code| (200..600).contains(code))
            .unwrap_or(500),
    };
    Some(HookError::Refused(status, message.to_owned()))
}

/// An optional text field of an output.
pub(super) fn text(output: &Map<String, Value>, name: &str) -> Result<String, AuthError> {
    match output.get(name) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(AuthError::Hook(HookError::Failed("Error unmarshaling JSON output.".to_owned()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_refuse_with_words_or_not_at_all() {
        let refused = |status, text: &str| Err(HookError::Refused(status, text.to_owned()));
        let unreadable = || Err(HookError::Failed("Error unmarshaling JSON output.".to_owned()));
        for (said, outcome) in [
            ("{}", Ok(0)),
            ("null", Ok(0)),
            (r#"{"decision":"continue"}"#, Ok(1)),
            (r#"{"error":{"http_code":403,"message":"no"}}"#, refused(403, "no")),
            (r#"{"error":{"message":"no"}}"#, refused(500, "no")),
            (r#"{"error":{"http_code":0,"message":"no"}}"#, refused(500, "no")),
            (r#"{"error":{"http_code":9999,"message":"no"}}"#, refused(500, "no")),
            (r#"{"error":{"http_code":500}}"#, Ok(1)),
            (r#"{"error":"no"}"#, Ok(1)),
            ("[]", unreadable()),
            ("", unreadable()),
            ("{", unreadable()),
        ] {
            assert_eq!(read(said.as_bytes()).map(|output| output.len()), outcome, "{said}");
        }
    }
}
