//! `auth.audit_log_entries`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde_json::Value;
use tokio_postgres::types::Json;

pub(crate) async fn insert(db: &impl Query, payload: Value, ip: &str, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("audit_log_entries/insert.sql"), &[&Json(payload), &now, &ip]).await.map(drop)
}
