//! A client asks for a user's consent: a row of `auth.oauth_authorizations`.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::model::pkce::Challenge;

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Pending,
    /// There is a code to be traded.
    Approved,
    Denied,
    /// Nobody decided in time; or, where there is a code, that has been traded.
    Expired,
}

/// A request that is kept.
#[derive(Clone, Debug)]
pub(crate) struct Authorization {
    /// Of the row, and later of the session that the code begins.
    pub(crate) id: Uuid,
    /// What the consent page knows it by.
    pub(crate) authorization_id: String,
    pub(crate) client_id: Uuid,
    /// The first who opened it.
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

/// A request in good form.
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
    /// As the database's enum writes it.
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
