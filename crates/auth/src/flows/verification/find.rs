//! Finds the user of a code and checks that the code is valid.

use chrono::{DateTime, Utc};
use pg::pool::Transaction;

use super::{Proof, Purpose};
use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::flows::one_time_tokens::{self, is_fresh, is_same};
use crate::model::account::User;
use crate::state::State;
use crate::store::one_time_tokens::Kind;
use crate::store::users;

const FAILED: &str = "Database error finding user";

/// By the hash in a link.
pub(super) async fn by_hash(
    state: &State,
    db: &Transaction<'_>,
    purpose: Option<Purpose>,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<(User, Purpose), AuthError> {
    let kinds: &[Kind] = match purpose {
        Some(Purpose::Email) => &[Kind::Confirmation, Kind::Recovery],
        Some(Purpose::Signup | Purpose::Invite) => &[Kind::Confirmation],
        Some(Purpose::Recovery | Purpose::MagicLink) => &[Kind::Recovery],
        Some(Purpose::EmailChange) => &[Kind::EmailChangeCurrent, Kind::EmailChangeNew],
        Some(Purpose::Sms | Purpose::PhoneChange) | None => return Err(AuthError::VerifyTypeInvalid),
    };
    if !state.codes.is_keyed(hash) {
        return Err(AuthError::LinkWrong);
    }
    let found = users::by_one_time_token(db, &[hash.to_owned()], kinds).await;
    let user = found.or_fault("Database error finding user from email link")?.ok_or(AuthError::LinkWrong)?;
    if user.is_banned(now) {
        return Err(AuthError::Banned);
    }
    let (purpose, sent_at) = match purpose {
        Some(Purpose::Email) if is_same(hash, &user.recovery_token) => (Purpose::MagicLink, user.recovery_sent_at),
        Some(Purpose::Email) => (Purpose::Signup, user.confirmation_sent_at),
        Some(purpose @ (Purpose::Recovery | Purpose::MagicLink)) => (purpose, user.recovery_sent_at),
        Some(Purpose::EmailChange) => (Purpose::EmailChange, user.email_change_sent_at),
        Some(purpose) => (purpose, user.confirmation_sent_at),
        None => return Err(AuthError::VerifyTypeInvalid),
    };
    if is_fresh(sent_at, state.config.mailer.otp_exp, now) { Ok((user, purpose)) } else { Err(AuthError::LinkWrong) }
}

/// By the code and its address. The code is checked once without a lock, and again under a lock so that nobody else can
/// use it.
pub(super) async fn by_code(
    state: &State,
    db: &Transaction<'_>,
    purpose: Option<Purpose>,
    proof: &Proof,
    audience: &str,
    now: DateTime<Utc>,
) -> Result<(User, Purpose), AuthError> {
    let user = owner(state, db, purpose, proof, audience).await?.ok_or(AuthError::OtpWrong)?;
    if user.is_banned(now) {
        return Err(AuthError::Banned);
    }
    let purpose = purpose.ok_or(AuthError::OtpWrong)?;
    let id = user.id;
    check(state, &user, purpose, proof, now).await?;
    if proof_is_kept_elsewhere(state, proof, now) {
        return Ok((user, purpose));
    }
    users::lock(db, id).await.or_fault(FAILED)?;
    let user = users::by_id(db, id).await.or_fault(FAILED)?.ok_or(AuthError::OtpWrong)?;
    let purpose = check(state, &user, purpose, proof, now).await?;
    Ok((user, purpose))
}

async fn owner(
    state: &State,
    db: &Transaction<'_>,
    purpose: Option<Purpose>,
    proof: &Proof,
    audience: &str,
) -> Result<Option<User>, AuthError> {
    let (email, phone, code) = match proof {
        Proof::Mailed { email, code } => (email.as_str(), "", code),
        Proof::Messaged { phone, code } => ("", phone.as_str(), code),
        Proof::Hash(_) => return Ok(None),
    };
    match purpose {
        Some(Purpose::PhoneChange) => users::by_phone_change(db, phone, audience).await,
        Some(Purpose::Sms) => users::by_phone(db, phone, audience).await,
        Some(Purpose::EmailChange) => {
            let hashes = state.codes.forms(email, code, state.config.mailer.otp_length);
            let kinds: &[Kind] = match state.config.mailer.secure_email_change_enabled {
                true => &[Kind::EmailChangeCurrent, Kind::EmailChangeNew],
                false => &[Kind::EmailChangeNew],
            };
            let found = users::by_one_time_token(db, &hashes, kinds).await;
            found.map(|user| user.filter(|user| user.aud == audience && changed_tokens(user, email).next().is_some()))
        }
        _ => users::by_email(db, email, audience).await,
    }
    .or_fault(FAILED)
}

/// Checks that the code was sent to the user and has not expired; returns its actual purpose.
async fn check(
    state: &State,
    user: &User,
    purpose: Purpose,
    proof: &Proof,
    now: DateTime<Utc>,
) -> Result<Purpose, AuthError> {
    let (address, code) = match proof {
        Proof::Mailed { email, code } => (email, code),
        Proof::Messaged { phone, code } => (phone, code),
        Proof::Hash(_) => return Err(AuthError::OtpWrong),
    };
    let mail = state.config.mailer.otp_exp;
    let digits = state.config.mailer.otp_length;
    let good = |stored: &str, sent_at, seconds| {
        state.codes.fits(address, code, digits, stored) && is_fresh(sent_at, seconds, now)
    };
    let confirms = || good(&user.confirmation_token, user.confirmation_sent_at, mail);
    let recovers = || good(&user.recovery_token, user.recovery_sent_at, mail);
    let found = match purpose {
        Purpose::Email if confirms() => Some(Purpose::Signup),
        Purpose::Email if recovers() => Some(Purpose::MagicLink),
        Purpose::Email => None,
        Purpose::Signup | Purpose::Invite => confirms().then_some(purpose),
        Purpose::Recovery | Purpose::MagicLink => recovers().then_some(purpose),
        Purpose::EmailChange => {
            let sent_at = user.email_change_sent_at;
            changed_tokens(user, address).any(|stored| good(stored, sent_at, mail)).then_some(purpose)
        }
        Purpose::Sms | Purpose::PhoneChange => {
            return check_message(state, user, purpose, address, code, now).await.map(|()| purpose);
        }
    };
    found.ok_or(AuthError::OtpWrong)
}

/// The tokens of an address change that were sent to `address`. The user is found by the hash of the code, and GoTrue's
/// hash does not show where the address ends. Comparing the address prevents an attacker from moving that boundary, so
/// that each guess would count for another address.
pub(super) fn changed_tokens<'a>(user: &'a User, address: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    let current = (user.email == address).then_some(user.email_change_token_current.as_str());
    let new = (user.email_change == address).then_some(user.email_change_token_new.as_str());
    current.into_iter().chain(new)
}

async fn check_message(
    state: &State,
    user: &User,
    purpose: Purpose,
    phone: &str,
    code: &str,
    now: DateTime<Utc>,
) -> Result<(), AuthError> {
    if one_time_tokens::test_code(&state.config.sms, phone, now).is_some_and(|right| right == code) {
        return Ok(());
    }
    let (stored, sent_at) = match purpose {
        Purpose::PhoneChange => (&user.phone_change_token, user.phone_change_sent_at),
        _ => (&user.confirmation_token, user.confirmation_sent_at),
    };
    if let Some(provider) = state.sms.as_ref().filter(|provider| provider.keeps_codes()) {
        return provider.check(phone, code).await.map_err(|_| AuthError::OtpWrong);
    }
    let good = state.codes.fits(phone, code, state.config.sms.otp_length, stored)
        && is_fresh(sent_at, state.config.sms.otp_exp, now);
    if good { Ok(()) } else { Err(AuthError::OtpWrong) }
}

/// True if the code is not compared in the database: a test code, or one that the provider keeps and accepts once.
fn proof_is_kept_elsewhere(state: &State, proof: &Proof, now: DateTime<Utc>) -> bool {
    let Proof::Messaged { phone, .. } = proof else { return false };
    one_time_tokens::test_code(&state.config.sms, phone, now).is_some()
        || state.sms.as_ref().is_some_and(|provider| provider.keeps_codes())
}
