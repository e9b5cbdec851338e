//! Sessions: what a sign-in leaves behind, how long it lasts, and how its tokens are traded.

mod claim_types;
mod current;
mod issue;
mod method;
mod refresh;
mod reuse;
pub(crate) mod strengthen;
mod validity;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

pub(crate) use current::{Current, check_token, current, current_of_any};
pub(crate) use issue::{SignIn, issue};
pub(crate) use method::AuthenticationMethod;
pub(crate) use refresh::refresh;
pub(crate) use validity::after;

/// A row of `auth.sessions` with its authentication methods.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) id: Uuid,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) not_after: Option<DateTime<Utc>>,
    pub(crate) aal: Option<String>,
    pub(crate) refreshed_at: Option<DateTime<Utc>>,
    pub(crate) tag: Option<String>,
    pub(crate) oauth_client_id: Option<Uuid>,
    pub(crate) scopes: Option<String>,
    /// Newest first.
    pub(crate) proofs: Vec<Proof>,
}

/// How, and when last, the user of a session proved who they are: a row of `auth.mfa_amr_claims`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Proof {
    pub(crate) method: String,
    pub(crate) at: DateTime<Utc>,
}

/// How sure we are of a user: `aal1` by one factor, `aal2` by two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aal {
    One,
    Two,
}

impl Aal {
    /// As it stands in tokens.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Aal::One => "aal1",
            Aal::Two => "aal2",
        }
    }

    /// What the methods add up to.
    pub(crate) fn of(proofs: &[Proof]) -> Self {
        let second = |proof: &Proof| matches!(proof.method.as_str(), "totp" | "mfa/phone" | "mfa/webauthn");
        if proofs.iter().any(second) { Aal::Two } else { Aal::One }
    }
}

impl Session {
    /// What the row says; it is raised when a second factor was verified.
    pub(crate) fn level(&self) -> Aal {
        if matches!(self.aal.as_deref(), Some("aal2" | "aal3")) { Aal::Two } else { Aal::One }
    }

    /// Whether the user got in by a mailed code, as after a forgotten password.
    pub(crate) fn is_recovery(&self) -> bool {
        self.proofs.iter().any(|proof| matches!(proof.method.as_str(), "otp" | "magiclink" | "recovery"))
    }
}
