//! The stored state of a ceremony: go-webauthn's `SessionData`.

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;
use webauthn_rs_core::proto::{AuthenticationState, COSEAlgorithm, RegistrationState};

use super::options::{self, Use};
use super::{Credential, options::ALGORITHMS};

/// Go's zero time: the row has its own expiry.
const NEVER: &str = "0001-01-01T00:00:00Z";

/// What the response must match.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct SessionData {
    /// Base64url without padding.
    challenge: String,
    #[serde(rename = "rpId", default)]
    rp_id: String,
    /// The text of the user's id in base64; `None` if any user may answer.
    user_id: Option<String>,
    /// Credential ids in base64; an empty list allows all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    allowed_credentials: Vec<String>,
    #[serde(default)]
    expires: String,
    #[serde(rename = "userVerification", default)]
    user_verification: String,
    #[serde(rename = "credParams", default, skip_serializing_if = "Option::is_none")]
    parameters: Option<Value>,
}

impl SessionData {
    pub(super) fn of_registration(rp_id: &str, user: Uuid, purpose: Use, challenge: String) -> Self {
        let parameters = Some(options::parameters());
        SessionData { parameters, ..Self::of_assertion(rp_id, Some((user, &[])), purpose, challenge) }
    }

    pub(super) fn of_assertion(
        rp_id: &str,
        user: Option<(Uuid, &[Credential])>,
        purpose: Use,
        challenge: String,
    ) -> Self {
        let credentials = user.map_or(&[][..], |(_, credentials)| credentials);
        SessionData {
            challenge,
            rp_id: rp_id.to_owned(),
            user_id: user.map(|(id, _)| BASE64_STANDARD.encode(id.to_string())),
            allowed_credentials: credentials.iter().map(|credential| BASE64_STANDARD.encode(&credential.id)).collect(),
            expires: NEVER.to_owned(),
            user_verification: purpose.user_verification().to_owned(),
            parameters: None,
        }
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// If it is not a ceremony.
    pub(crate) fn read(stored: Value) -> Result<Self, serde_json::Error> {
        serde_json::from_value(stored)
    }

    /// The form to store.
    pub(crate) fn stored(&self) -> Value {
        serde_json::to_value(self).expect("texts are JSON")
    }

    /// The user of the ceremony; `None` if any user may answer. An unreadable user becomes the nil UUID.
    pub(super) fn user(&self) -> Option<Uuid> {
        let text = self.user_id.as_ref()?;
        let bytes = BASE64_STANDARD.decode(text).ok();
        let id = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).and_then(|text| Uuid::parse_str(&text).ok());
        Some(id.unwrap_or(Uuid::nil()))
    }

    /// True if this credential may answer.
    pub(super) fn allows(&self, credential: &[u8]) -> bool {
        let encoded = BASE64_STANDARD.encode(credential);
        self.allowed_credentials.is_empty() || self.allowed_credentials.contains(&encoded)
    }

    /// The state in webauthn-rs's type.
    pub(super) fn registration_state(&self) -> Result<RegistrationState, String> {
        let algorithms: Vec<COSEAlgorithm> =
            ALGORITHMS.iter().filter_map(|number| COSEAlgorithm::try_from(i128::from(*number)).ok()).collect();
        self.state(json!({
            "policy": self.policy(),
            "exclude_credentials": [],
            "challenge": self.challenge,
            "credential_algorithms": algorithms,
            "require_resident_key": false,
            "authenticator_attachment": null,
            "extensions": {},
            "allow_synchronised_authenticators": true,
        }))
    }

    /// The state in webauthn-rs's type.
    pub(super) fn assertion_state(&self) -> Result<AuthenticationState, String> {
        self.state(json!({
            "credentials": [],
            "policy": self.policy(),
            "challenge": self.challenge,
            "appid": null,
            "allow_backup_eligible_upgrade": false,
        }))
    }

    /// webauthn-rs creates its states only together with its own options, but can deserialize them.
    fn state<T: serde::de::DeserializeOwned>(&self, state: Value) -> Result<T, String> {
        BASE64_URL_SAFE_NO_PAD.decode(&self.challenge).map_err(|error| error.to_string())?;
        serde_json::from_value(state).map_err(|error| error.to_string())
    }

    fn policy(&self) -> &str {
        match self.user_verification.as_str() {
            "required" => "required",
            _ => "preferred",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_form_is_gotrues_and_the_library_reads_ours() {
        let data = SessionData::of_assertion("x.test", None, Use::Passkey, "Y2hhbGxlbmdl".to_owned());
        let stored = r#"{"challenge":"Y2hhbGxlbmdl","rpId":"x.test","user_id":null,"expires":"0001-01-01T00:00:00Z","userVerification":"preferred"}"#;
        assert_eq!(serde_json::to_string(&data).unwrap(), stored);
        assert!(data.assertion_state().is_ok() && data.user().is_none() && data.allows(b"any"));

        let user = Uuid::from_u128(7);
        let data = SessionData::of_registration("x.test", user, Use::SecondFactor, "Y2hhbGxlbmdl".to_owned());
        let again = SessionData::read(data.stored()).unwrap();
        assert!(again.registration_state().is_ok());
        assert_eq!(again.user(), Some(user));

        let gotrues = json!({
            "challenge": "Y2hhbGxlbmdl", "rpId": "x.test", "user_id": "bm9ib2R5", "allowed_credentials": ["AQID"],
            "expires": NEVER, "userVerification": "", "extensions": {}, "credParams": [{ "type": "public-key", "alg": -8 }],
        });
        let read = SessionData::read(gotrues).unwrap();
        assert_eq!(read.user(), Some(Uuid::nil()));
        assert!(read.allows(&[1, 2, 3]) && !read.allows(&[1, 2]));
        let broken = SessionData { challenge: "!".to_owned(), ..data };
        assert!(broken.registration_state().is_err());
    }
}
