//! A user takes another e-mail address or phone number.

use chrono::{DateTime, Utc};
use pg::OnConstraint;
use pg::pool::Transaction;
use serde_json::{Value, json};

use crate::State;
use crate::account::{Metadata, User};
use crate::audit::{self, Action};
use crate::error::AuthError;
use crate::fault::{OrFault, UNEXPECTED};
use crate::one_time_tokens;
use crate::pkce::Challenge;
use crate::store::one_time_tokens as tokens;
use crate::store::{flow_state, identities, users};

/// Asks for the confirmation of a new address. Only an anonymous user gets it at once, under autoconfirm: that is like
/// signing up.
///
/// # Errors
/// Those of [`one_time_tokens::request_email_change`].
pub(crate) async fn email(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    email: &str,
    challenge: Option<&Challenge>,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    if !(user.is_anonymous && state.config.mailer.autoconfirm) {
        if let Some(challenge) = challenge {
            flow_state::insert(db, user.id, "email_change", "email_change", challenge, now)
                .await
                .or_fault(UNEXPECTED)?;
        }
        return one_time_tokens::request_email_change(state, db, user, email, challenge, now).await;
    }
    const FAILED: &str = "Error confirm email";
    audit::record(state, db, user, Action::UserModified, Value::Null).await?;
    let proven = Metadata::from_iter([
        ("email".to_owned(), json!(email)),
        ("email_verified".to_owned(), json!(true)),
        ("phone_verified".to_owned(), json!(false)),
        ("sub".to_owned(), json!(user.id)),
    ]);
    identities::upsert_own(db, user.id, "email", &proven, now).await.or_fault(FAILED)?;
    user.user_metadata.insert("email_verified".to_owned(), json!(true));
    user.updated_at = now;
    users::change_email(db, user, email)
        .await
        .on_constraint("users_email_partial_key", || AuthError::EmailExists)?
        .or_fault(FAILED)?;
    tokens::clear(db, user.id).await.or_fault(FAILED)?;
    reload(db, user).await
}

/// Takes a new number at once, under autoconfirm.
///
/// # Errors
/// [`no_sms`] without autoconfirm.
pub(crate) async fn phone(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    phone: &str,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    const FAILED: &str = "Error confirming user";
    if !state.config.sms.autoconfirm {
        return Err(no_sms());
    }
    audit::record(state, db, user, Action::UserModified, Value::Null).await?;
    let proven = Metadata::from_iter([
        ("email_verified".to_owned(), json!(false)),
        ("phone".to_owned(), json!(phone)),
        ("phone_verified".to_owned(), json!(true)),
        ("sub".to_owned(), json!(user.id)),
    ]);
    identities::upsert_own(db, user.id, "phone", &proven, now).await.or_fault(FAILED)?;
    users::change_phone(db, user.id, phone, now)
        .await
        .on_constraint("users_phone_key", || AuthError::PhoneExists)?
        .or_fault(FAILED)?;
    tokens::clear(db, user.id).await.or_fault(FAILED)?;
    reload(db, user).await
}

/// What GoTrue answers when no provider of messages is configured; this version has none to configure.
#[track_caller]
pub(crate) fn no_sms() -> AuthError {
    AuthError::internal("Unable to get SMS provider", "this version cannot send messages to phones")
}

async fn reload(db: &Transaction<'_>, user: &mut User) -> Result<(), AuthError> {
    const FAILED: &str = "Error refetching identities";
    let loaded = users::by_id(db, user.id).await.or_fault(FAILED)?;
    *user = loaded.ok_or_else(|| AuthError::internal(FAILED, "the row is gone"))?;
    Ok(())
}
