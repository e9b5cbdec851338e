//! Parses the new credential in an attestation object (WebAuthn level 3, sections 6.1 and 6.5.1). webauthn-rs verifies
//! it but does not expose these fields.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_cbor_2::Value as Cbor;
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Number of bytes before the credential id: hash of the relying party id, flags, counter, AAGUID, length of the id.
const HEAD: usize = 32 + 1 + 4 + 16 + 2;

const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const BACKUP_ELIGIBLE: u8 = 0x08;
const BACKED_UP: u8 = 0x10;
const HAS_CREDENTIAL: u8 = 0x40;

/// A newly created credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attested {
    pub(super) format: String,
    pub(super) id: Vec<u8>,
    /// COSE_Key (RFC 9052 section 7), as received.
    pub(super) public_key: Vec<u8>,
    /// The model of the authenticator; all zeros if unknown.
    pub(super) aaguid: Uuid,
    pub(super) sign_count: u32,
    pub(super) user_present: bool,
    pub(super) user_verified: bool,
    pub(super) backup_eligible: bool,
    pub(super) backed_up: bool,
    /// The raw parts, stored for later verification.
    pub(super) object: Vec<u8>,
    pub(super) authenticator_data: Vec<u8>,
    pub(super) client_data: Vec<u8>,
    pub(super) client_data_hash: Vec<u8>,
}

impl Attested {
    /// Parses a `RegistrationResponseJSON`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(response: &Value) -> Result<Self, String> {
        check_envelope(response)?;
        let object = bytes(&response["response"]["attestationObject"]).ok_or("there is no attestationObject")?;
        let client_data = bytes(&response["response"]["clientDataJSON"]).ok_or("there is no clientDataJSON")?;
        let Ok(Cbor::Map(map)) = serde_cbor_2::from_slice(&object) else {
            return Err("the attestation object is no map".to_owned());
        };
        let part = |name: &str| map.get(&Cbor::Text(name.to_owned()));
        let (Some(Cbor::Bytes(data)), Some(Cbor::Text(format))) = (part("authData"), part("fmt")) else {
            return Err("the attestation object lacks authData or fmt".to_owned());
        };
        let short = || "the authenticator data is too short".to_owned();
        let (head, rest) = data.split_at_checked(HEAD).ok_or_else(short)?;
        let flags = head[32];
        if flags & HAS_CREDENTIAL == 0 {
            return Err("there is no credential in the authenticator data".to_owned());
        }
        let length = usize::from(u16::from_be_bytes([head[HEAD - 2], head[HEAD - 1]]));
        let (id, key) = rest.split_at_checked(length).ok_or_else(short)?;
        let mut reader = serde_cbor_2::Deserializer::from_slice(key);
        Cbor::deserialize(&mut reader).map_err(|error| error.to_string())?;
        let public_key = key.get(..reader.byte_offset()).unwrap_or_default().to_vec();
        let number = |at: usize| <[u8; 4]>::try_from(&head[at..at + 4]).map(u32::from_be_bytes).unwrap_or_default();
        Ok(Attested {
            format: format.clone(),
            id: id.to_vec(),
            public_key,
            aaguid: Uuid::from_slice(&head[37..53]).unwrap_or_default(),
            sign_count: number(33),
            user_present: flags & USER_PRESENT != 0,
            user_verified: flags & USER_VERIFIED != 0,
            backup_eligible: flags & BACKUP_ELIGIBLE != 0,
            backed_up: flags & BACKED_UP != 0,
            authenticator_data: bytes(&response["response"]["authenticatorData"]).unwrap_or_default(),
            client_data_hash: Sha256::digest(&client_data).to_vec(),
            client_data,
            object,
        })
    }
}

/// Checks the fields that every `PublicKeyCredential` has.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check_envelope(response: &Value) -> Result<(), String> {
    if bytes(&response["id"]).is_none_or(|id| id.is_empty()) {
        return Err("the id is missing or not in base64url".to_owned());
    }
    match response["type"].as_str() {
        Some("public-key") => Ok(()),
        _ => Err("the type is not public-key".to_owned()),
    }
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD.decode(value.as_str()?.trim_end_matches('=')).ok()
}
