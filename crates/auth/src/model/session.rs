//! A session, how its user proved who they are, and how sure that makes us.

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

/// How a session begins. Most are told by their method alone.
#[derive(Clone, Debug)]
pub(crate) struct SignIn {
    /// The session's id.
    pub(crate) id: Uuid,
    pub(crate) method: AuthenticationMethod,
    /// When it ends at the latest, as an identity provider may say.
    pub(crate) not_after: Option<DateTime<Utc>>,
    /// The client of our own OAuth server that it is for.
    pub(crate) oauth_client_id: Option<Uuid>,
    /// What that client may do, separated by spaces.
    pub(crate) scopes: Option<String>,
    /// The second factor it began with.
    pub(crate) factor_id: Option<Uuid>,
}

impl From<AuthenticationMethod> for SignIn {
    fn from(method: AuthenticationMethod) -> Self {
        SignIn { id: Uuid::new_v4(), method, not_after: None, oauth_client_id: None, scopes: None, factor_id: None }
    }
}
