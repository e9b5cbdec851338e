//! `auth.users` and `auth.identities`, for people who come from external providers.

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde_json::Value;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::unreadable;
use crate::account::{Metadata, User};

/// An identity that shares an address with somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Similar {
    pub(crate) provider: String,
    pub(crate) user_id: Uuid,
}

/// Somebody who is about to become a user.
pub(crate) struct Newcomer<'a> {
    pub(crate) id: Uuid,
    pub(crate) aud: &'a str,
    pub(crate) role: &'a str,
    /// Empty for none.
    pub(crate) email: &'a str,
    pub(crate) app_metadata: &'a Metadata,
    pub(crate) user_metadata: &'a Metadata,
    /// Whether others may have the same address: in a linking domain of its own.
    pub(crate) is_sso_user: bool,
}

/// Identities with one of the addresses, which are in lower case.
pub(crate) async fn similar_identities(db: &impl Query, emails: &[String]) -> Result<Vec<Similar>, Error> {
    let rows = db.query(include_str!("external_users/similar_identities.sql"), &[&emails]).await?;
    let read = |row: &tokio_postgres::Row| {
        Ok(Similar { provider: row.try_get("provider")?, user_id: row.try_get("user_id")? })
    };
    rows.iter().map(read).collect::<Result<_, _>>().map_err(unreadable)
}

/// Users with one of the addresses, which are in lower case; without those that share theirs.
pub(crate) async fn similar_users(db: &impl Query, emails: &[String]) -> Result<Vec<Uuid>, Error> {
    let rows = db.query(include_str!("external_users/similar_users.sql"), &[&emails]).await?;
    rows.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>().map_err(unreadable)
}

pub(crate) async fn insert(db: &impl Query, new: Newcomer<'_>, now: DateTime<Utc>) -> Result<(), Error> {
    let email = (!new.email.is_empty()).then_some(new.email);
    db.execute(
        include_str!("external_users/insert.sql"),
        &[
            &new.id,
            &new.aud,
            &new.role,
            &email,
            &json(new.app_metadata),
            &json(new.user_metadata),
            &new.is_sso_user,
            &now,
        ],
    )
    .await
    .map(drop)
}

/// What the provider says now takes the place of what it said.
pub(crate) async fn set_identity_data(
    db: &impl Query,
    identity: Uuid,
    data: &Metadata,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("external_users/set_identity_data.sql");
    db.execute(sql, &[&identity, &json(data), &now]).await.map(drop)
}

/// Takes away one identity.
pub(crate) async fn delete_identity(db: &impl Query, identity: Uuid) -> Result<(), Error> {
    db.execute(include_str!("external_users/delete_identity.sql"), &[&identity]).await.map(drop)
}

/// Whoever had the account without having proved the address loses every way in: password, sessions, second factors, passkeys.
pub(crate) async fn evict(db: &impl Query, user: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("external_users/evict.sql"), &[&user, &now]).await.map(drop)
}

/// Gives the user the address of one of their identities, confirmed or not. Whatever was asked for before is void.
pub(crate) async fn promote_email(db: &impl Query, user: &User, is_confirmed: bool) -> Result<(), Error> {
    let email = (!user.email.is_empty()).then_some(user.email.as_str());
    let own = json(&user.user_metadata);
    let sql = include_str!("external_users/promote_email.sql");
    db.execute(sql, &[&user.id, &email, &is_confirmed, &own, &user.updated_at]).await.map(drop)
}

/// The user no longer has a phone number.
pub(crate) async fn clear_phone(db: &impl Query, user: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("external_users/clear_phone.sql"), &[&user, &now]).await.map(drop)
}

/// The user is no longer anonymous.
pub(crate) async fn name(db: &impl Query, user: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("external_users/name.sql"), &[&user, &now]).await.map(drop)
}

fn json(metadata: &Metadata) -> Json<Value> {
    Json(Value::Object(metadata.clone()))
}
