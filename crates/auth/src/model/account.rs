//! Users with identities and factors, as stored and as the API shows them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio_postgres::Row;
use tokio_postgres::types::Json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::model::timestamp;

/// JSON objects filled by users and providers.
pub(crate) type Metadata = Map<String, Value>;

/// A row of `auth.users` with its identities and factors. Never serialised: see [`UserBody`].
#[derive(Clone, Default)]
pub(crate) struct User {
    pub(crate) id: Uuid,
    pub(crate) aud: String,
    pub(crate) role: String,
    pub(crate) email: String,
    pub(crate) phone: String,
    pub(crate) is_sso_user: bool,
    pub(crate) is_anonymous: bool,
    pub(crate) encrypted_password: Option<String>,
    pub(crate) email_confirmed_at: Option<DateTime<Utc>>,
    pub(crate) phone_confirmed_at: Option<DateTime<Utc>>,
    pub(crate) confirmed_at: Option<DateTime<Utc>>,
    pub(crate) invited_at: Option<DateTime<Utc>>,
    pub(crate) confirmation_sent_at: Option<DateTime<Utc>>,
    pub(crate) recovery_sent_at: Option<DateTime<Utc>>,
    pub(crate) email_change: String,
    pub(crate) email_change_sent_at: Option<DateTime<Utc>>,
    pub(crate) phone_change: String,
    pub(crate) phone_change_sent_at: Option<DateTime<Utc>>,
    pub(crate) email_change_confirm_status: i16,
    pub(crate) confirmation_token: String,
    pub(crate) recovery_token: String,
    pub(crate) email_change_token_current: String,
    pub(crate) email_change_token_new: String,
    pub(crate) phone_change_token: String,
    pub(crate) reauthentication_token: String,
    pub(crate) reauthentication_sent_at: Option<DateTime<Utc>>,
    pub(crate) last_sign_in_at: Option<DateTime<Utc>>,
    pub(crate) app_metadata: Metadata,
    pub(crate) user_metadata: Metadata,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) updated_at: DateTime<Utc>,
    pub(crate) banned_until: Option<DateTime<Utc>>,
    pub(crate) deleted_at: Option<DateTime<Utc>>,
    pub(crate) identities: Vec<Identity>,
    pub(crate) factors: Vec<Factor>,
}

/// A row of `auth.identities`: the user's account at one provider. Also its shape on the wire.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Identity {
    /// The row's id.
    pub(crate) identity_id: Uuid,
    /// The user's id at the provider; for `email` and `phone` the user's own id.
    #[serde(rename = "id")]
    pub(crate) provider_id: String,
    pub(crate) user_id: Uuid,
    /// The provider's data about the user.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub(crate) identity_data: Metadata,
    pub(crate) provider: String,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) last_sign_in_at: Option<DateTime<Utc>>,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) created_at: DateTime<Utc>,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) updated_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) email: Option<String>,
}

/// A row of `auth.mfa_factors`, and its shape on the wire.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Factor {
    pub(crate) id: Uuid,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) created_at: DateTime<Utc>,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) updated_at: DateTime<Utc>,
    /// `unverified` or `verified`.
    pub(crate) status: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) friendly_name: String,
    /// `totp`, `phone` or `webauthn`.
    pub(crate) factor_type: String,
    pub(crate) phone: String,
    #[serde(serialize_with = "timestamp::optional::serialize")]
    pub(crate) last_challenged_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) web_authn_aaguid: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub(crate) last_webauthn_challenge_data: Option<Value>,
}

impl Factor {
    /// True if the factor is verified.
    pub(crate) fn is_verified(&self) -> bool {
        self.status == "verified"
    }
}

impl User {
    /// Reads the columns that every query on users selects under these names.
    ///
    /// # Errors
    /// If a column has an unexpected type.
    pub(crate) fn from_row(row: &Row) -> Result<Self, tokio_postgres::Error> {
        let text = |column: &str| row.try_get::<_, Option<String>>(column).map(Option::unwrap_or_default);
        let object = |column: &str| {
            let value = row.try_get::<_, Option<Value>>(column)?;
            Ok::<_, tokio_postgres::Error>(match value {
                Some(Value::Object(map)) => map,
                _ => Map::new(),
            })
        };
        // The two columns are nullable; a row inserted by hand may lack them.
        let time = |column: &str| row.try_get::<_, Option<DateTime<Utc>>>(column).map(Option::unwrap_or_default);
        Ok(User {
            id: row.try_get("id")?,
            aud: text("aud")?,
            role: text("role")?,
            email: text("email")?,
            phone: text("phone")?,
            is_sso_user: row.try_get("is_sso_user")?,
            is_anonymous: row.try_get("is_anonymous")?,
            encrypted_password: row.try_get("encrypted_password")?,
            email_confirmed_at: row.try_get("email_confirmed_at")?,
            phone_confirmed_at: row.try_get("phone_confirmed_at")?,
            confirmed_at: row.try_get("confirmed_at")?,
            invited_at: row.try_get("invited_at")?,
            confirmation_sent_at: row.try_get("confirmation_sent_at")?,
            recovery_sent_at: row.try_get("recovery_sent_at")?,
            email_change: text("email_change")?,
            email_change_sent_at: row.try_get("email_change_sent_at")?,
            phone_change: text("phone_change")?,
            phone_change_sent_at: row.try_get("phone_change_sent_at")?,
            email_change_confirm_status: row
                .try_get::<_, Option<i16>>("email_change_confirm_status")?
                .unwrap_or_default(),
            confirmation_token: text("confirmation_token")?,
            recovery_token: text("recovery_token")?,
            email_change_token_current: text("email_change_token_current")?,
            email_change_token_new: text("email_change_token_new")?,
            phone_change_token: text("phone_change_token")?,
            reauthentication_token: text("reauthentication_token")?,
            reauthentication_sent_at: row.try_get("reauthentication_sent_at")?,
            last_sign_in_at: row.try_get("last_sign_in_at")?,
            app_metadata: object("raw_app_meta_data")?,
            user_metadata: object("raw_user_meta_data")?,
            created_at: time("created_at")?,
            updated_at: time("updated_at")?,
            banned_until: row.try_get("banned_until")?,
            deleted_at: row.try_get("deleted_at")?,
            identities: row.try_get::<_, Json<Vec<Identity>>>("identities")?.0,
            factors: row.try_get::<_, Json<Vec<Factor>>>("factors")?.0,
        })
    }

    /// The hash, unless the user has no password.
    pub(crate) fn password_hash(&self) -> Option<&str> {
        self.encrypted_password.as_deref().filter(|hash| !hash.is_empty())
    }

    pub(crate) fn is_banned(&self, now: DateTime<Utc>) -> bool {
        self.banned_until.is_some_and(|until| now < until)
    }

    /// True if the user has a verified second factor.
    pub(crate) fn has_mfa(&self) -> bool {
        self.factors.iter().any(Factor::is_verified)
    }

    /// The distinct providers of the user's identities, in the order of the identities.
    pub(crate) fn providers(&self) -> Vec<&str> {
        let mut providers: Vec<&str> = Vec::new();
        for identity in &self.identities {
            if !providers.contains(&identity.provider.as_str()) {
                providers.push(&identity.provider);
            }
        }
        providers
    }

    /// The user's name in the audit log.
    pub(crate) fn name_for_audit(&self) -> &str {
        if self.phone.is_empty() { &self.email } else { &self.phone }
    }
}

/// Applies changes to metadata: shallowly; `null` deletes a key.
///
/// DEVIATION (more): numbers in metadata keep all their digits; GoTrue converts them to doubles.
pub(crate) fn merge(metadata: &mut Metadata, changes: Metadata) {
    for (key, value) in changes {
        if value.is_null() {
            metadata.shift_remove(&key);
        } else {
            metadata.insert(key, value);
        }
    }
}

/// A user as the API shows it. Field order and omission of empty fields are GoTrue's.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct UserBody {
    pub(crate) id: Uuid,
    pub(crate) aud: String,
    pub(crate) role: String,
    pub(crate) email: String,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) email_confirmed_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) invited_at: Option<DateTime<Utc>>,
    pub(crate) phone: String,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) phone_confirmed_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) confirmation_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) confirmed_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) recovery_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) new_email: String,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) email_change_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) new_phone: String,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) phone_change_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) reauthentication_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) last_sign_in_at: Option<DateTime<Utc>>,
    /// Set by the project: provider, providers, and what its servers add.
    #[schema(value_type = Object)]
    pub(crate) app_metadata: Metadata,
    /// Set by the user.
    #[schema(value_type = Object)]
    pub(crate) user_metadata: Metadata,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) factors: Vec<Factor>,
    /// `null` in lists of users.
    pub(crate) identities: Option<Vec<Identity>>,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) created_at: DateTime<Utc>,
    #[serde(serialize_with = "timestamp::serialize")]
    pub(crate) updated_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) banned_until: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    pub(crate) deleted_at: Option<DateTime<Utc>>,
    pub(crate) is_anonymous: bool,
}

impl From<User> for UserBody {
    fn from(user: User) -> Self {
        UserBody {
            id: user.id,
            aud: user.aud,
            role: user.role,
            email: user.email,
            email_confirmed_at: user.email_confirmed_at,
            invited_at: user.invited_at,
            phone: user.phone,
            phone_confirmed_at: user.phone_confirmed_at,
            confirmation_sent_at: user.confirmation_sent_at,
            confirmed_at: user.confirmed_at,
            recovery_sent_at: user.recovery_sent_at,
            new_email: user.email_change,
            email_change_sent_at: user.email_change_sent_at,
            new_phone: user.phone_change,
            phone_change_sent_at: user.phone_change_sent_at,
            reauthentication_sent_at: user.reauthentication_sent_at,
            last_sign_in_at: user.last_sign_in_at,
            app_metadata: user.app_metadata,
            user_metadata: user.user_metadata,
            factors: user.factors,
            identities: Some(user.identities),
            created_at: user.created_at,
            updated_at: user.updated_at,
            banned_until: user.banned_until,
            deleted_at: user.deleted_at,
            is_anonymous: user.is_anonymous,
        }
    }
}

/// The app metadata of a user with one provider.
pub(crate) fn app_metadata(provider: &str) -> Metadata {
    let mut metadata = Metadata::new();
    metadata.insert("provider".to_owned(), json!(provider));
    metadata.insert("providers".to_owned(), json!([provider]));
    metadata
}
