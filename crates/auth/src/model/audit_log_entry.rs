//! A row of `auth.audit_log_entries`.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::model::timestamp;

/// An entry of the audit log.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditLogEntry {
    pub(crate) id: Uuid,
    /// `action`, `actor_id`, `actor_username`, `log_type`, `traits` …
    pub(crate) payload: Value,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) created_at: DateTime<Utc>,
    /// The client's address; mostly empty.
    pub(crate) ip_address: String,
}
