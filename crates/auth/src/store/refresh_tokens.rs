//! `auth.refresh_tokens`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

use super::{sessions, unreadable};
use crate::account::User;
use crate::sessions::Session;

/// A refresh token with all that decides about it.
pub(crate) struct Found {
    pub(crate) id: i64,
    pub(crate) revoked: bool,
    pub(crate) updated_at: DateTime<Utc>,
    pub(crate) user: User,
    /// Absent for tokens from before there were sessions.
    pub(crate) session: Option<Session>,
    /// The token of the session that is good now.
    pub(crate) active: Option<Active>,
}

/// A session's newest token that is not revoked.
pub(crate) struct Active {
    pub(crate) token: String,
    /// The token it was traded for.
    pub(crate) parent: Option<String>,
}

pub(crate) async fn find(db: &impl Query, token: &str) -> Result<Option<Found>, Error> {
    let Some(row) = db.query_opt(include_str!("refresh_tokens/with_user.sql"), &[&token]).await? else {
        return Ok(None);
    };
    let read = || {
        let active: Option<String> = row.try_get("active_token")?;
        let parent: Option<String> = row.try_get("active_parent")?;
        Ok(Found {
            id: row.try_get("token_id")?,
            revoked: row.try_get::<_, Option<bool>>("revoked")?.unwrap_or_default(),
            updated_at: row.try_get::<_, Option<DateTime<Utc>>>("token_updated_at")?.unwrap_or_default(),
            user: User::from_row(&row)?,
            session: sessions::from_row(&row)?,
            active: active.map(|token| Active { token, parent }),
        })
    };
    read().map(Some).map_err(unreadable)
}

/// Trades `old` for `new`.
pub(crate) async fn rotate(
    db: &impl Query,
    (old_id, old): (i64, &str),
    new: &str,
    user: Uuid,
    session: Uuid,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("refresh_tokens/rotate.sql");
    db.execute(sql, &[&old_id, &old, &new, &user, &session, &now]).await.map(drop)
}

pub(crate) async fn revoke_family(db: &impl Query, session: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("refresh_tokens/revoke_family.sql"), &[&session, &now]).await.map(drop)
}

pub(crate) async fn delete(db: &impl Query, id: i64) -> Result<(), Error> {
    db.execute(include_str!("refresh_tokens/delete.sql"), &[&id]).await.map(drop)
}
