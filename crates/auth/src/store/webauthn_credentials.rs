//! `auth.webauthn_credentials`: passkeys.

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde_json::{Value, json};
use tokio_postgres::Row;
use uuid::Uuid;

use super::unreadable;
use crate::model::passkey::Passkey;
use crate::protocol::webauthn::{Assertion, Credential};

fn passkey(row: &Row) -> Result<Passkey, tokio_postgres::Error> {
    let sign_count: i64 = row.try_get("sign_count")?;
    Ok(Passkey {
        id: row.try_get("id")?,
        friendly_name: row.try_get("friendly_name")?,
        created_at: row.try_get("created_at")?,
        last_used_at: row.try_get("last_used_at")?,
        credential: Credential::of_passkey(
            row.try_get("credential_id")?,
            row.try_get("public_key")?,
            u32::try_from(sign_count).unwrap_or_default(),
            &row.try_get::<_, Value>("transports")?,
            row.try_get("backup_eligible")?,
            row.try_get("backed_up")?,
        ),
    })
}

/// A user's passkeys, oldest first.
pub(crate) async fn of_user(db: &impl Query, user: Uuid) -> Result<Vec<Passkey>, Error> {
    let rows = db.query(include_str!("webauthn_credentials/of_user.sql"), &[&user]).await?;
    rows.iter().map(passkey).collect::<Result<_, _>>().map_err(unreadable)
}

/// Stores a passkey; `false` if its credential is stored already.
pub(crate) async fn insert(
    db: &impl Query,
    id: Uuid,
    user: Uuid,
    credential: &Credential,
    friendly_name: &str,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let values: [&(dyn tokio_postgres::types::ToSql + Sync); 12] = [
        &id,
        &user,
        &credential.id,
        &credential.public_key,
        &credential.attestation_type,
        &credential.aaguid,
        &i64::from(credential.sign_count),
        &json!(credential.transports),
        &credential.backup_eligible,
        &credential.backed_up,
        &friendly_name,
        &now,
    ];
    Ok(db.execute(include_str!("webauthn_credentials/insert.sql"), &values).await? > 0)
}

/// Records a use of a passkey.
pub(crate) async fn used(db: &impl Query, id: Uuid, shown: Assertion, now: DateTime<Utc>) -> Result<(), Error> {
    let sql = include_str!("webauthn_credentials/used.sql");
    db.execute(sql, &[&id, &i64::from(shown.sign_count), &shown.backed_up, &now]).await.map(drop)
}

/// Renames a passkey of the user; `None` if there is none.
pub(crate) async fn rename(
    db: &impl Query,
    id: Uuid,
    user: Uuid,
    friendly_name: &str,
    now: DateTime<Utc>,
) -> Result<Option<Passkey>, Error> {
    let sql = include_str!("webauthn_credentials/rename.sql");
    let row = db.query_opt(sql, &[&id, &user, &friendly_name, &now]).await?;
    row.as_ref().map(passkey).transpose().map_err(unreadable)
}

/// Deletes a passkey of the user; `false` if there is none.
pub(crate) async fn delete(db: &impl Query, id: Uuid, user: Uuid) -> Result<bool, Error> {
    Ok(db.execute(include_str!("webauthn_credentials/delete.sql"), &[&id, &user]).await? > 0)
}
