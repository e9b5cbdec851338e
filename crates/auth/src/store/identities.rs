//! `auth.identities`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde_json::Value;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::unreadable;
use crate::model::account::{Identity, Metadata};

/// An identity with the same address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Similar {
    pub(crate) provider: String,
    pub(crate) user_id: Uuid,
}

/// Stores a new identity with its timestamps.
pub(crate) async fn insert(db: &impl Query, identity: &Identity) -> Result<(), Error> {
    let data = Json(Value::Object(identity.identity_data.clone()));
    db.execute(
        include_str!("identities/insert.sql"),
        &[
            &identity.identity_id,
            &identity.provider_id,
            &identity.user_id,
            &data,
            &identity.provider,
            &identity.created_at,
        ],
    )
    .await
    .map(drop)
}

/// The id of an identity, and its user.
pub(crate) async fn owner(db: &impl Query, provider: &str, subject: &str) -> Result<Option<(Uuid, Uuid)>, Error> {
    let row = db.query_opt(include_str!("identities/owner.sql"), &[&provider, &subject]).await?;
    row.map(|row| Ok((row.try_get("id")?, row.try_get("user_id")?))).transpose().map_err(unreadable)
}

/// Identities with one of the addresses, which are in lower case.
pub(crate) async fn similar(db: &impl Query, emails: &[String]) -> Result<Vec<Similar>, Error> {
    let rows = db.query(include_str!("identities/similar.sql"), &[&emails]).await?;
    let read = |row: &tokio_postgres::Row| {
        Ok(Similar { provider: row.try_get("provider")?, user_id: row.try_get("user_id")? })
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(unreadable)
}

/// Replaces the provider's data.
pub(crate) async fn set_data(
    db: &impl Query,
    identity: Uuid,
    data: &Metadata,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("identities/set_data.sql");
    db.execute(sql, &[&identity, &Json(Value::Object(data.clone())), &now]).await.map(drop)
}

/// Deletes one identity.
pub(crate) async fn delete(db: &impl Query, identity: Uuid) -> Result<(), Error> {
    db.execute(include_str!("identities/delete.sql"), &[&identity]).await.map(drop)
}

/// Deletes all identities of the user but one.
pub(crate) async fn delete_others(db: &impl Query, user: Uuid, but: Uuid) -> Result<(), Error> {
    db.execute(include_str!("identities/delete_others.sql"), &[&user, &but]).await.map(drop)
}

/// Stores the user's own confirmed address or number: inserts or extends the identity of that provider.
pub(crate) async fn upsert_own(
    db: &impl Query,
    user: Uuid,
    provider: &str,
    data: &Metadata,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let data = Json(Value::Object(data.clone()));
    let sql = include_str!("identities/upsert.sql");
    db.execute(sql, &[&user.to_string(), &user, &data, &provider, &now]).await.map(drop)
}

/// Marks the address as verified in every identity that has it.
pub(crate) async fn verify_email(db: &impl Query, user: Uuid, email: &str) -> Result<(), Error> {
    db.execute(include_str!("identities/verify_email.sql"), &[&user, &email]).await.map(drop)
}

/// Merges keys into the provider's data.
pub(crate) async fn extend_data(db: &impl Query, id: Uuid, changes: &Metadata) -> Result<(), Error> {
    let changes = Json(Value::Object(changes.clone()));
    let sql = "update auth.identities set identity_data = identity_data || $2 where id = $1";
    db.execute(sql, &[&id, &changes]).await.map(drop)
}

/// Removes personal data; `name` replaces the user's id at the provider.
pub(crate) async fn soft_delete(db: &impl Query, id: Uuid, name: &str) -> Result<(), Error> {
    db.execute(include_str!("identities/soft_delete.sql"), &[&id, &name]).await.map(drop)
}
