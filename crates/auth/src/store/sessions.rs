//! `auth.sessions`, with `auth.mfa_amr_claims`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use tokio_postgres::Row;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::unreadable;
use crate::requester::Requester;
use crate::sessions::{AuthenticationMethod, Proof, Session};

/// Reads the columns that every query on sessions selects under these names; `None` where the join found nothing.
pub(super) fn from_row(row: &Row) -> Result<Option<Session>, tokio_postgres::Error> {
    let Some(id) = row.try_get("session_id")? else { return Ok(None) };
    Ok(Some(Session {
        id,
        created_at: row.try_get::<_, Option<DateTime<Utc>>>("session_created_at")?.unwrap_or_default(),
        not_after: row.try_get("not_after")?,
        aal: row.try_get("aal")?,
        refreshed_at: row.try_get("refreshed_at")?,
        tag: row.try_get("tag")?,
        oauth_client_id: row.try_get("oauth_client_id")?,
        scopes: row.try_get("scopes")?,
        proofs: row.try_get::<_, Json<Vec<Proof>>>("amr")?.0,
    }))
}

/// A sign-in: session, first refresh token, authentication method, time of the last sign-in.
pub(crate) async fn create(
    db: &impl Query,
    id: Uuid,
    user: Uuid,
    refresh_token: &str,
    method: AuthenticationMethod,
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let (agent, ip) = (requester.user_agent.as_deref(), requester.ip.to_string());
    let sql = include_str!("sessions/create.sql");
    db.execute(sql, &[&id, &user, &agent, &ip, &refresh_token, &method.as_str(), &now]).await.map(drop)
}

/// From now on an OAuth client acts in the session, for what the scopes allow.
pub(crate) async fn hand_to_client(db: &impl Query, id: Uuid, client: Uuid, scopes: &str) -> Result<(), Error> {
    db.execute(include_str!("sessions/hand_to_client.sql"), &[&id, &client, &scopes]).await.map(drop)
}

pub(crate) async fn refreshed(
    db: &impl Query,
    id: Uuid,
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let (agent, ip) = (requester.user_agent.as_deref(), requester.ip.to_string());
    db.execute(include_str!("sessions/refreshed.sql"), &[&id, &agent, &ip, &now]).await.map(drop)
}

/// Waits for the session of a refresh token and keeps it for this transaction. Does nothing when there is none.
pub(crate) async fn lock_by_token(db: &impl Query, refresh_token: &str) -> Result<(), Error> {
    db.query_opt(include_str!("sessions/lock_by_token.sql"), &[&refresh_token]).await.map(drop)
}

/// The user's other sessions, without their authentication methods.
pub(crate) async fn others_of_user(db: &impl Query, user: Uuid, but: Uuid) -> Result<Vec<Session>, Error> {
    let rows = db.query(include_str!("sessions/others_of_user.sql"), &[&user, &but]).await?;
    rows.iter().filter_map(|row| from_row(row).transpose()).collect::<Result<_, _>>().map_err(unreadable)
}

pub(crate) async fn delete(db: &impl Query, id: Uuid) -> Result<(), Error> {
    db.execute(include_str!("sessions/delete.sql"), &[&id]).await.map(drop)
}

pub(crate) async fn delete_of_user(db: &impl Query, user: Uuid) -> Result<(), Error> {
    db.execute(include_str!("sessions/delete_of_user.sql"), &[&user]).await.map(drop)
}

pub(crate) async fn delete_others(db: &impl Query, user: Uuid, but: Uuid) -> Result<(), Error> {
    db.execute(include_str!("sessions/delete_others.sql"), &[&user, &but]).await.map(drop)
}
