//! Changes of users that only administrators make.

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

pub(crate) async fn set_role(db: &impl Query, id: Uuid, role: &str, now: DateTime<Utc>) -> Result<(), Error> {
    let sql = "update auth.users set role = $2, updated_at = $3 where id = $1";
    db.execute(sql, &[&id, &role, &now]).await.map(drop)
}

/// Marks the address as confirmed and revokes all pending codes.
pub(crate) async fn confirm_email_by_admin(db: &impl Query, id: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("confirm_email_by_admin.sql"), &[&id, &now]).await.map(drop)
}

/// The same for the phone number.
pub(crate) async fn confirm_phone_by_admin(db: &impl Query, id: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("confirm_phone_by_admin.sql"), &[&id, &now]).await.map(drop)
}

/// A user with a confirmed address is no longer anonymous.
pub(crate) async fn set_email(
    db: &impl Query,
    id: Uuid,
    email: &str,
    is_confirmed: bool,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    db.execute(include_str!("set_email.sql"), &[&id, &email, &is_confirmed, &now]).await.map(drop)
}

/// The same for a phone number.
pub(crate) async fn set_phone(
    db: &impl Query,
    id: Uuid,
    phone: &str,
    is_confirmed: bool,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    db.execute(include_str!("set_phone.sql"), &[&id, &phone, &is_confirmed, &now]).await.map(drop)
}

/// `None` ends a ban.
pub(crate) async fn ban(
    db: &impl Query,
    id: Uuid,
    until: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = "update auth.users set banned_until = $2, updated_at = $3 where id = $1";
    db.execute(sql, &[&id, &until, &now]).await.map(drop)
}

/// Updates the providers in the app metadata from the user's identities.
pub(crate) async fn refresh_providers(db: &impl Query, id: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("refresh_providers.sql"), &[&id, &now]).await.map(drop)
}

/// The placeholders of a soft deletion.
pub(crate) struct Remains {
    pub(crate) email: String,
    pub(crate) phone: String,
    pub(crate) email_change: String,
    pub(crate) phone_change: String,
}

/// Empties the row, and deletes factors, credentials and pending codes. Keeps sessions and identities.
pub(crate) async fn soft_delete(db: &impl Query, id: Uuid, remains: &Remains, now: DateTime<Utc>) -> Result<(), Error> {
    let Remains { email, phone, email_change, phone_change } = remains;
    let sql = include_str!("soft_delete.sql");
    db.execute(sql, &[&id, email, phone, email_change, phone_change, &now]).await.map(drop)
}

/// Deletes the row and everything that refers to it.
pub(crate) async fn delete(db: &impl Query, id: Uuid) -> Result<(), Error> {
    db.execute("delete from auth.users where id = $1", &[&id]).await.map(drop)
}
