//! Sessions, their authentication methods, and their authenticator assurance level.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use crate::model::authentication_method::AuthenticationMethod;

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

/// An authentication method of a session, and when it was last used: a row of `auth.mfa_amr_claims`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Proof {
    pub(crate) method: String,
    pub(crate) at: DateTime<Utc>,
}

/// The authenticator assurance level: `aal1` with one factor, `aal2` with two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aal {
    One,
    Two,
}

impl Aal {
    /// The name in tokens.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Aal::One => "aal1",
            Aal::Two => "aal2",
        }
    }

    /// The level that the methods amount to.
    pub(crate) fn of(proofs: &[Proof]) -> Self {
        let second = |proof: &Proof| matches!(proof.method.as_str(), "totp" | "mfa/phone" | "mfa/webauthn");
        if proofs.iter().any(second) { Aal::Two } else { Aal::One }
    }
}

impl Session {
    /// The level in the row; raised when a second factor is verified.
    pub(crate) fn level(&self) -> Aal {
        if matches!(self.aal.as_deref(), Some("aal2" | "aal3")) { Aal::Two } else { Aal::One }
    }

    /// True if the user signed in by a mailed code, as after a forgotten password.
    pub(crate) fn is_recovery(&self) -> bool {
        self.proofs.iter().any(|proof| matches!(proof.method.as_str(), "otp" | "magiclink" | "recovery"))
    }
}

/// The properties of a new session. Most sign-ins set only the method.
#[derive(Clone, Debug)]
pub(crate) struct SignIn {
    /// The session's id.
    pub(crate) id: Uuid,
    pub(crate) method: AuthenticationMethod,
    /// The latest end of the session, if an identity provider sets one.
    pub(crate) not_after: Option<DateTime<Utc>>,
    /// The client of our OAuth server, if the session belongs to one.
    pub(crate) oauth_client_id: Option<Uuid>,
    /// That client's scopes, separated by spaces.
    pub(crate) scopes: Option<String>,
    /// The second factor of the sign-in.
    pub(crate) factor_id: Option<Uuid>,
}

impl From<AuthenticationMethod> for SignIn {
    fn from(method: AuthenticationMethod) -> Self {
        SignIn { id: Uuid::new_v4(), method, not_after: None, oauth_client_id: None, scopes: None, factor_id: None }
    }
}
