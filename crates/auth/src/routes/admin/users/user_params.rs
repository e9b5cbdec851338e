//! The parameters of a user in admin requests, and the user in a path.

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::administrator::Administrator;
use crate::model::account::{Identity, Metadata, User};
use crate::model::duration;
use crate::protocol::body::params;
use crate::store::{identities, users};
use chrono::{DateTime, TimeDelta, Utc};
use pg::pool::Query;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// The fields of a user. Absent fields keep their value or get their default.
#[derive(Default, ToSchema)]
pub(crate) struct AdminUserParams {
    /// For a new user only.
    pub(super) id: String,
    /// For a new user only.
    pub(super) aud: String,
    pub(super) role: String,
    pub(super) email: String,
    pub(super) phone: String,
    pub(super) password: Option<String>,
    /// For a new user only: bcrypt, argon2i, argon2id or Firebase scrypt.
    pub(super) password_hash: String,
    /// Whether the address counts as confirmed.
    pub(super) email_confirm: bool,
    /// Whether the number counts as confirmed.
    pub(super) phone_confirm: bool,
    /// Merged into the existing metadata; `null` deletes a key.
    #[schema(value_type = Option<Object>)]
    pub(super) user_metadata: Option<Map<String, Value>>,
    /// Merged in the same way.
    #[schema(value_type = Option<Object>)]
    pub(super) app_metadata: Option<Map<String, Value>>,
    /// Starting now: `24h`, `1h30m`, or `none` to end a ban.
    pub(super) ban_duration: String,
}
params!(AdminUserParams as "AdminUserParams" {
    id: Text, aud: Text, role: Text, email: Text, phone: Text, password: OptionalText, password_hash: Text,
    email_confirm: Flag, phone_confirm: Flag, user_metadata: Object, app_metadata: Object, ban_duration: Text,
});

/// The user in a path.
///
/// # Errors
/// [`AuthError::UserIdNotUuid`], [`AuthError::NoSuchUser`].
pub(crate) async fn named(admin: &Administrator, id: &str) -> Result<User, AuthError> {
    let id = Uuid::parse_str(id).map_err(|_| AuthError::UserIdNotUuid)?;
    let db = admin.state().pool.get().await.or_fault(UNEXPECTED)?;
    users::by_id(&db, id).await.or_fault("Database error loading user")?.ok_or(AuthError::NoSuchUser)
}

/// The change of a ban.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ban {
    /// Keep it.
    Keep,
    /// `None` ends it.
    Until(Option<DateTime<Utc>>),
}

impl Ban {
    /// Reads `ban_duration`: empty keeps the ban, `none` and zero end it.
    pub(super) fn read(text: &str, now: DateTime<Utc>) -> Result<Self, AuthError> {
        let duration = match text {
            "" => return Ok(Ban::Keep),
            "none" => TimeDelta::zero(),
            text => duration::parse(text).map_err(AuthError::BanDuration)?,
        };
        let until = (!duration.is_zero()).then(|| now.checked_add_signed(duration).unwrap_or(DateTime::<Utc>::MAX_UTC));
        Ok(Ban::Until(until))
    }
}

/// The details in the audit log: the affected user.
pub(super) fn about(user: &User) -> Value {
    json!({ "user_email": user.email, "user_id": user.id, "user_phone": user.phone })
}

/// Adds an identity of the user's own address or number.
pub(super) async fn add_identity(
    db: &impl Query,
    user: &User,
    provider: &str,
    address: &str,
    is_verified: bool,
    now: DateTime<Utc>,
) -> Result<Identity, AuthError> {
    let mut data = Metadata::new();
    let (is_email, is_phone) = (provider == "email", provider == "phone");
    if is_email {
        data.insert("email".to_owned(), json!(address));
    }
    data.insert("email_verified".to_owned(), json!(is_email && is_verified));
    if is_phone {
        data.insert("phone".to_owned(), json!(address));
    }
    data.insert("phone_verified".to_owned(), json!(is_phone && is_verified));
    data.insert("sub".to_owned(), json!(user.id));
    let identity = Identity {
        identity_id: Uuid::new_v4(),
        provider_id: user.id.to_string(),
        user_id: user.id,
        identity_data: data,
        provider: provider.to_owned(),
        last_sign_in_at: Some(now),
        created_at: now,
        updated_at: now,
        email: is_email.then(|| address.to_owned()),
    };
    identities::insert(db, &identity).await.or_fault("Error creating identity")?;
    Ok(identity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bans_are_durations_or_none() {
        let now = DateTime::UNIX_EPOCH;
        let until = |text: &str| Some(text.parse().unwrap());
        for (text, ban) in [
            ("", Ban::Keep),
            ("none", Ban::Until(None)),
            ("0", Ban::Until(None)),
            ("1h30m", Ban::Until(until("1970-01-01T01:30:00Z"))),
            ("-1s", Ban::Until(until("1969-12-31T23:59:59Z"))),
        ] {
            assert_eq!(Ban::read(text, now).unwrap(), ban, "{text}");
        }
        assert!(matches!(Ban::read("forever", now), Err(AuthError::BanDuration(_))));
    }
}
