//! `auth.identities`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde_json::Value;
use tokio_postgres::types::Json;
use uuid::Uuid;

use crate::account::{Identity, Metadata};

/// Stores a new identity, times included.
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

/// Takes away all identities of the user but one.
pub(crate) async fn delete_others(db: &impl Query, user: Uuid, but: Uuid) -> Result<(), Error> {
    db.execute(include_str!("identities/delete_others.sql"), &[&user, &but]).await.map(drop)
}

/// Stores what the user proved about their own address or number: the identity of that provider, new or extended.
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

/// The user has proved an address: every identity that has it says so.
pub(crate) async fn verify_email(db: &impl Query, user: Uuid, email: &str) -> Result<(), Error> {
    db.execute(include_str!("identities/verify_email.sql"), &[&user, &email]).await.map(drop)
}
