//! Authorization requests of OAuth clients: rows of `auth.oauth_authorizations`.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::model::pkce::Challenge;

/// The state of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Pending,
    /// A code exists and can be exchanged.
    Approved,
    Denied,
    /// Nobody decided in time, or the code has been exchanged.
    Expired,
}

/// A stored authorization request.
#[derive(Clone, Debug)]
pub(crate) struct Authorization {
    /// The id of the row, and later of the session that the code starts.
    pub(crate) id: Uuid,
    /// The id in the consent page's URL.
    pub(crate) authorization_id: String,
    pub(crate) client_id: Uuid,
    /// The first user who opened it.
    pub(crate) user_id: Option<Uuid>,
    pub(crate) redirect_uri: String,
    pub(crate) scope: String,
    pub(crate) state: Option<String>,
    pub(crate) resource: Option<String>,
    pub(crate) challenge: String,
    pub(crate) challenge_method: String,
    pub(crate) nonce: Option<String>,
    pub(crate) status: Status,
    pub(crate) expires_at: DateTime<Utc>,
}

/// A validated request.
#[derive(Clone, Debug)]
pub(crate) struct NewAuthorization {
    pub(crate) authorization_id: String,
    pub(crate) client_id: Uuid,
    pub(crate) redirect_uri: String,
    pub(crate) scope: String,
    pub(crate) state: Option<String>,
    pub(crate) resource: Option<String>,
    pub(crate) nonce: Option<String>,
    pub(crate) challenge: Challenge,
    pub(crate) expires_at: DateTime<Utc>,
}

impl Status {
    /// The value of the database's enum.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::Approved => "approved",
            Status::Denied => "denied",
            Status::Expired => "expired",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [Status::Pending, Status::Approved, Status::Denied, Status::Expired];
        all.into_iter().find(|status| status.as_str() == name)
    }
}

impl Authorization {
    pub(crate) fn has_expired(&self, now: DateTime<Utc>) -> bool {
        now > self.expires_at
    }
}
