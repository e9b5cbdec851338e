//! Passkeys: rows of `auth.webauthn_credentials`.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::protocol::webauthn::Credential;

/// A row of `auth.webauthn_credentials`.
#[derive(Clone, Debug)]
pub(crate) struct Passkey {
    pub(crate) id: Uuid,
    pub(crate) friendly_name: String,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) last_used_at: Option<DateTime<Utc>>,
    pub(crate) credential: Credential,
}
