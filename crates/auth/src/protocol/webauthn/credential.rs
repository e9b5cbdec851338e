//! Stored credentials: as go-webauthn's JSON for a factor, in columns for a passkey.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use uuid::Uuid;
use webauthn_rs_core::error::WebauthnError;
use webauthn_rs_core::proto::{
    AttestationFormat, AttestationMetadata, COSEKey, Credential as Known, ParsedAttestation, ParsedAttestationData,
    RegisterPublicKeyCredential, RegisteredExtensions, UserVerificationPolicy,
};

use super::{Attested, Descriptor};

/// A credential.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Credential {
    pub(crate) id: Vec<u8>,
    /// COSE_Key.
    pub(crate) public_key: Vec<u8>,
    /// The attestation format: `none`, `packed` and so on.
    pub(crate) attestation_type: String,
    pub(crate) aaguid: Option<Uuid>,
    pub(crate) sign_count: u32,
    pub(crate) transports: Vec<String>,
    pub(crate) backup_eligible: bool,
    pub(crate) backed_up: bool,
    /// The credential in go-webauthn's form; `Null` for a passkey from the database, which does not store it.
    stored: Value,
}

impl Credential {
    /// From a verified registration.
    pub(super) fn new(response: &Value, attested: Attested, parsed: &RegisterPublicKeyCredential) -> Self {
        let transports = transports(&response["response"]["transports"]);
        let base64 = |bytes: &[u8]| BASE64_STANDARD.encode(bytes);
        let stored = json!({
            "id": base64(&attested.id),
            "publicKey": base64(&attested.public_key),
            "attestationType": attested.format,
            "transport": transports,
            "flags": {
                "userPresent": attested.user_present,
                "userVerified": attested.user_verified,
                "backupEligible": attested.backup_eligible,
                "backupState": attested.backed_up,
            },
            "authenticator": {
                "AAGUID": base64(attested.aaguid.as_bytes()),
                "signCount": attested.sign_count,
                "cloneWarning": false,
                "attachment": response["authenticatorAttachment"].as_str().unwrap_or_default(),
            },
            "attestation": {
                "clientDataJSON": base64(&attested.client_data),
                "clientDataHash": base64(&attested.client_data_hash),
                "authenticatorData": base64(&attested.authenticator_data),
                "publicKeyAlgorithm": response["response"]["publicKeyAlgorithm"].as_i64().unwrap_or_default(),
                "object": base64(&parsed.response.attestation_object),
            },
        });
        Credential {
            id: attested.id,
            public_key: attested.public_key,
            attestation_type: attested.format,
            aaguid: Some(attested.aaguid),
            sign_count: attested.sign_count,
            transports,
            backup_eligible: attested.backup_eligible,
            backed_up: attested.backed_up,
            stored,
        }
    }

    /// From the columns of a passkey.
    #[allow(clippy::too_many_arguments, reason = "as many as there are columns")]
    pub(crate) fn of_passkey(
        id: Vec<u8>,
        public_key: Vec<u8>,
        sign_count: u32,
        transports: &Value,
        backup_eligible: bool,
        backed_up: bool,
    ) -> Self {
        Credential {
            id,
            public_key,
            attestation_type: String::new(),
            aaguid: None,
            sign_count,
            transports: self::transports(transports),
            backup_eligible,
            backed_up,
            stored: Value::Null,
        }
    }

    /// From the JSON of a factor; `None` if it is not a credential.
    pub(crate) fn of_factor(stored: Value) -> Option<Self> {
        let bytes = |value: &Value| BASE64_STANDARD.decode(value.as_str()?).ok();
        let flag = |name: &str| stored["flags"][name].as_bool().unwrap_or_default();
        let count = stored["authenticator"]["signCount"].as_u64();
        Some(Credential {
            id: bytes(&stored["id"])?,
            public_key: bytes(&stored["publicKey"])?,
            attestation_type: stored["attestationType"].as_str().unwrap_or_default().to_owned(),
            aaguid: bytes(&stored["authenticator"]["AAGUID"]).and_then(|bytes| Uuid::from_slice(&bytes).ok()),
            sign_count: count.and_then(|count| u32::try_from(count).ok()).unwrap_or_default(),
            transports: transports(&stored["transport"]),
            backup_eligible: flag("backupEligible"),
            backed_up: flag("backupState"),
            stored,
        })
    }

    /// The JSON of a factor with its current counter.
    pub(crate) fn stored(&self, sign_count: u32) -> Value {
        let mut stored = self.stored.clone();
        stored["authenticator"]["signCount"] = json!(sign_count);
        stored
    }

    pub(crate) fn descriptor(&self) -> Descriptor {
        Descriptor { id: self.id.clone(), transports: self.transports.clone() }
    }

    /// The credential in webauthn-rs's type. It must not record a user verification at registration, which says nothing
    /// about now.
    pub(super) fn known(&self) -> Result<Known, String> {
        let key: serde_cbor_2::Value = serde_cbor_2::from_slice(&self.public_key).map_err(|error| error.to_string())?;
        Ok(Known {
            cred_id: self.id.clone(),
            cred: COSEKey::try_from(&key).map_err(|error: WebauthnError| error.to_string())?,
            counter: self.sign_count,
            transports: None,
            user_verified: false,
            backup_eligible: self.backup_eligible,
            backup_state: self.backed_up,
            registration_policy: UserVerificationPolicy::Preferred,
            extensions: RegisteredExtensions::none(),
            attestation: ParsedAttestation { data: ParsedAttestationData::None, metadata: AttestationMetadata::None },
            attestation_format: AttestationFormat::None,
        })
    }
}

fn transports(value: &Value) -> Vec<String> {
    let all = value.as_array().map_or(&[][..], Vec::as_slice);
    all.iter().filter_map(|transport| transport.as_str().map(str::to_owned)).collect()
}
