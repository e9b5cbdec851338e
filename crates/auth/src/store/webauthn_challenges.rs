//! `auth.webauthn_challenges`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde_json::Value;
use uuid::Uuid;

use super::unreadable;

/// The purpose of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Registration,
    Authentication,
}

impl Purpose {
    fn as_str(self) -> &'static str {
        match self {
            Purpose::Registration => "registration",
            Purpose::Authentication => "authentication",
        }
    }
}

/// Stores a challenge for `user`, or for anyone.
pub(crate) async fn insert(
    db: &impl Query,
    id: Uuid,
    user: Option<Uuid>,
    purpose: Purpose,
    session_data: &Value,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("webauthn_challenges/insert.sql");
    db.execute(sql, &[&id, &user, &purpose.as_str(), &session_data, &now, &expires_at]).await.map(drop)
}

/// Deletes a challenge for `user`, or for anyone; returns its state and expiry.
pub(crate) async fn take(
    db: &impl Query,
    id: Uuid,
    user: Option<Uuid>,
    purpose: Purpose,
) -> Result<Option<(Value, DateTime<Utc>)>, Error> {
    let row = db.query_opt(include_str!("webauthn_challenges/take.sql"), &[&id, &user, &purpose.as_str()]).await?;
    let read = |row: tokio_postgres::Row| Ok((row.try_get("session_data")?, row.try_get("expires_at")?));
    row.map(read).transpose().map_err(unreadable)
}
