//! `auth.one_time_tokens`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

/// The purpose of a one-time token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Confirmation,
    Recovery,
    Reauthentication,
    EmailChangeCurrent,
    EmailChangeNew,
    PhoneChange,
}

impl Kind {
    /// The value of the database's enum.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Kind::Confirmation => "confirmation_token",
            Kind::Recovery => "recovery_token",
            Kind::Reauthentication => "reauthentication_token",
            Kind::PhoneChange => "phone_change_token",
            Kind::EmailChangeCurrent => "email_change_token_current",
            Kind::EmailChangeNew => "email_change_token_new",
        }
    }
}

/// Replaces the user's token of this kind. `relates_to` is the address or number it was made for.
pub(crate) async fn replace(
    db: &impl Query,
    user: Uuid,
    kind: Kind,
    hash: &str,
    relates_to: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("one_time_tokens/replace.sql");
    db.execute(sql, &[&user, &kind.as_str(), &hash, &relates_to, &now]).await.map(drop)
}

/// Revokes all tokens of a user, because the password or the owner of the account has changed.
pub(crate) async fn clear_all(db: &impl Query, user: Uuid) -> Result<(), Error> {
    db.execute(include_str!("one_time_tokens/clear_all.sql"), &[&user]).await.map(drop)
}

/// Revokes the tokens of a user who has confirmed an address, except for that of a pending phone change.
pub(crate) async fn clear(db: &impl Query, user: Uuid) -> Result<(), Error> {
    db.execute(include_str!("one_time_tokens/clear.sql"), &[&user]).await.map(drop)
}

/// Revokes the token with this hash.
pub(crate) async fn delete(db: &impl Query, user: Uuid, hash: &str) -> Result<(), Error> {
    db.execute(include_str!("one_time_tokens/delete.sql"), &[&user, &hash]).await.map(drop)
}
