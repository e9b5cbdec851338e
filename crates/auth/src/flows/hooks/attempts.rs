//! Hooks that see each attempt with a password or a second factor.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{HookName, Place, invoke, metadata, text};
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, HookError};
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::state::State;
use crate::store::sessions;

/// Calls the hook after a password attempt, right or wrong. The caller must hold no connection.
///
/// # Errors
/// [`HookError::Rejected`], after which the user's sessions have ended if the hook asked for that. Failures of the hook.
pub(crate) async fn check_password_attempt(
    state: &State,
    requester: &Requester,
    user_id: Uuid,
    valid: bool,
) -> Result<(), AuthError> {
    const USUAL: &str = "Further password verification attempts will be rejected.";
    let Some(hook) = &state.config.hooks.password_verification_attempt else { return Ok(()) };
    let name = HookName::PasswordVerification;
    let metadata = metadata(name, requester, timestamp::now(&state.clock));
    let input = json!({ "metadata": metadata, "user_id": user_id, "valid": valid });
    let output = invoke(state, Place::Own, name, hook, &input).await?;
    let Some(message) = rejection(&output, USUAL)? else { return Ok(()) };
    let logs_out = match output.get("should_logout_user") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(logs_out)) => *logs_out,
        Some(_) => return Err(AuthError::Hook(HookError::Failed("Error unmarshaling JSON output.".to_owned()))),
    };
    if logs_out {
        log_out(state, user_id).await?;
    }
    Err(AuthError::Hook(HookError::Rejected(message)))
}

/// Calls the hook after an attempt with a second factor, right or wrong. The caller must hold no connection.
///
/// # Errors
/// [`HookError::MfaRejected`], after ending the user's sessions. Failures of the hook.
pub(crate) async fn check_mfa_attempt(
    state: &State,
    requester: &Requester,
    user_id: Uuid,
    (factor_id, factor_type): (Uuid, &str),
    valid: bool,
) -> Result<(), AuthError> {
    const USUAL: &str = "Further MFA verification attempts will be rejected.";
    let Some(hook) = &state.config.hooks.mfa_verification_attempt else { return Ok(()) };
    let name = HookName::MfaVerification;
    let metadata = metadata(name, requester, timestamp::now(&state.clock));
    let input = json!({
        "metadata": metadata,
        "user_id": user_id,
        "factor_id": factor_id,
        "factor_type": factor_type,
        "valid": valid,
    });
    let output = invoke(state, Place::Own, name, hook, &input).await?;
    let Some(message) = rejection(&output, USUAL)? else { return Ok(()) };
    log_out(state, user_id).await?;
    Err(AuthError::Hook(HookError::MfaRejected(message)))
}

/// The message of a rejection. Any decision other than exactly `reject` is no rejection.
fn rejection(output: &Map<String, Value>, usual: &str) -> Result<Option<String>, AuthError> {
    let (decision, message) = (text(output, "decision")?, text(output, "message")?);
    if decision != "reject" {
        return Ok(None);
    }
    Ok(Some(if message.is_empty() { usual.to_owned() } else { message }))
}

async fn log_out(state: &State, user_id: Uuid) -> Result<(), AuthError> {
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    sessions::delete_of_user(&db, user_id).await.or_fault(UNEXPECTED)
}
