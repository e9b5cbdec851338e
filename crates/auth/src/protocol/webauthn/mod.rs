//! WebAuthn credentials (WebAuthn level 3), as second factors and as passkeys.
//!
//! webauthn-rs verifies the responses of browsers. Options and stored forms are GoTrue's, so that credentials work in
//! both: options in [`options`], the state of a ceremony in [`session_data`], credentials in [`credential`].
//!
//! Source: supabase/auth, `internal/api/passkey_webauthn.go` and `mfa.go`; go-webauthn 0.16 for the stored forms.

mod attested;
mod credential;
mod names;
mod options;
mod session_data;

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::Rng;
use serde_json::Value;
use uuid::Uuid;
use webauthn_rs_core::WebauthnCore;
use webauthn_rs_core::proto::{PublicKeyCredential, RegisterPublicKeyCredential};

use crate::config::WebAuthnConfig;

pub(crate) use attested::Attested;
pub(crate) use credential::Credential;
pub(crate) use names::of_authenticator;
pub(crate) use options::{Descriptor, Person, Use};
pub(crate) use session_data::SessionData;

/// The time limit for the user; told to the browser, not enforced.
const TIMEOUT: Duration = Duration::from_secs(300);
/// Length of a challenge, in bytes.
const CHALLENGE: usize = 32;

/// The relying party.
pub(crate) struct RelyingParty {
    id: String,
    name: String,
    core: WebauthnCore,
}

/// Why the settings allow no ceremony.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unconfigured {
    /// Neither challenges nor verification are possible.
    #[error("GOTRUE_WEBAUTHN_RP_ORIGINS names no origin")]
    Origins,
    /// Responses could be verified, but no challenge can be made.
    #[error("GOTRUE_WEBAUTHN_RP_ID or GOTRUE_WEBAUTHN_RP_DISPLAY_NAME is missing or no domain")]
    Identity,
}

/// Why a response is not accepted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CeremonyError {
    /// It does not have the right format.
    #[error("the response cannot be read: {0}")]
    Unreadable(String),
    /// Its verification failed.
    #[error("{0}")]
    Refused(String),
}

/// The result of a verified assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Assertion {
    /// The signature counter; 0 if the authenticator does not count.
    pub(crate) sign_count: u32,
    pub(crate) backed_up: bool,
}

impl RelyingParty {
    /// The configured relying party.
    ///
    /// # Errors
    /// [`Unconfigured::Origins`].
    pub(crate) fn new(config: &WebAuthnConfig) -> Result<Self, Unconfigured> {
        if config.rp_origins.is_empty() {
            return Err(Unconfigured::Origins);
        }
        let origins = config.rp_origins.clone();
        // Origins must match exactly, including the port.
        let core = WebauthnCore::new_unsafe_experts_only(
            &config.rp_display_name,
            &config.rp_id,
            origins,
            TIMEOUT,
            Some(false),
            Some(false),
        );
        Ok(RelyingParty { id: config.rp_id.clone(), name: config.rp_display_name.clone(), core })
    }

    /// Options for a new credential of `person`, on another authenticator than those in `exclude`.
    ///
    /// # Errors
    /// [`Unconfigured::Identity`].
    pub(crate) fn ask_to_register(
        &self,
        person: &Person<'_>,
        purpose: Use,
        exclude: &[Descriptor],
    ) -> Result<(Value, SessionData), Unconfigured> {
        if !is_domain(&self.id) || self.name.is_empty() {
            return Err(Unconfigured::Identity);
        }
        let challenge = new_challenge();
        let options = options::creation(&self.id, &self.name, person, purpose, &challenge, exclude);
        Ok((options, SessionData::of_registration(&self.id, person.id, purpose, challenge)))
    }

    /// Options for an assertion: with the credentials of one user, or with any discoverable credential.
    ///
    /// # Errors
    /// [`Unconfigured::Identity`].
    pub(crate) fn ask_to_assert(
        &self,
        user: Option<(Uuid, &[Credential])>,
        purpose: Use,
    ) -> Result<(Value, SessionData), Unconfigured> {
        if !is_domain(&self.id) {
            return Err(Unconfigured::Identity);
        }
        let challenge = new_challenge();
        let credentials = user.map_or(&[][..], |(_, credentials)| credentials);
        let descriptors: Vec<Descriptor> = credentials.iter().map(Credential::descriptor).collect();
        let options = options::request(&self.id, purpose, &challenge, &descriptors);
        Ok((options, SessionData::of_assertion(&self.id, user, purpose, challenge)))
    }

    /// Verifies the response of `navigator.credentials.create()` (WebAuthn level 3, section 7.1) for the user of the
    /// ceremony.
    ///
    /// # Errors
    /// [`CeremonyError`].
    pub(crate) fn register(
        &self,
        session: &SessionData,
        user: Uuid,
        response: &Value,
    ) -> Result<Credential, CeremonyError> {
        let attested = Attested::read(response).map_err(CeremonyError::Unreadable)?;
        let parsed: RegisterPublicKeyCredential = read(response)?;
        if session.user() != Some(user) {
            return Err(refused("the challenge is another user's"));
        }
        let state = session.registration_state().map_err(refused)?;
        self.core.register_credential(&parsed, &state, None).map_err(refused)?;
        Ok(Credential::new(response, attested, &parsed))
    }

    /// Verifies the response of `navigator.credentials.get()` (WebAuthn level 3, section 7.2) against the user's
    /// credentials. Returns the index of the credential that signed, and the result.
    ///
    /// DEVIATION (stricter): a WebAuthn assertion whose signature counter does not increase is refused, because its
    /// authenticator may have been cloned; GoTrue accepts it.
    ///
    /// # Errors
    /// [`CeremonyError`].
    pub(crate) fn assert(
        &self,
        session: &SessionData,
        user: Uuid,
        credentials: &[Credential],
        response: &Value,
    ) -> Result<(usize, Assertion), CeremonyError> {
        let parsed = assertion(response)?;
        if session.user().is_some_and(|asked| asked != user) {
            return Err(refused("the challenge is another user's"));
        }
        if user_handle(&parsed).is_some_and(|handle| handle != user) {
            return Err(refused("the credential is another user's"));
        }
        if !session.allows(&parsed.raw_id) {
            return Err(refused("the credential is none of those asked for"));
        }
        let index = credentials.iter().position(|credential| credential.id == parsed.raw_id);
        let index = index.ok_or_else(|| refused("the user has no such credential"))?;
        let known = credentials[index].known().map_err(refused)?;
        let state = session.assertion_state().map_err(refused)?;
        let result = self.core.authenticate_single_credential(&parsed, &state, &known).map_err(refused)?;
        Ok((index, Assertion { sign_count: result.counter(), backed_up: result.backup_state() }))
    }
}

/// The user whom an assertion names: authenticators store the user's id with a passkey.
///
/// # Errors
/// [`CeremonyError::Unreadable`]; [`CeremonyError::Refused`] if it names no user.
pub(crate) fn user_of(response: &Value) -> Result<Uuid, CeremonyError> {
    user_handle(&assertion(response)?).ok_or_else(|| refused("the response names no user"))
}

/// The handle is the text of the user's id; any other text becomes the nil UUID, which no user has.
fn user_handle(parsed: &PublicKeyCredential) -> Option<Uuid> {
    let handle = parsed.response.user_handle.as_deref().filter(|handle| !handle.is_empty())?;
    Some(std::str::from_utf8(handle).ok().and_then(|text| Uuid::parse_str(text).ok()).unwrap_or(Uuid::nil()))
}

fn assertion(response: &Value) -> Result<PublicKeyCredential, CeremonyError> {
    attested::check_envelope(response).map_err(CeremonyError::Unreadable)?;
    read(response)
}

/// Parses a response without the outputs of extensions, which we never request.
fn read<T: serde::de::DeserializeOwned>(response: &Value) -> Result<T, CeremonyError> {
    let mut response = response.clone();
    if let Some(fields) = response.as_object_mut() {
        fields.shift_remove("clientExtensionResults");
        fields.shift_remove("extensions");
    }
    serde_json::from_value(response).map_err(|error| CeremonyError::Unreadable(error.to_string()))
}

fn refused(reason: impl std::fmt::Display) -> CeremonyError {
    CeremonyError::Refused(reason.to_string())
}

fn new_challenge() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(rand::rng().random::<[u8; CHALLENGE]>())
}

/// True if the id is a valid relying party id: a host without scheme, port and path.
fn is_domain(id: &str) -> bool {
    !id.is_empty() && url::Host::parse(id).is_ok()
}
