//! The nonce for a password change.
//!
//! Source: supabase/auth, `internal/api/reauthenticate.go`.

use chrono::{DateTime, Utc};

use super::is_fresh;
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::limits::{self, Subject};
use crate::model::account::User;
use crate::model::client::Client;
use crate::state::State;
use crate::store::{one_time_tokens, users};

/// Checks the nonce that was sent for a password change, and uses it up.
///
/// # Errors
/// [`AuthError::NonceInvalid`], [`AuthError::NonceImpossible`], [`AuthError::TooManyRequests`]; [`AuthError::OtpWrong`]
/// if the provider keeps the codes.
pub(crate) async fn check_reauthentication(
    state: &State,
    user: &User,
    nonce: &str,
    client: Client,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    const FAILED: &str = "Error during reauthentication";
    let stored = user.reauthentication_token.as_str();
    if stored.is_empty() || user.reauthentication_sent_at.is_none() {
        return Err(AuthError::NonceInvalid);
    }
    let (address, digits, seconds) = match (user.email.as_str(), user.phone.as_str()) {
        ("", "") => return Err(AuthError::NonceImpossible),
        ("", phone) => (phone, state.config.sms.otp_length, state.config.sms.otp_exp),
        (email, _) => (email, state.config.mailer.otp_length, state.config.mailer.otp_exp),
    };
    let guess = limits::guess(state, &Subject::nonce(&state.config, user), client)?;
    match state.sms.as_ref().filter(|provider| user.email.is_empty() && provider.keeps_codes()) {
        Some(provider) => provider.check(address, nonce).await.map_err(|_| AuthError::OtpWrong)?,
        None => {
            let fits = state.codes.fits(address, nonce, digits, stored);
            if !fits || !is_fresh(user.reauthentication_sent_at, seconds, now) {
                return Err(AuthError::NonceInvalid);
            }
        }
    }
    guess.was_right(state);
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    users::confirm_reauthentication(&db, user.id, now).await.or_fault(FAILED)?;
    one_time_tokens::clear(&db, user.id).await.or_fault(FAILED)
}
