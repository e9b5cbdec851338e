//! `auth.refresh_tokens`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::{Query, Row};
use serde_json::Value;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::{sessions, unreadable};
use crate::model::account::User;
use crate::model::requester::Requester;
use crate::model::session::Session;

/// A session to refresh, with everything that the decision needs.
pub(crate) struct Found {
    pub(crate) user: User,
    /// Absent for tokens from before GoTrue had sessions.
    pub(crate) session: Option<Session>,
    /// The key of the session's signed tokens, as stored.
    pub(crate) key: Option<String>,
    /// The counter of signed tokens.
    pub(crate) counter: Option<i64>,
}

/// A stored token.
pub(crate) struct Stored {
    pub(crate) id: i64,
    pub(crate) revoked: bool,
    pub(crate) updated_at: DateTime<Utc>,
    /// The active token of its session.
    pub(crate) active: Option<Active>,
    /// True if no other token of its session is newer.
    pub(crate) is_newest: bool,
}

/// A session's newest token that is not revoked.
pub(crate) struct Active {
    pub(crate) token: String,
    /// The token that it replaced.
    pub(crate) parent: Option<String>,
}

/// A token with its user and session.
const WITH_USER: &str =
    select_users_and_sessions!(",", sql!("refresh_tokens/columns.sql"), sql!("refresh_tokens/with_user.sql"));

pub(crate) async fn find(db: &impl Query, token: &str) -> Result<Option<(Stored, Found)>, Error> {
    let Some(row) = db.query_opt(WITH_USER, &[&token]).await? else {
        return Ok(None);
    };
    let read = || {
        let active: Option<String> = row.try_get("active_token")?;
        let parent: Option<String> = row.try_get("active_parent")?;
        let stored = Stored {
            id: row.try_get("token_id")?,
            revoked: row.try_get::<_, Option<bool>>("revoked")?.unwrap_or_default(),
            updated_at: row.try_get::<_, Option<DateTime<Utc>>>("token_updated_at")?.unwrap_or_default(),
            active: active.map(|token| Active { token, parent }),
            is_newest: row.try_get("is_newest")?,
        };
        Ok((stored, found(&row)?))
    };
    read().map(Some).map_err(unreadable)
}

/// The session that a signed token of `session` would refresh.
pub(crate) async fn find_signed(db: &impl Query, session: Uuid) -> Result<Option<Found>, Error> {
    let row = db.query_opt(select_users_and_sessions!(sql!("sessions/with_user.sql")), &[&session]).await?;
    row.as_ref().map(found).transpose().map_err(unreadable)
}

fn found(row: &Row) -> Result<Found, tokio_postgres::Error> {
    Ok(Found {
        user: User::from_row(row)?,
        session: sessions::from_row(row)?,
        key: row.try_get("refresh_token_hmac_key")?,
        counter: row.try_get("refresh_token_counter")?,
    })
}

/// Replaces `old` by `new`; returns false if a concurrent request was faster.
pub(crate) async fn rotate(
    db: &impl Query,
    (old_id, old): (i64, &str),
    new: &str,
    (user, session): (Uuid, Uuid),
    (requester, now): (&Requester, DateTime<Utc>),
    audit: Value,
) -> Result<bool, Error> {
    let (agent, ip) = (requester.user_agent.as_deref(), requester.ip.to_string());
    let sql = include_str!("refresh_tokens/rotate.sql");
    let row = db.query_one(sql, &[&session, &old_id, &old, &new, &user, &now, &agent, &ip, &Json(audit)]).await?;
    row.try_get("done").map_err(unreadable)
}

pub(crate) async fn revoke_family(db: &impl Query, session: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("refresh_tokens/revoke_family.sql"), &[&session, &now]).await.map(drop)
}

pub(crate) async fn delete(db: &impl Query, id: i64) -> Result<(), Error> {
    db.execute(include_str!("refresh_tokens/delete.sql"), &[&id]).await.map(drop)
}
