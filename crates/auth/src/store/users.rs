//! `auth.users`

mod administered;
mod external;
mod list;

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use serde_json::Value;
use tokio_postgres::Row;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::one_time_tokens::Kind;
use super::{sessions, unreadable};
use crate::model::account::{Metadata, User};
use crate::model::session::Session;

pub(crate) use administered::{
    Remains, ban, confirm_email_by_admin, confirm_phone_by_admin, delete, refresh_providers, set_email, set_phone,
    set_role, soft_delete,
};
pub(crate) use external::{Newcomer, clear_phone, evict, insert_external, name, promote_email, similar};
pub(crate) use list::{Direction, Order, Selection, SortField, Span, count, page};

/// The fields of a new user.
pub(crate) struct NewUser<'a> {
    pub(crate) id: Uuid,
    pub(crate) aud: &'a str,
    pub(crate) role: &'a str,
    pub(crate) email: Option<&'a str>,
    pub(crate) phone: Option<&'a str>,
    /// Empty for a user without a password.
    pub(crate) password_hash: &'a str,
    pub(crate) app_metadata: Metadata,
    pub(crate) user_metadata: Metadata,
    pub(crate) is_anonymous: bool,
    /// Whether the row is really written. For an unknown address of an enumeration-safe flow it is not.
    pub(crate) existence: Existence,
}

/// Whether an insert writes a row, or only takes the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existence {
    Real,
    Pretended,
}

fn user(row: Option<Row>) -> Result<Option<User>, Error> {
    row.map(|row| User::from_row(&row)).transpose().map_err(unreadable)
}

pub(crate) async fn by_id(db: &impl Query, id: Uuid) -> Result<Option<User>, Error> {
    user(db.query_opt(select_users!(sql!("users/all.sql"), "and u.id = $1"), &[&id]).await?)
}

/// `email` is compared case-insensitively.
pub(crate) async fn by_email(db: &impl Query, email: &str, aud: &str) -> Result<Option<User>, Error> {
    // The condition uses users_instance_id_email_idx.
    let sql = select_users!(sql!("users/all.sql"), "and lower(u.email) = $1 and u.aud = $2 and not u.is_sso_user");
    user(db.query_opt(sql, &[&email.to_lowercase(), &aud]).await?)
}

pub(crate) async fn by_phone(db: &impl Query, phone: &str, aud: &str) -> Result<Option<User>, Error> {
    let sql = select_users!(sql!("users/all.sql"), "and u.phone = $1 and u.aud = $2 and not u.is_sso_user");
    user(db.query_opt(sql, &[&phone, &aud]).await?)
}

/// The user who has requested a change to this number and not confirmed it yet.
pub(crate) async fn by_phone_change(db: &impl Query, phone: &str, aud: &str) -> Result<Option<User>, Error> {
    let sql = select_users!(
        sql!("users/all.sql"),
        "and u.phone_change = $1 and u.aud = $2 and not u.is_sso_user order by u.phone_change_sent_at desc nulls last limit 1"
    );
    user(db.query_opt(sql, &[&phone, &aud]).await?)
}

/// The user of a token; locks user and token for this transaction.
pub(crate) async fn by_one_time_token(
    db: &impl Query,
    hashes: &[String],
    kinds: &[Kind],
) -> Result<Option<User>, Error> {
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    user(db.query_opt(select_users!(sql!("users/by_one_time_token.sql")), &[&hashes, &kinds]).await?)
}

/// The user who has the address, ignoring the identities of `asking`.
pub(crate) async fn by_taken_email(
    db: &impl Query,
    email: &str,
    aud: &str,
    asking: Option<Uuid>,
    isolated_providers: &[String],
) -> Result<Option<User>, Error> {
    let sql = select_users!(sql!("users/by_taken_email.sql"));
    user(db.query_opt(sql, &[&email.to_lowercase(), &aud, &asking, &isolated_providers]).await?)
}

/// A user, with the session of the given id if it exists.
pub(crate) async fn with_session(
    db: &impl Query,
    id: Uuid,
    session: Option<Uuid>,
) -> Result<Option<(User, Option<Session>)>, Error> {
    let row = db.query_opt(select_users_and_sessions!(sql!("users/with_session.sql")), &[&id, &session]).await?;
    row.map(|row| Ok((User::from_row(&row)?, sessions::from_row(&row)?))).transpose().map_err(unreadable)
}

pub(crate) async fn insert(db: &impl Query, new: NewUser<'_>, now: DateTime<Utc>) -> Result<(), Error> {
    let (app, own) = (json(&new.app_metadata), json(&new.user_metadata));
    db.execute(
        include_str!("users/insert.sql"),
        &[
            &new.id,
            &new.aud,
            &new.role,
            &new.email,
            &new.phone,
            &new.password_hash,
            &app,
            &own,
            &new.is_anonymous,
            &now,
            &(new.existence == Existence::Real),
        ],
    )
    .await
    .map(drop)
}

/// Stores both kinds of metadata of `user`.
pub(crate) async fn set_metadata(db: &impl Query, user: &User) -> Result<(), Error> {
    let (app, own) = (json(&user.app_metadata), json(&user.user_metadata));
    db.execute(include_str!("users/set_metadata.sql"), &[&user.id, &app, &own, &user.updated_at]).await.map(drop)
}

/// Stores that the address is confirmed, and the metadata; returns `confirmed_at`, which the database computes.
pub(crate) async fn confirm_email(db: &impl Query, user: &User) -> Result<Option<DateTime<Utc>>, Error> {
    confirm(db, include_str!("users/confirm_email.sql"), user).await
}

/// The same for the phone number.
pub(crate) async fn confirm_phone(db: &impl Query, user: &User) -> Result<Option<DateTime<Utc>>, Error> {
    confirm(db, include_str!("users/confirm_phone.sql"), user).await
}

async fn confirm(db: &impl Query, sql: &'static str, user: &User) -> Result<Option<DateTime<Utc>>, Error> {
    let (app, own) = (json(&user.app_metadata), json(&user.user_metadata));
    let row = db.query_one(sql, &[&user.id, &app, &own, &user.updated_at]).await?;
    row.try_get("confirmed_at").map_err(unreadable)
}

/// The columns in the user's row for the hash of a code and the time it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Confirmation,
    /// The same as [`Slot::Confirmation`], and marks the user as invited.
    Invitation,
    Recovery,
    Reauthentication,
}

pub(crate) async fn set_token(
    db: &impl Query,
    id: Uuid,
    slot: Slot,
    token: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = match slot {
        Slot::Confirmation => include_str!("users/set_confirmation_token.sql"),
        Slot::Invitation => include_str!("users/set_invitation.sql"),
        Slot::Recovery => include_str!("users/set_recovery_token.sql"),
        Slot::Reauthentication => include_str!("users/set_reauthentication_token.sql"),
    };
    db.execute(sql, &[&id, &token, &now]).await.map(drop)
}

pub(crate) async fn set_phone_change_token(
    db: &impl Query,
    id: Uuid,
    phone: &str,
    token: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    db.execute(include_str!("users/set_phone_change_token.sql"), &[&id, &token, &now, &phone]).await.map(drop)
}

/// Removes the code with this hash, which could not be sent, and a user who was created only for it.
pub(crate) async fn forget_phone_code(db: &impl Query, id: Uuid, token: &str) -> Result<(), Error> {
    db.execute(include_str!("users/delete_newcomer.sql"), &[&id, &token]).await?;
    db.execute(include_str!("users/forget_phone_code.sql"), &[&id, &token]).await.map(drop)
}

/// Marks the recovery token as used.
pub(crate) async fn recovered(db: &impl Query, id: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("users/recovered.sql"), &[&id, &now]).await.map(drop)
}

/// One of two addresses has confirmed a change: marks the token with this hash as used.
pub(crate) async fn half_confirm_email_change(
    db: &impl Query,
    id: Uuid,
    token: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    db.execute(include_str!("users/half_confirm_email_change.sql"), &[&id, &token, &now]).await.map(drop)
}

/// `None` removes the password.
pub(crate) async fn set_password(
    db: &impl Query,
    id: Uuid,
    hash: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    db.execute(include_str!("users/set_password.sql"), &[&id, &hash, &now]).await.map(drop)
}

/// The same password with another hash or encryption.
pub(crate) async fn replace_password_hash(db: &impl Query, id: Uuid, stored: &str) -> Result<(), Error> {
    db.execute("update auth.users set encrypted_password = $2 where id = $1", &[&id, &stored]).await.map(drop)
}

/// `current_token` is empty if the current address need not confirm.
pub(crate) async fn request_email_change(
    db: &impl Query,
    id: Uuid,
    email: &str,
    new_token: &str,
    current_token: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("users/request_email_change.sql");
    db.execute(sql, &[&id, &email, &new_token, &current_token, &now]).await.map(drop)
}

pub(crate) async fn change_email(db: &impl Query, user: &User, email: &str) -> Result<(), Error> {
    let own = json(&user.user_metadata);
    db.execute(include_str!("users/change_email.sql"), &[&user.id, &email, &own, &user.updated_at]).await.map(drop)
}

pub(crate) async fn change_phone(db: &impl Query, id: Uuid, phone: &str, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("users/change_phone.sql"), &[&id, &phone, &now]).await.map(drop)
}

pub(crate) async fn confirm_reauthentication(db: &impl Query, id: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    db.execute(include_str!("users/confirm_reauthentication.sql"), &[&id, &now]).await.map(drop)
}

/// Locks the user's row until the transaction ends.
pub(crate) async fn lock(db: &impl Query, id: Uuid) -> Result<(), Error> {
    db.query_opt(include_str!("users/lock.sql"), &[&id]).await.map(drop)
}

fn json(metadata: &Metadata) -> Json<Value> {
    Json(Value::Object(metadata.clone()))
}
