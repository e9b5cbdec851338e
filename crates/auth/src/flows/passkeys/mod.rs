//! Passkeys: signing in by an authenticator that knows who one is.
//!
//! They have nothing to do with the security keys of [`crate::flows::mfa`]: other tables, and one factor only.
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

/// What a browser is to ask an authenticator.
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

/// Whether there are passkeys at all.
///
/// # Errors
/// [`PasskeyError::Disabled`].
pub(crate) fn check_enabled(state: &State) -> Result<(), PasskeyError> {
    if state.config.passkey.enabled { Ok(()) } else { Err(PasskeyError::Disabled) }
}

/// Whether the user may add passkeys: those of single sign-on have one way in, and who has a second factor shows it first.
///
/// # Errors
/// [`PasskeyError::SsoUser`], [`PasskeyError::NeedsAal2`].
pub(crate) fn check_may_register(holder: &Holder) -> Result<(), PasskeyError> {
    if holder.user.is_sso_user {
        return Err(PasskeyError::SsoUser);
    }
    check_has_proven(&holder.user, holder.has_proven())
}

/// Whether somebody who has a second factor has shown it.
///
/// # Errors
/// [`PasskeyError::NeedsAal2`].
pub(crate) fn check_has_proven(user: &User, has_proven: bool) -> Result<(), PasskeyError> {
    if user.has_mfa() && !has_proven { Err(PasskeyError::NeedsAal2) } else { Ok(()) }
}

/// We, as authenticators know us.
///
/// # Errors
/// A fault where the settings do not say.
pub(crate) fn relying_party(state: &State) -> Result<RelyingParty, AuthError> {
    RelyingParty::new(&state.config.webauthn)
        .map_err(|error| AuthError::internal("Failed to initialize WebAuthn", error))
}

/// The passkey whose id stands in a path.
///
/// # Errors
/// [`PasskeyError::NotFound`] for what is no id.
pub(crate) fn id(text: &str) -> Result<Uuid, PasskeyError> {
    Uuid::parse_str(text).map_err(|_| PasskeyError::NotFound)
}
