//! A code or a link comes back: whose it is, whether it is still good, and what it confirms.
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

/// What a code is shown for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Signup,
    Invite,
    Recovery,
    MagicLink,
    EmailChange,
    /// Whatever was mailed last: a confirmation or a link to sign in.
    Email,
    Sms,
    PhoneChange,
}

/// How somebody proves something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The hash that a link carries.
    Hash(String),
    /// The code, and the address it was mailed to.
    Mailed { email: String, code: String },
    /// The code, and the number it went to.
    Messaged { phone: String, code: String },
}

/// What it came to.
pub(crate) enum Verified {
    /// The user may be signed in; the letters are sent after the commit.
    User(Box<User>, Dispatch),
    /// The other of two addresses has to confirm, too.
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

/// Checks a proof and does what it is good for. The user is kept for this transaction: a code works once, also when it
/// comes twice at once.
///
/// # Errors
/// [`AuthError::LinkWrong`] or [`AuthError::OtpWrong`] when nothing good was shown, [`AuthError::Banned`],
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
