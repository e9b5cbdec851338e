//! Second factors: apps that show codes, codes by message, security keys.
//!
//! A factor is enrolled, challenged and verified. The first verification makes it one that counts: from then on the user's
//! sessions without it are worth less (`aal1`), and what changes an account asks for one with it (`aal2`).
//!
//! Source: supabase/auth, `internal/api/mfa.go` and `internal/models/factor.go`.

mod challenge;
mod enroll;
mod error;
mod owned;
mod phone;
mod proof;
mod security_key;
mod totp;
mod unenroll;

use crate::State;
use crate::error::AuthError;
use crate::fault::{OrFault, UNEXPECTED};
use crate::one_time_tokens::Dispatch;
use crate::requester::Requester;
use crate::sessions::AuthenticationMethod;
use crate::wire;

pub(crate) use challenge::{Challenge, ChallengeBody, Pending, challenged, pending};
pub(crate) use enroll::{NewFactor, enroll};
pub(crate) use error::MfaError;
pub(crate) use owned::{Holder, factor_of, holder};
pub(crate) use phone::{challenge as challenge_phone, is_right as is_right_code};
pub(crate) use proof::{Answer, Proven, accept};
pub(crate) use security_key::{
    Response, challenge as challenge_security_key, member as webauthn_member, verify as verify_security_key,
};
pub(crate) use totp::{Totp, right_step as right_totp_step};
pub(crate) use unenroll::{remove, tell_of_removal};

/// The kinds of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Totp,
    Phone,
    WebAuthn,
}

impl Kind {
    /// By its name in requests and in the database.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Kind::Totp, Kind::Phone, Kind::WebAuthn].into_iter().find(|kind| kind.as_str() == name)
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Kind::Totp => "totp",
            Kind::Phone => "phone",
            Kind::WebAuthn => "webauthn",
        }
    }

    /// What a session has done that has proven such a factor.
    pub(crate) fn method(self) -> AuthenticationMethod {
        match self {
            Kind::Totp => AuthenticationMethod::Totp,
            Kind::Phone => AuthenticationMethod::MfaPhone,
            Kind::WebAuthn => AuthenticationMethod::MfaWebAuthn,
        }
    }
}

/// Sends letters about what is done. What goes wrong with them is logged, and undoes nothing.
async fn tell(state: &State, requester: &Requester, letters: Dispatch) {
    if let Err(error) = try_to_tell(state, requester, letters).await {
        wire::log(state, &error, &requester.request_id);
    }
}

async fn try_to_tell(state: &State, requester: &Requester, letters: Dispatch) -> Result<(), AuthError> {
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let ready = letters.hand_over(state, &db, requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    ready.send(state).await.map(drop)
}
