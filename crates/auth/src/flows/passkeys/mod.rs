//! Passkeys: sign-in with discoverable WebAuthn credentials.
//!
//! They are separate from the security keys of [`crate::flows::mfa`]: they use other tables and count as one factor
//! only.
//!
//! Source: supabase/auth, `internal/api/passkey_*.go`.

mod answer;

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::{AuthError, PasskeyError};
use crate::flows::mfa::Holder;
use crate::model::account::User;
use crate::model::passkey::Passkey;
use crate::model::timestamp;
use crate::protocol::webauthn::RelyingParty;
use crate::state::State;

pub(crate) use answer::{Answer, PasskeyAuthenticationVerifyParams, PasskeyRegistrationVerifyParams};

/// A passkey as its owner sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct PasskeyBody {
    id: Uuid,
    #[serde(skip_serializing_if = "String::is_empty")]
    friendly_name: String,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "timestamp::optional::serialize")]
    last_used_at: Option<DateTime<Utc>>,
}

/// A challenge with the options for the browser's WebAuthn call.
#[derive(Serialize, ToSchema)]
pub(crate) struct OptionsBody {
    pub(crate) challenge_id: Uuid,
    /// `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.
    #[schema(value_type = Object)]
    pub(crate) options: serde_json::Value,
    /// Seconds since 1970.
    pub(crate) expires_at: i64,
}

impl From<Passkey> for PasskeyBody {
    fn from(passkey: Passkey) -> Self {
        let Passkey { id, friendly_name, created_at, last_used_at, .. } = passkey;
        PasskeyBody { id, friendly_name, created_at, last_used_at }
    }
}

/// Checks that passkeys are enabled.
///
/// # Errors
/// [`PasskeyError::Disabled`].
pub(crate) fn check_enabled(state: &State) -> Result<(), PasskeyError> {
    if state.config.passkey.enabled { Ok(()) } else { Err(PasskeyError::Disabled) }
}

/// Checks that the user may add passkeys. Single sign-on users may not, and users with a second factor must have
/// verified it.
///
/// # Errors
/// [`PasskeyError::SsoUser`], [`PasskeyError::NeedsAal2`].
pub(crate) fn check_may_register(holder: &Holder) -> Result<(), PasskeyError> {
    if holder.user.is_sso_user {
        return Err(PasskeyError::SsoUser);
    }
    check_aal2(&holder.user, holder.is_aal2())
}

/// Checks that a user with a second factor has verified it.
///
/// # Errors
/// [`PasskeyError::NeedsAal2`].
pub(crate) fn check_aal2(user: &User, is_aal2: bool) -> Result<(), PasskeyError> {
    if user.has_mfa() && !is_aal2 { Err(PasskeyError::NeedsAal2) } else { Ok(()) }
}

/// Our relying party.
///
/// # Errors
/// A fault if it is not configured.
pub(crate) fn relying_party(state: &State) -> Result<RelyingParty, AuthError> {
    RelyingParty::new(&state.config.webauthn)
        .map_err(|error| AuthError::internal("Failed to initialize WebAuthn", error))
}

/// The id of a passkey in a path.
///
/// # Errors
/// [`PasskeyError::NotFound`] if it is not a UUID.
pub(crate) fn id(text: &str) -> Result<Uuid, PasskeyError> {
    Uuid::parse_str(text).map_err(|_| PasskeyError::NotFound)
}
