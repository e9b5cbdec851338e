//! `auth.sessions`, with `auth.mfa_amr_claims`

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde_json::Value;
use tokio_postgres::Row;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::unreadable;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::requester::Requester;
use crate::model::session::{Proof, Session, SignIn};

/// Reads the columns that every query on sessions selects under these names; `None` if the join found no session.
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

/// A new session.
pub(crate) struct NewSession<'a> {
    pub(crate) user: Uuid,
    /// The first refresh token, if it is a stored one.
    pub(crate) refresh_token: Option<&'a str>,
    /// The key of signed tokens.
    pub(crate) key: Option<String>,
    pub(crate) sign_in: &'a SignIn,
}

/// Stores a sign-in: session, first refresh token, authentication method, time of the last sign-in.
pub(crate) async fn create(
    db: &impl Query,
    new: NewSession<'_>,
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let (agent, ip) = (requester.user_agent.as_deref(), requester.ip.to_string());
    let SignIn { id, method, not_after, oauth_client_id, scopes, factor_id } = new.sign_in;
    db.execute(
        include_str!("sessions/create.sql"),
        &[
            id,
            &new.user,
            &agent,
            &ip,
            &new.refresh_token,
            &method.as_str(),
            &now,
            not_after,
            oauth_client_id,
            scopes,
            factor_id,
            &new.key,
        ],
    )
    .await
    .map(drop)
}

/// A refresh without a new row: the counter of signed tokens changes from `counter.0` to `counter.1`, or stays. Returns
/// false if it was no longer `counter.0`.
pub(crate) async fn refreshed(
    db: &impl Query,
    id: Uuid,
    counter: (Option<i64>, Option<i64>),
    (requester, now): (&Requester, DateTime<Utc>),
    audit: Value,
) -> Result<bool, Error> {
    let (agent, ip) = (requester.user_agent.as_deref(), requester.ip.to_string());
    let sql = include_str!("sessions/refreshed.sql");
    let row = db.query_one(sql, &[&id, &agent, &ip, &now, &counter.0, &counter.1, &Json(audit)]).await?;
    row.try_get("done").map_err(unreadable)
}

/// Replaces the stored token `token` by signed tokens with `key`. Returns false if a concurrent request was faster.
pub(crate) async fn upgrade(
    db: &impl Query,
    (id, token): (Uuid, i64),
    counter: (Option<i64>, i64),
    key: &str,
    (requester, now): (&Requester, DateTime<Utc>),
    audit: Value,
) -> Result<bool, Error> {
    let (agent, ip) = (requester.user_agent.as_deref(), requester.ip.to_string());
    let sql = include_str!("sessions/upgrade.sql");
    let row = db.query_one(sql, &[&id, &token, &counter.0, &counter.1, &key, &now, &agent, &ip, &Json(audit)]).await?;
    row.try_get("done").map_err(unreadable)
}

/// Locks the session for this transaction. Does nothing if there is none.
pub(crate) async fn lock(db: &impl Query, id: Uuid) -> Result<(), Error> {
    db.query_opt(include_str!("sessions/lock.sql"), &[&id]).await.map(drop)
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

/// Deletes all sessions in which the client acts for the user.
pub(crate) async fn delete_of_client(db: &impl Query, user: Uuid, client: Uuid) -> Result<(), Error> {
    db.execute(include_str!("sessions/delete_of_client.sql"), &[&user, &client]).await.map(drop)
}

/// Deletes the session that a client's code started; returns false if it did not exist.
pub(crate) async fn delete_of_grant(db: &impl Query, id: Uuid, client: Uuid) -> Result<bool, Error> {
    db.execute(include_str!("sessions/delete_of_grant.sql"), &[&id, &client]).await.map(|rows| rows > 0)
}

pub(crate) async fn delete_others(db: &impl Query, user: Uuid, but: Uuid) -> Result<(), Error> {
    db.execute(include_str!("sessions/delete_others.sql"), &[&user, &but]).await.map(drop)
}

/// Ends the user's other sessions at `aal1`.
pub(crate) async fn delete_weaker(db: &impl Query, user: Uuid, but: Uuid) -> Result<(), Error> {
    db.execute(include_str!("sessions/delete_weaker.sql"), &[&user, &but]).await.map(drop)
}

/// The changes to a session whose second factor was verified.
pub(crate) struct Strength<'a> {
    pub(crate) method: AuthenticationMethod,
    pub(crate) factor: Uuid,
    /// The next refresh token, if it is a stored one.
    pub(crate) refresh_token: Option<&'a str>,
    /// The new counter of signed tokens.
    pub(crate) counter: Option<i64>,
}

/// Raises a session to `aal2`.
pub(crate) async fn strengthen(
    db: &impl Query,
    (id, user): (Uuid, Uuid),
    Strength { method, factor, refresh_token, counter }: Strength<'_>,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("sessions/strengthen.sql");
    db.execute(sql, &[&id, &user, &method.as_str(), &factor, &refresh_token, &now, &counter]).await.map(drop)
}

/// True if a session of the user was last used in a network, given in PostgreSQL's notation.
pub(crate) async fn used_in(db: &impl Query, user: Uuid, network: &str) -> Result<bool, Error> {
    let row = db.query_one(include_str!("sessions/used_in.sql"), &[&user, &network]).await?;
    row.try_get(0).map_err(unreadable)
}

/// The client address of the session's last use, if known.
pub(crate) async fn address(db: &impl Query, id: Uuid) -> Result<Option<IpAddr>, Error> {
    let row = db.query_opt(include_str!("sessions/address.sql"), &[&id]).await?;
    let text: Option<String> = row.map(|row| row.try_get("ip").map_err(unreadable)).transpose()?.flatten();
    Ok(text.and_then(|text| text.parse().ok()))
}
