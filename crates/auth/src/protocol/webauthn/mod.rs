//! Credentials of authenticators (WebAuthn level 3), as a second factor and as passkeys.
//!
//! webauthn-rs checks what browsers send. What is asked of them and what is stored is GoTrue's, so that credentials made there are
//! good here, and the other way about: options in [`options`], the ceremony in hand in [`session_data`], credentials in
//! [`credential`].
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

/// How long a browser may wait for its user; told to it, not enforced.
const TIMEOUT: Duration = Duration::from_secs(300);
/// Bytes of a challenge.
const CHALLENGE: usize = 32;

/// We, as authenticators know us.
pub(crate) struct RelyingParty {
    id: String,
    name: String,
    core: WebauthnCore,
}

/// Why there is no ceremony.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unconfigured {
    /// Nothing at all can be done.
    #[error("GOTRUE_WEBAUTHN_RP_ORIGINS names no origin")]
    Origins,
    /// Responses could be checked, but nothing be asked.
    #[error("GOTRUE_WEBAUTHN_RP_ID or GOTRUE_WEBAUTHN_RP_DISPLAY_NAME is missing or no domain")]
    Identity,
}

/// Why a response is not accepted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CeremonyError {
    /// It does not have the form of one.
    #[error("the response cannot be read: {0}")]
    Unreadable(String),
    /// It proves nothing.
    #[error("{0}")]
    Refused(String),
}

/// What an assertion has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Assertion {
    /// Counts the uses of the credential, where the authenticator counts.
    pub(crate) sign_count: u32,
    pub(crate) backed_up: bool,
}

impl RelyingParty {
    /// As the settings have it.
    ///
    /// # Errors
    /// [`Unconfigured::Origins`].
    pub(crate) fn new(config: &WebAuthnConfig) -> Result<Self, Unconfigured> {
        if config.rp_origins.is_empty() {
            return Err(Unconfigured::Origins);
        }
        let origins = config.rp_origins.clone();
        // Every origin in full, ports too.
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

    /// Asks for a new credential of `person`, of another authenticator than those of `exclude`.
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

    /// Asks for an assertion: with one of the credentials of a user, or of anybody.
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

    /// Checks the answer of `navigator.credentials.create()` (WebAuthn level 3, section 7.1), for the user it was asked of.
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

    /// Checks the answer of `navigator.credentials.get()` (WebAuthn level 3, section 7.2) against the credentials of the user it
    /// names. Gives the index of the one that signed, and what it has shown.
    ///
    /// DEVIATION: an assertion whose signature counter does not go up is refused, as its authenticator may have been copied; GoTrue
    /// lets it in.
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

/// The user whom an assertion names: authenticators keep the id of the user with a passkey.
///
/// # Errors
/// [`CeremonyError::Unreadable`]; [`CeremonyError::Refused`] where it names nobody.
pub(crate) fn user_of(response: &Value) -> Result<Uuid, CeremonyError> {
    user_handle(&assertion(response)?).ok_or_else(|| refused("the response names no user"))
}

/// The handle is the text of the user's id; another one is nobody's.
fn user_handle(parsed: &PublicKeyCredential) -> Option<Uuid> {
    let handle = parsed.response.user_handle.as_deref().filter(|handle| !handle.is_empty())?;
    Some(std::str::from_utf8(handle).ok().and_then(|text| Uuid::parse_str(text).ok()).unwrap_or(Uuid::nil()))
}

fn assertion(response: &Value) -> Result<PublicKeyCredential, CeremonyError> {
    attested::check_envelope(response).map_err(CeremonyError::Unreadable)?;
    read(response)
}

/// Reads a response without the outputs of extensions: we ask for none.
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

/// Whether authenticators would take it for an id of a relying party: a host, without scheme, port and path.
fn is_domain(id: &str) -> bool {
    !id.is_empty() && url::Host::parse(id).is_ok()
}
