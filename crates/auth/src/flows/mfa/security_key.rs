//! Security keys as a second factor. The first challenge creates a credential, later ones request its signature.
//!
//! The relying party comes from the settings. Values from the client are ignored, as in GoTrue.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use super::Holder;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, MfaError};
use crate::model::account::{Factor, User};
use crate::model::factor::{Answer, Challenge, Pending};
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::protocol::body;
use crate::protocol::webauthn::{
    CeremonyError, Credential, Descriptor, Person, RelyingParty, SessionData, Unconfigured, Use,
};
use crate::state::State;
use crate::store::{mfa_challenges, mfa_factors};

const NO_RELYING_PARTY: &str = "Failed to generate WebAuthn registration data";

/// The type of response that the client states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ceremony {
    Create,
    Request,
}

/// Creates a challenge. Returns it with the options that the client needs to answer it.
///
/// # Errors
/// A fault if the settings configure no relying party.
pub(crate) async fn challenge(
    state: &State,
    holder: &Holder,
    factor: &Factor,
    requester: &Requester,
    now: DateTime<Utc>,
) -> Result<(Challenge, Value), AuthError> {
    let party = RelyingParty::new(&state.config.webauthn).map_err(|error| AuthError::internal(UNEXPECTED, error))?;
    let user = &holder.user;
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let credentials = credentials(&connection, user).await?;
    let unconfigured = |error: Unconfigured| AuthError::internal(NO_RELYING_PARTY, error);
    let (kind, options, data) = if factor.is_verified() {
        let user = Some((user.id, credentials.as_slice()));
        let (options, data) = party.ask_to_assert(user, Use::SecondFactor).map_err(unconfigured)?;
        (Ceremony::Request, options, data)
    } else {
        let person = Person { id: user.id, name: &user.email, display_name: &user.email };
        let exclude: Vec<Descriptor> = credentials.iter().map(excluded).collect();
        let asked = party.ask_to_register(&person, Use::SecondFactor, &exclude);
        let (options, data) = asked.map_err(unconfigured)?;
        (Ceremony::Create, options, data)
    };
    let mut challenge = Challenge::new(factor, requester.ip, now);
    challenge.session_data = Some(data.stored());
    // GoTrue writes no entry to the audit log here either.
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    mfa_challenges::insert(&db, &challenge).await.or_fault(UNEXPECTED)?;
    db.commit().await.or_fault(UNEXPECTED)?;
    Ok((challenge, json!({ "type": kind.as_str(), "credential_options": { "publicKey": options } })))
}

/// Lists common transports, so that a connected key that is already registered is not registered again.
fn excluded(credential: &Credential) -> Descriptor {
    Descriptor { transports: vec!["usb".to_owned(), "nfc".to_owned()], ..credential.descriptor() }
}

/// The credentials of all verified security keys of the user.
async fn credentials(db: &impl pg::pool::Query, user: &User) -> Result<Vec<Credential>, AuthError> {
    let stored = mfa_factors::credentials(db, user.id).await.or_fault(UNEXPECTED)?;
    Ok(stored.into_iter().filter_map(|(_, stored)| Credential::of_factor(stored)).collect())
}

/// The `webauthn` part of a request.
pub(crate) struct Response {
    ceremony: Ceremony,
    credential: Value,
}

/// Reads the member `webauthn` of a body; `params` is the name of Go's struct for the error message.
///
/// # Errors
/// [`AuthError::BadJson`] if it is not an object, or its type is not a string.
pub(crate) fn member(params: &str, value: Option<Value>) -> Result<Option<Map<String, Value>>, AuthError> {
    let unfit = |value: &Value, field: &str, expected: &str| {
        let found = body::kind(value);
        AuthError::BadJson(format!("json: cannot unmarshal {found} into Go struct field {field} of type {expected}"))
    };
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(fields)) => match fields.get("type") {
            None | Some(Value::Null | Value::String(_)) => Ok(Some(fields)),
            Some(other) => Err(unfit(other, "WebAuthnParams.webauthn.type", "string")),
        },
        Some(other) => Err(unfit(&other, &format!("{params}.webauthn"), "api.WebAuthnParams")),
    }
}

impl Response {
    /// Reads `{type, credential_response}`.
    ///
    /// # Errors
    /// [`MfaError::WebAuthnRequired`], [`MfaError::WebAuthnType`], [`MfaError::ResponseRequired`].
    pub(crate) fn read(webauthn: Option<Map<String, Value>>) -> Result<Self, MfaError> {
        let mut fields = webauthn.ok_or(MfaError::WebAuthnRequired)?;
        let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        let ceremony = [Ceremony::Create, Ceremony::Request].into_iter().find(|one| one.as_str() == kind);
        let ceremony = ceremony.ok_or(MfaError::WebAuthnType)?;
        let credential = fields.shift_remove("credential_response").ok_or(MfaError::ResponseRequired)?;
        Ok(Response { ceremony, credential })
    }
}

/// Verifies the response of a key: the one being enrolled, or one of the user's.
///
/// DEVIATION (behaviour): `last_webauthn_challenge_data` holds the response as the browser sent it, not as go-webauthn
/// parses it; and the signature counter of a security key is updated.
///
/// # Errors
/// [`MfaError::ResponseInvalid`]; a fault if the response does not verify, as in GoTrue.
pub(crate) async fn verify(
    state: &State,
    holder: &Holder,
    factor: &Factor,
    pending: &Pending,
    response: &Response,
) -> Result<Answer, AuthError> {
    const REFUSED: &str = "Failed to validate WebAuthn MFA response";
    let party = RelyingParty::new(&state.config.webauthn).map_err(|error| AuthError::internal(UNEXPECTED, error))?;
    let stored = pending.session_data.clone().unwrap_or_default();
    let data = SessionData::read(stored).map_err(|error| AuthError::internal(UNEXPECTED, error))?;
    let user = holder.user.id;
    let refused = |message: &'static str| {
        move |error: CeremonyError| match error {
            CeremonyError::Unreadable(_) => MfaError::ResponseInvalid.into(),
            CeremonyError::Refused(reason) => AuthError::internal(message, reason),
        }
    };
    let (credential, aaguid) = match response.ceremony {
        // A verified factor keeps its key.
        Ceremony::Create if factor.is_verified() => {
            return Err(AuthError::internal(UNEXPECTED, "the factor has its key already"));
        }
        Ceremony::Create => {
            let new = party.register(&data, user, &response.credential).map_err(refused(UNEXPECTED))?;
            (new.stored(new.sign_count), new.aaguid)
        }
        Ceremony::Request => {
            let db = state.pool.get().await.or_fault(UNEXPECTED)?;
            let own = mfa_factors::credentials(&db, user).await.or_fault(UNEXPECTED)?;
            let own: Vec<Credential> = own
                .into_iter()
                .filter(|(id, _)| *id == factor.id)
                .filter_map(|(_, stored)| Credential::of_factor(stored))
                .collect();
            let (index, shown) = party.assert(&data, user, &own, &response.credential).map_err(refused(REFUSED))?;
            (own[index].stored(shown.sign_count), own[index].aaguid)
        }
    };
    let last_challenge = json!({
        "challenge": {
            "challenge_id": pending.id,
            "factor_id": factor.id,
            "created_at": timestamp::format(&pending.created_at),
            "ip_address": pending.ip,
            "web_authn_session_data": data.stored(),
        },
        "type": response.ceremony.as_str(),
        "credential_response": response.credential,
    });
    Ok(Answer { credential, aaguid, last_challenge })
}

impl Ceremony {
    fn as_str(self) -> &'static str {
        match self {
            Ceremony::Create => "create",
            Ceremony::Request => "request",
        }
    }
}
