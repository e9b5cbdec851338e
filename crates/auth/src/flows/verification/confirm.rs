//! The effects of a valid code.

use chrono::{DateTime, Utc};
use pg::pool::Transaction;
use serde_json::{Value, json};

use super::find::changed_tokens;
use super::{Proof, Verified};
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::address_change;
use crate::flows::audit::{self, Action};
use crate::flows::one_time_tokens::{Dispatch, is_same};
use crate::model::account::User;
use crate::state::State;
use crate::store::{identities, one_time_tokens, users};

/// A new user confirmed the address or accepted an invitation.
///
/// DEVIATION (behaviour): users who sign up by code or invitation have no password until they set one; GoTrue stores
/// the hash of a random one, and clears `confirmation_sent_at` as after any new password.
pub(super) async fn address(
    state: &State,
    db: &Transaction<'_>,
    mut user: User,
    now: DateTime<Utc>,
) -> Result<Verified, AuthError> {
    audit::record(state, db, &user, Action::UserSignedUp, json!({ "provider": "email" })).await?;
    confirm_email(db, &mut user, now).await?;
    let failed = "Error setting email_verified to true on identity";
    identities::verify_email(db, user.id, &user.email).await.or_fault(failed)?;
    signed_in(db, user, Dispatch::Emails(Vec::new()), now).await
}

/// Signs in by magic link or recovery code; confirms the address if it was not confirmed yet.
pub(super) async fn holder(
    state: &State,
    db: &Transaction<'_>,
    mut user: User,
    now: DateTime<Utc>,
) -> Result<Verified, AuthError> {
    const FAILED: &str = "Database error updating user";
    users::recovered(db, user.id, now).await.or_fault(FAILED)?;
    one_time_tokens::clear(db, user.id).await.or_fault(FAILED)?;
    if user.email_confirmed_at.is_none() {
        audit::record(state, db, &user, Action::UserSignedUp, json!({ "provider": "email" })).await?;
        confirm_email(db, &mut user, now).await?;
    } else {
        audit::record(state, db, &user, Action::Login, Value::Null).await?;
    }
    signed_in(db, user, Dispatch::Emails(Vec::new()), now).await
}

/// One of the two addresses confirmed a change, or the only one needed.
///
/// DEVIATION (safer): if changes must be confirmed from both addresses, that also holds under autoconfirm; GoTrue then
/// accepts one.
pub(super) async fn email_change(
    state: &State,
    db: &Transaction<'_>,
    mut user: User,
    proof: &Proof,
    now: DateTime<Utc>,
) -> Result<Verified, AuthError> {
    const FAILED: &str = "Error confirm email";
    let both = state.config.mailer.secure_email_change_enabled && !user.email.is_empty();
    if both && user.email_change_confirm_status == 0 {
        let digits = state.config.mailer.otp_length;
        let tokens = [user.email_change_token_current.as_str(), user.email_change_token_new.as_str()];
        let used = match proof {
            Proof::Hash(hash) => tokens.into_iter().find(|stored| is_same(hash, stored)),
            Proof::Mailed { email, code } => {
                changed_tokens(&user, email).find(|stored| state.codes.fits(email, code, digits, stored))
            }
            Proof::Messaged { .. } => None,
        };
        let used = used.ok_or(AuthError::OtpWrong)?;
        users::half_confirm_email_change(db, user.id, used, now).await.or_fault(FAILED)?;
        one_time_tokens::delete(db, user.id, used).await.or_fault(FAILED)?;
        return Ok(Verified::HalfWay);
    }
    let dispatch = address_change::confirm_email(state, db, &mut user, now).await?;
    signed_in(db, user, dispatch, now).await
}

/// Confirms a phone number.
pub(super) async fn phone(
    state: &State,
    db: &Transaction<'_>,
    mut user: User,
    now: DateTime<Utc>,
) -> Result<Verified, AuthError> {
    audit::record(state, db, &user, Action::UserSignedUp, json!({ "provider": "phone" })).await?;
    let failed = "Error confirming user";
    user.phone_confirmed_at = Some(now);
    user.updated_at = now;
    user.confirmed_at = users::confirm_phone(db, &user).await.or_fault(failed)?;
    one_time_tokens::clear(db, user.id).await.or_fault(failed)?;
    signed_in(db, user, Dispatch::Emails(Vec::new()), now).await
}

/// Confirms a new phone number.
pub(super) async fn phone_change(
    state: &State,
    db: &Transaction<'_>,
    mut user: User,
    now: DateTime<Utc>,
) -> Result<Verified, AuthError> {
    let dispatch = address_change::confirm_phone(state, db, &mut user, now).await?;
    signed_in(db, user, dispatch, now).await
}

async fn confirm_email(db: &Transaction<'_>, user: &mut User, now: DateTime<Utc>) -> Result<(), AuthError> {
    const FAILED: &str = "Error confirming user";
    user.email_confirmed_at = Some(now);
    user.updated_at = now;
    user.user_metadata.insert("email_verified".to_owned(), json!(true));
    user.confirmed_at = users::confirm_email(db, user).await.or_fault(FAILED)?;
    one_time_tokens::clear(db, user.id).await.or_fault(FAILED)
}

/// Updates the list of providers and reads the user back.
async fn signed_in(
    db: &Transaction<'_>,
    user: User,
    dispatch: Dispatch,
    now: DateTime<Utc>,
) -> Result<Verified, AuthError> {
    let loaded = users::by_id(db, user.id).await.or_fault(UNEXPECTED)?;
    let mut user = loaded.ok_or_else(|| AuthError::internal(UNEXPECTED, "the row is gone"))?;
    let mut providers: Vec<&str> = Vec::new();
    for identity in &user.identities {
        if !providers.contains(&identity.provider.as_str()) {
            providers.push(&identity.provider);
        }
    }
    let mut metadata = user.app_metadata.clone();
    metadata.insert("providers".to_owned(), json!(providers));
    if let Some(first) = providers.first() {
        metadata.insert("provider".to_owned(), json!(first));
    }
    if metadata != user.app_metadata {
        user.app_metadata = metadata;
        user.updated_at = now;
        users::set_metadata(db, &user).await.or_fault(UNEXPECTED)?;
    }
    Ok(Verified::User(Box::new(user), dispatch))
}
