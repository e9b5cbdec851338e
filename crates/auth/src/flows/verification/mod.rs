//! Verifies codes and links: whose they are, whether they are still valid, and what they confirm.
//!
//! Source: supabase/auth, `internal/api/verify.go`.

mod confirm;
mod find;

use chrono::{DateTime, Utc};
use pg::pool::Transaction;

use crate::error::AuthError;
use crate::flows::one_time_tokens::Dispatch;
use crate::model::account::User;
use crate::state::State;

/// The `type` of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Signup,
    Invite,
    Recovery,
    MagicLink,
    EmailChange,
    /// Whichever was mailed: a confirmation or a magic link.
    Email,
    Sms,
    PhoneChange,
}

/// What the user presents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The hash in a link.
    Hash(String),
    /// The code, and the e-mail address it was sent to.
    Mailed { email: String, code: String },
    /// The code, and the phone number it was sent to.
    Messaged { phone: String, code: String },
}

/// The outcome.
pub(crate) enum Verified {
    /// The user can be signed in; the mails are sent after the commit.
    User(Box<User>, Dispatch),
    /// The other one of two addresses must confirm, too.
    HalfWay,
}

impl Purpose {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "signup" => Purpose::Signup,
            "invite" => Purpose::Invite,
            "recovery" => Purpose::Recovery,
            "magiclink" => Purpose::MagicLink,
            "email_change" => Purpose::EmailChange,
            "email" => Purpose::Email,
            "sms" => Purpose::Sms,
            "phone_change" => Purpose::PhoneChange,
            _ => return None,
        })
    }
}

/// Checks a proof and applies its effect. Locks the user for this transaction, so that a code works only once even in
/// parallel requests.
///
/// # Errors
/// [`AuthError::LinkWrong`] or [`AuthError::OtpWrong`] if the proof is not valid, [`AuthError::Banned`],
/// [`AuthError::VerifyTypeInvalid`], [`AuthError::VerifyTypeUnsupported`].
pub(crate) async fn verify(
    state: &State,
    db: &Transaction<'_>,
    purpose: Option<Purpose>,
    proof: &Proof,
    audience: &str,
    now: DateTime<Utc>,
) -> Result<Verified, AuthError> {
    let (user, purpose) = match proof {
        Proof::Hash(hash) => find::by_hash(state, db, purpose, hash, now).await?,
        _ => find::by_code(state, db, purpose, proof, audience, now).await?,
    };
    match purpose {
        Purpose::Signup | Purpose::Invite => confirm::address(state, db, user, now).await,
        Purpose::Recovery | Purpose::MagicLink | Purpose::Email => confirm::holder(state, db, user, now).await,
        Purpose::EmailChange => confirm::email_change(state, db, user, proof, now).await,
        Purpose::Sms => confirm::phone(state, db, user, now).await,
        Purpose::PhoneChange => confirm::phone_change(state, db, user, now).await,
    }
}
