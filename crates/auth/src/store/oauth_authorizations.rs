//! `auth.oauth_authorizations`

use chrono::{DateTime, TimeDelta, Utc};
use pg::Error;
use pg::pool::Query;
use tokio_postgres::Row;
use uuid::Uuid;

use super::unreadable;
use crate::model::oauth_authorization::{Authorization, NewAuthorization, Status};

/// How long reuse of a code is detected.
const MEMORY: TimeDelta = TimeDelta::days(1);

fn authorization(row: &Row) -> Result<Authorization, tokio_postgres::Error> {
    let text = |column: &str| row.try_get::<_, Option<String>>(column).map(Option::unwrap_or_default);
    let status: String = row.try_get("status")?;
    Ok(Authorization {
        id: row.try_get("id")?,
        authorization_id: row.try_get("authorization_id")?,
        client_id: row.try_get("client_id")?,
        user_id: row.try_get("user_id")?,
        redirect_uri: row.try_get("redirect_uri")?,
        scope: row.try_get("scope")?,
        state: row.try_get("state")?,
        resource: row.try_get("resource")?,
        challenge: text("code_challenge")?,
        challenge_method: text("code_challenge_method")?,
        nonce: row.try_get("nonce")?,
        status: Status::named(&status).unwrap_or(Status::Expired),
        expires_at: row.try_get("expires_at")?,
    })
}

fn found(row: Option<Row>) -> Result<Option<Authorization>, Error> {
    row.as_ref().map(authorization).transpose().map_err(unreadable)
}

pub(crate) async fn insert(db: &impl Query, new: &NewAuthorization, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(
        include_str!("oauth_authorizations/insert.sql"),
        &[
            &new.authorization_id,
            &new.client_id,
            &new.redirect_uri,
            &new.scope,
            &new.state,
            &new.resource,
            &new.challenge.text,
            &new.challenge.method.as_str(),
            &new.nonce,
            &now,
            &new.expires_at,
            &(now - MEMORY),
        ],
    )
    .await
    .map(drop)
}

/// Locks the row for this transaction; concurrent requests wait.
pub(crate) async fn lock_by_id(db: &impl Query, authorization_id: &str) -> Result<Option<Authorization>, Error> {
    found(db.query_opt(include_str!("oauth_authorizations/lock_by_id.sql"), &[&authorization_id]).await?)
}

/// The same, by the issued code.
pub(crate) async fn lock_by_code(db: &impl Query, code: &str) -> Result<Option<Authorization>, Error> {
    found(db.query_opt(include_str!("oauth_authorizations/lock_by_code.sql"), &[&code]).await?)
}

pub(crate) async fn set_user(db: &impl Query, id: Uuid, user: Uuid) -> Result<(), Error> {
    db.execute(include_str!("oauth_authorizations/set_user.sql"), &[&id, &user]).await.map(drop)
}

pub(crate) async fn approve(db: &impl Query, id: Uuid, code: &str, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("oauth_authorizations/approve.sql"), &[&id, &code, &now]).await.map(drop)
}

pub(crate) async fn set_status(db: &impl Query, id: Uuid, status: Status) -> Result<(), Error> {
    db.execute(include_str!("oauth_authorizations/set_status.sql"), &[&id, &status.as_str()]).await.map(drop)
}
