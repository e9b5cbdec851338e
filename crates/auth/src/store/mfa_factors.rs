//! `auth.mfa_factors`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde_json::Value;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::unreadable;
use crate::model::account::Factor;
use crate::model::factor::{Answer, Kind, NewFactor};

/// A user's factors, oldest first.
pub(crate) async fn of_user(db: &impl Query, user: Uuid) -> Result<Vec<Factor>, Error> {
    let row = db.query_one(include_str!("mfa_factors/of_user.sql"), &[&user]).await?;
    row.try_get::<_, Json<Vec<Factor>>>("factors").map(|factors| factors.0).map_err(unreadable)
}

/// The credentials of the user's verified security keys, each with its factor.
pub(crate) async fn credentials(db: &impl Query, user: Uuid) -> Result<Vec<(Uuid, Value)>, Error> {
    let rows = db.query(include_str!("mfa_factors/credentials.sql"), &[&user]).await?;
    let read = |row: &tokio_postgres::Row| Ok((row.try_get("id")?, row.try_get("web_authn_credential")?));
    rows.iter().map(read).collect::<Result<_, tokio_postgres::Error>>().map_err(unreadable)
}

pub(crate) async fn insert(db: &impl Query, user: Uuid, new: &NewFactor<'_>, now: DateTime<Utc>) -> Result<(), Error> {
    let (sql, kind) = (include_str!("mfa_factors/insert.sql"), new.kind.as_str());
    let values: [&(dyn tokio_postgres::types::ToSql + Sync); 7] =
        [&new.id, &user, &new.friendly_name, &kind, &new.secret, &new.phone, &now];
    db.execute(sql, &values).await.map(drop)
}

/// Stores the re-encrypted secret.
pub(crate) async fn set_secret(db: &impl Query, id: Uuid, secret: &str) -> Result<(), Error> {
    db.execute(include_str!("mfa_factors/set_secret.sql"), &[&id, &secret]).await.map(drop)
}

/// Locks the rows of a user's factors until the transaction ends.
pub(crate) async fn lock(db: &impl Query, user: Uuid) -> Result<(), Error> {
    db.execute(include_str!("mfa_factors/lock.sql"), &[&user]).await.map(drop)
}

/// Marks the factor as verified.
pub(crate) async fn verify(db: &impl Query, id: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("mfa_factors/verify.sql"), &[&id, &now]).await.map(drop)
}

/// Stores the credential of a security key.
pub(crate) async fn set_credential(
    db: &impl Query,
    id: Uuid,
    answer: &Answer,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("mfa_factors/set_credential.sql");
    db.execute(sql, &[&id, &answer.credential, &answer.aaguid, &answer.last_challenge, &now]).await.map(drop)
}

/// Records the time of a challenge; `false` if there was another one after `before`.
pub(crate) async fn touch(
    db: &impl Query,
    id: Uuid,
    before: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    Ok(db.execute(include_str!("mfa_factors/touch.sql"), &[&id, &before, &now]).await? > 0)
}

/// Restores the time of the previous challenge, because this one was never sent.
pub(crate) async fn untouch(
    db: &impl Query,
    id: Uuid,
    at: DateTime<Utc>,
    before: Option<DateTime<Utc>>,
) -> Result<(), Error> {
    db.execute(include_str!("mfa_factors/touch.sql"), &[&id, &Some(at), &before]).await.map(drop)
}

/// Changes name or number of a factor; `None` keeps the current one.
pub(crate) async fn update(
    db: &impl Query,
    id: Uuid,
    friendly_name: Option<&str>,
    phone: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    db.execute(include_str!("mfa_factors/update.sql"), &[&id, &friendly_name, &phone, &now]).await.map(drop)
}

/// Deletes the factor; sessions that it raised lose this authentication method.
pub(crate) async fn delete(db: &impl Query, id: Uuid, method: &str, now: DateTime<Utc>) -> Result<(), Error> {
    // Sessions first, in the same order as a refresh.
    db.execute(include_str!("mfa_factors/weaken_sessions.sql"), &[&id, &method, &now]).await?;
    db.execute(include_str!("mfa_factors/delete.sql"), &[&id]).await.map(drop)
}

pub(crate) async fn delete_unverified(db: &impl Query, user: Uuid, kind: Kind) -> Result<(), Error> {
    db.execute(include_str!("mfa_factors/delete_unverified.sql"), &[&user, &kind.as_str()]).await.map(drop)
}

pub(crate) async fn delete_unverified_of_phone(db: &impl Query, user: Uuid, phone: &str) -> Result<(), Error> {
    db.execute(include_str!("mfa_factors/delete_unverified_of_phone.sql"), &[&user, &phone]).await.map(drop)
}

/// Deletes all users' unverified factors from before `than` that were never challenged.
pub(crate) async fn delete_abandoned(db: &impl Query, than: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("mfa_factors/delete_abandoned.sql"), &[&than]).await.map(drop)
}
