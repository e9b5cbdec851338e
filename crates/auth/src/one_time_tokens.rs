//! Codes that prove an address once: made, hashed, stored and compared.
//!
//! Codes are stored and hashed as GoTrue does it, so that a code of either is good at both. Nothing sends them yet: mail
//! is an issue of its own, and until then every code that should have left is an event in the log.

use chrono::{DateTime, Utc};
use gateway::events::Event;
use pg::pool::Query;
use rand::Rng;
use sha2::{Digest, Sha224};

use crate::State;
use crate::account::User;
use crate::config::MailerConfig;
use crate::error::AuthError;
use crate::fault::OrFault;
use crate::pkce::Challenge;
use crate::sessions::after;
use crate::store::one_time_tokens::{self, Kind};
use crate::store::users;

/// A code of decimal digits.
fn new_code(digits: usize) -> String {
    let mut random = rand::rng();
    (0..digits).map(|_| char::from(b'0' + random.random_range(0..10))).collect()
}

/// What is stored of a code: SHA-224 over the address it went to and the code, in hexadecimal.
fn hash(address: &str, code: &str) -> String {
    let digest = Sha224::new().chain_update(address).chain_update(code).finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash as it is stored: one of a PKCE flow is marked.
fn marked(hash: String, challenge: Option<&Challenge>) -> String {
    if challenge.is_some() { format!("pkce_{hash}") } else { hash }
}

/// Makes the code by which a new user confirms their address, and stores it.
///
/// # Errors
/// [`AuthError::TooSoonForEmail`], [`AuthError::AddressNotAuthorized`].
pub(crate) async fn request_confirmation(
    state: &State,
    db: &impl Query,
    user: &mut User,
    challenge: Option<&Challenge>,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    not_too_soon(&state.config.mailer, user.confirmation_sent_at, now)?;
    authorized(state, &user.email)?;
    let code = new_code(state.config.mailer.otp_length);
    let token = marked(hash(&user.email, &code), challenge);
    let failed = "Error sending confirmation email";
    users::set_confirmation_token(db, user.id, &token, now).await.or_fault(failed)?;
    one_time_tokens::replace(db, user.id, Kind::Confirmation, &token, &user.email, now).await.or_fault(failed)?;
    not_sent(state, "confirmation", user);
    user.confirmation_sent_at = Some(now);
    user.updated_at = now;
    Ok(())
}

/// Makes the codes by which a user takes a new address: one for it, and, if so configured, one for the address so far.
///
/// # Errors
/// [`AuthError::TooSoonForEmail`], [`AuthError::AddressNotAuthorized`].
pub(crate) async fn request_email_change(
    state: &State,
    db: &impl Query,
    user: &mut User,
    email: &str,
    challenge: Option<&Challenge>,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    let mailer = &state.config.mailer;
    not_too_soon(mailer, user.email_change_sent_at, now)?;
    authorized(state, email)?;
    let confirm_both = mailer.secure_email_change_enabled && !user.email.is_empty();
    if confirm_both {
        authorized(state, &user.email)?;
    }
    let new = marked(hash(email, &new_code(mailer.otp_length)), challenge);
    let current =
        if confirm_both { marked(hash(&user.email, &new_code(mailer.otp_length)), challenge) } else { String::new() };
    let failed = "Error sending email change email";
    users::request_email_change(db, user.id, email, &new, &current, now).await.or_fault(failed)?;
    if confirm_both {
        one_time_tokens::replace(db, user.id, Kind::EmailChangeCurrent, &current, &user.email, now)
            .await
            .or_fault(failed)?;
    }
    one_time_tokens::replace(db, user.id, Kind::EmailChangeNew, &new, email, now).await.or_fault(failed)?;
    not_sent(state, "email_change", user);
    user.email_change = email.to_owned();
    user.email_change_sent_at = Some(now);
    user.updated_at = now;
    Ok(())
}

/// Checks the nonce that was sent for a change of password, and uses it up.
///
/// # Errors
/// [`AuthError::NonceInvalid`], [`AuthError::NonceImpossible`].
pub(crate) async fn check_reauthentication(
    state: &State,
    db: &impl Query,
    user: &User,
    nonce: &str,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    let Some(sent_at) = user.reauthentication_sent_at.filter(|_| !user.reauthentication_token.is_empty()) else {
        return Err(AuthError::NonceInvalid);
    };
    let (address, seconds) = match (user.email.as_str(), user.phone.as_str()) {
        ("", "") => return Err(AuthError::NonceImpossible),
        ("", phone) => (phone, state.config.sms.otp_exp),
        (email, _) => (email, state.config.mailer.otp_exp),
    };
    let lifetime = std::time::Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    if hash(address, nonce) != user.reauthentication_token || now > after(sent_at, lifetime) {
        return Err(AuthError::NonceInvalid);
    }
    let failed = "Error during reauthentication";
    users::confirm_reauthentication(db, user.id, now).await.or_fault(failed)?;
    one_time_tokens::clear(db, user.id).await.or_fault(failed)
}

fn not_too_soon(mailer: &MailerConfig, last: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Result<(), AuthError> {
    let Some(allowed) = last.map(|last| after(last, mailer.max_frequency)) else { return Ok(()) };
    if allowed > now { Err(AuthError::TooSoonForEmail((allowed - now).num_seconds())) } else { Ok(()) }
}

/// Whether mail may go to an address; a label after a plus sign does not count.
fn authorized(state: &State, email: &str) -> Result<(), AuthError> {
    let allowed = &state.config.external.authorized_addresses;
    let plain = match (email.find('+'), email.find('@')) {
        (Some(plus), Some(at)) if plus + 1 < at => format!("{}{}", &email[..plus], &email[at..]),
        _ => email.to_owned(),
    };
    if allowed.is_empty() || email.is_empty() || allowed.iter().any(|one| one.eq_ignore_ascii_case(&plain)) {
        return Ok(());
    }
    Err(AuthError::AddressNotAuthorized(format!("{email:?}")))
}

fn not_sent(state: &State, kind: &'static str, user: &User) {
    state.events.emit(Event::MessageNotSent { kind, user_id: &user.id.to_string() });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash was printed by GoTrue's `crypto.GenerateTokenHash`.
    #[test]
    fn hashes_are_gotrues() {
        assert_eq!(hash("a@x.test", "123456"), "3491418e4b5675fa174c079c88ea62f03823c03f91917c385c12a12a");
        let code = new_code(6);
        assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
    }
}
