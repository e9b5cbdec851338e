//! Users of external providers.

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

use super::super::unreadable;
use super::json;
use crate::model::account::{Metadata, User};

/// The fields of a new user.
pub(crate) struct Newcomer<'a> {
    pub(crate) id: Uuid,
    pub(crate) aud: &'a str,
    pub(crate) role: &'a str,
    /// Empty if there is none.
    pub(crate) email: &'a str,
    pub(crate) app_metadata: &'a Metadata,
    pub(crate) user_metadata: &'a Metadata,
    /// True if other users may have the same address, because the provider has its own linking domain.
    pub(crate) is_sso_user: bool,
}

/// Users with one of the addresses, which are in lower case; excludes users whose address need not be unique.
pub(crate) async fn similar(db: &impl Query, emails: &[String]) -> Result<Vec<Uuid>, Error> {
    let rows = db.query(include_str!("similar.sql"), &[&emails]).await?;
    rows.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>().map_err(unreadable)
}

pub(crate) async fn insert_external(db: &impl Query, new: Newcomer<'_>, now: DateTime<Utc>) -> Result<(), Error> {
    let email = (!new.email.is_empty()).then_some(new.email);
    db.execute(
        include_str!("insert_external.sql"),
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

/// Removes every way into an account that was never confirmed: password, sessions, second factors, passkeys.
pub(crate) async fn evict(db: &impl Query, user: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("evict.sql"), &[&user, &now]).await.map(drop)
}

/// Sets the user's address to that of an identity, confirmed or not. Revokes all pending codes.
pub(crate) async fn promote_email(db: &impl Query, user: &User, is_confirmed: bool) -> Result<(), Error> {
    let email = (!user.email.is_empty()).then_some(user.email.as_str());
    let own = json(&user.user_metadata);
    let sql = include_str!("promote_email.sql");
    db.execute(sql, &[&user.id, &email, &is_confirmed, &own, &user.updated_at]).await.map(drop)
}

/// Removes the phone number.
pub(crate) async fn clear_phone(db: &impl Query, user: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("clear_phone.sql"), &[&user, &now]).await.map(drop)
}

/// Marks the user as no longer anonymous.
pub(crate) async fn name(db: &impl Query, user: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("name.sql"), &[&user, &now]).await.map(drop)
}
