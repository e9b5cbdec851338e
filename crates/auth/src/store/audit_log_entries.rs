//! `auth.audit_log_entries`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde_json::Value;
use tokio_postgres::types::Json;

use super::unreadable;
use crate::model::audit_log_entry::AuditLogEntry;

pub(crate) async fn insert(db: &impl Query, payload: Value, ip: &str, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("audit_log_entries/insert.sql"), &[&Json(payload), &now, &ip]).await.map(drop)
}

/// The number of entries with `part` in the value of one of `keys`; all entries without a part.
pub(crate) async fn count(db: &impl Query, keys: &[&str], part: &str) -> Result<u64, Error> {
    let sql = include_str!("audit_log_entries/count.sql");
    let count: i64 = db.query_one(sql, &[&keys, &part]).await?.try_get("count").map_err(unreadable)?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// A page of those entries, newest first.
pub(crate) async fn page(
    db: &impl Query,
    keys: &[&str],
    part: &str,
    offset: i64,
    limit: i64,
) -> Result<Vec<AuditLogEntry>, Error> {
    let rows = db.query(include_str!("audit_log_entries/page.sql"), &[&keys, &part, &offset, &limit]).await?;
    let entry = |row: &tokio_postgres::Row| {
        Ok(AuditLogEntry {
            id: row.try_get("id")?,
            payload: row.try_get::<_, Option<Value>>("payload")?.unwrap_or_default(),
            created_at: row.try_get::<_, Option<DateTime<Utc>>>("created_at")?.unwrap_or_default(),
            ip_address: row.try_get("ip_address")?,
        })
    };
    rows.iter().map(entry).collect::<Result<_, _>>().map_err(unreadable)
}
