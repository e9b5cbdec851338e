//! Changing a user's e-mail address or phone number: the request and its confirmation.
//!
//! Source: supabase/auth, `internal/api/user.go` and `verify.go`.

use chrono::{DateTime, Utc};
use pg::OnConstraint;
use pg::pool::Transaction;
use serde_json::{Value, json};

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::notifications;
use crate::flows::one_time_tokens::{self, Dispatch, Occasion, Return};
use crate::model::account::{Metadata, User};
use crate::model::email_kind::EmailKind;
use crate::outside::mail::Email;
use crate::outside::sms::Channel;
use crate::state::State;
use crate::store::{flow_state, identities, one_time_tokens as tokens, users};

/// Requests the confirmation of a new address. Under autoconfirm an anonymous user gets the address at once, because
/// that is a sign-up; everyone else confirms it.
///
/// # Errors
/// Those of [`one_time_tokens::request_email_change`], and [`AuthError::EmailExists`].
pub(crate) async fn request_email(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    email: &str,
    back: Return<'_>,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    if user.is_anonymous && state.config.mailer.autoconfirm {
        user.email_change = email.to_owned();
        return confirm_email(state, db, user, now).await;
    }
    if let Some(challenge) = back.challenge {
        flow_state::insert(db, user.id, "email_change", "email_change", challenge, now).await.or_fault(UNEXPECTED)?;
    }
    one_time_tokens::request_email_change(state, db, user, email, back, now).await
}

/// Makes the verified address in `email_change` the user's address.
///
/// # Errors
/// [`AuthError::EmailExists`] if another user has taken it meanwhile.
pub(crate) async fn confirm_email(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    const FAILED: &str = "Error confirm email";
    let (old, new) = (user.email.clone(), user.email_change.clone());
    audit::record(state, db, user, Action::UserModified, Value::Null).await?;
    let proven = Metadata::from_iter([
        ("email".to_owned(), json!(new)),
        ("email_verified".to_owned(), json!(true)),
        ("phone_verified".to_owned(), json!(false)),
        ("sub".to_owned(), json!(user.id)),
    ]);
    identities::upsert_own(db, user.id, "email", &proven, now).await.or_fault(FAILED)?;
    if user.email_confirmed_at.is_none() {
        user.user_metadata.insert("email_verified".to_owned(), json!(true));
    }
    user.updated_at = now;
    users::change_email(db, user, &new)
        .await
        .on_constraint("users_email_partial_key", || AuthError::EmailExists)?
        .or_fault(FAILED)?;
    tokens::clear(db, user.id).await.or_fault(FAILED)?;
    reload(db, user).await?;
    let with_fields = |mail: Email| mail.with("OldEmail", &old);
    Ok(notifications::about(state, [(EmailKind::EmailChanged, old.as_str())], user, with_fields))
}

/// Changes the number at once under autoconfirm, else requests its confirmation.
///
/// # Errors
/// Those of [`one_time_tokens::request_phone_code`], and [`AuthError::PhoneExists`].
pub(crate) async fn request_phone(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    phone: &str,
    channel: Channel,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    if state.config.sms.autoconfirm {
        user.phone_change = phone.to_owned();
        return confirm_phone(state, db, user, now).await;
    }
    let due = one_time_tokens::request_phone_code(state, db, user, phone, Occasion::PhoneChange, channel, now).await?;
    Ok(Dispatch::Message(due))
}

/// Makes the verified number in `phone_change` the user's number.
///
/// # Errors
/// [`AuthError::PhoneExists`] if another user has taken it meanwhile.
pub(crate) async fn confirm_phone(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    const FAILED: &str = "Error confirming user";
    let (old, new) = (user.phone.clone(), user.phone_change.clone());
    audit::record(state, db, user, Action::UserModified, Value::Null).await?;
    let proven = Metadata::from_iter([
        ("email_verified".to_owned(), json!(false)),
        ("phone".to_owned(), json!(new)),
        ("phone_verified".to_owned(), json!(true)),
        ("sub".to_owned(), json!(user.id)),
    ]);
    let had_identity = user.identities.iter().any(|identity| identity.provider == "phone");
    identities::upsert_own(db, user.id, "phone", &proven, now).await.or_fault(FAILED)?;
    users::change_phone(db, user.id, &new, now)
        .await
        .on_constraint("users_phone_key", || AuthError::PhoneExists)?
        .or_fault(FAILED)?;
    tokens::clear_all(db, user.id).await.or_fault(FAILED)?;
    reload(db, user).await?;
    let email = user.email.as_str();
    let changed = (!old.is_empty()).then_some((EmailKind::PhoneChanged, email));
    let linked = (!had_identity).then_some((EmailKind::IdentityLinked, email));
    let with_fields = |mail: Email| mail.with("Phone", &new).with("OldPhone", &old).with("Provider", "phone");
    Ok(notifications::about(state, changed.into_iter().chain(linked), user, with_fields))
}

async fn reload(db: &Transaction<'_>, user: &mut User) -> Result<(), AuthError> {
    const FAILED: &str = "Error refetching identities";
    let loaded = users::by_id(db, user.id).await.or_fault(FAILED)?;
    *user = loaded.ok_or_else(|| AuthError::internal(FAILED, "the row is gone"))?;
    Ok(())
}
