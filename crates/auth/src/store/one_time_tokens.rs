//! `auth.one_time_tokens`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

/// What a one-time token is for.
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
    /// As the database's enum writes it.
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

/// Stores a token in place of the user's last one of its kind. `relates_to` is the address or number it was made for.
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

/// Takes back all tokens of a user, because the password is a new one or the account has another owner.
pub(crate) async fn clear_all(db: &impl Query, user: Uuid) -> Result<(), Error> {
    db.execute(include_str!("one_time_tokens/clear_all.sql"), &[&user]).await.map(drop)
}

/// Takes back the tokens of a user who has proved an address, but for that of a pending change of the phone number.
pub(crate) async fn clear(db: &impl Query, user: Uuid) -> Result<(), Error> {
    db.execute(include_str!("one_time_tokens/clear.sql"), &[&user]).await.map(drop)
}

/// Takes back the token of this hash.
pub(crate) async fn delete(db: &impl Query, user: Uuid, hash: &str) -> Result<(), Error> {
    db.execute(include_str!("one_time_tokens/delete.sql"), &[&user, &hash]).await.map(drop)
}
