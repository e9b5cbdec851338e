//! Hooks that send mails and SMS instead of us.

use pg::pool::Transaction;
use serde::Serialize;
use serde_json::json;

use super::{HookName, Place, invoke, metadata};
use crate::error::AuthError;
use crate::model::account::UserBody;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::state::State;

/// The data of a mail.
///
/// When two addresses confirm a change, the field names are GoTrue's historical ones: `token` and `token_hash_new`
/// belong to the current address, `token_new` and `token_hash` to the new one.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct EmailData {
    pub(crate) token: String,
    pub(crate) token_hash: String,
    pub(crate) redirect_to: String,
    /// `signup`, `recovery`, …, `password_changed_notification`.
    pub(crate) email_action_type: String,
    /// The public address of this service.
    pub(crate) site_url: String,
    pub(crate) token_new: String,
    pub(crate) token_hash_new: String,
    pub(crate) old_email: String,
    pub(crate) old_phone: String,
    pub(crate) provider: String,
    pub(crate) factor_type: String,
}

/// A message to a phone.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Sms {
    pub(crate) otp: String,
    /// `mfa`, or empty.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) sms_type: &'static str,
    pub(crate) phone: String,
}

/// Calls the send-email hook in the transaction. What a function hook writes is committed or rolled back with it.
///
/// # Errors
/// The hook's. Without a hook nothing happens.
pub(crate) async fn send_email(
    state: &State,
    db: &Transaction<'_>,
    requester: &Requester,
    user: &UserBody,
    data: &EmailData,
) -> Result<(), AuthError> {
    let Some(hook) = &state.config.hooks.send_email else { return Ok(()) };
    let name = HookName::SendEmail;
    let metadata = metadata(name, requester, timestamp::now(&state.clock));
    let input = json!({ "metadata": metadata, "user": user, "email_data": data });
    invoke(state, Place::In(db), name, hook, &input).await.map(drop)
}

/// Calls the send-SMS hook, in the transaction if there is one; otherwise the caller must hold no connection.
///
/// # Errors
/// The hook's. Without a hook nothing happens.
pub(crate) async fn send_sms(
    state: &State,
    db: Option<&Transaction<'_>>,
    requester: &Requester,
    user: &UserBody,
    sms: &Sms,
) -> Result<(), AuthError> {
    let Some(hook) = &state.config.hooks.send_sms else { return Ok(()) };
    let name = HookName::SendSms;
    let metadata = metadata(name, requester, timestamp::now(&state.clock));
    let input = json!({ "metadata": metadata, "user": user, "sms": sms });
    invoke(state, db.map_or(Place::Own, Place::In), name, hook, &input).await.map(drop)
}
