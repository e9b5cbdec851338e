//! A software authenticator, together with the parts that the browser adds (WebAuthn level 3).

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_cbor_2::Value as Cbor;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The flags "user present" and "user verified".
const PRESENT_AND_VERIFIED: u8 = 0x01 | 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

/// A browser on a page of `origin` with one authenticator, which keeps every credential it creates.
pub struct Authenticator {
    pub origin: String,
    /// The model that the authenticator claims to be.
    pub aaguid: Uuid,
    pub credentials: Vec<Credential>,
}

/// A credential and its private key.
pub struct Credential {
    pub id: Vec<u8>,
    key: SigningKey,
    /// The user handle that the relying party assigned.
    pub user_handle: Vec<u8>,
    /// The signature counter.
    pub counter: u32,
}

impl Authenticator {
    pub fn new(origin: &str) -> Self {
        Authenticator { origin: origin.to_owned(), aaguid: Uuid::nil(), credentials: Vec::new() }
    }

    /// `navigator.credentials.create()`, as JSON.
    pub fn create(&mut self, options: &Value) -> Value {
        let id = Uuid::new_v4().into_bytes().to_vec();
        let secret = [Uuid::new_v4().into_bytes(), Uuid::new_v4().into_bytes()].concat();
        let key = SigningKey::from_slice(&secret).unwrap();
        let point = key.verifying_key().to_encoded_point(false);
        let number = |value: i64| Cbor::Integer(value.into());
        let cose = Cbor::Map(
            [
                (number(1), number(2)),
                (number(3), number(-7)),
                (number(-1), number(1)),
                (number(-2), Cbor::Bytes(point.x().unwrap().to_vec())),
                (number(-3), Cbor::Bytes(point.y().unwrap().to_vec())),
            ]
            .into(),
        );
        let mut data = head(options["rp"]["id"].as_str().unwrap(), PRESENT_AND_VERIFIED | HAS_CREDENTIAL, 0);
        data.extend(self.aaguid.as_bytes());
        data.extend(u16::try_from(id.len()).unwrap().to_be_bytes());
        data.extend(&id);
        data.extend(serde_cbor_2::to_vec(&cose).unwrap());
        let object = Cbor::Map(
            [
                (Cbor::Text("fmt".to_owned()), Cbor::Text("none".to_owned())),
                (Cbor::Text("attStmt".to_owned()), Cbor::Map([].into())),
                (Cbor::Text("authData".to_owned()), Cbor::Bytes(data)),
            ]
            .into(),
        );
        let response = json!({
            "id": encode(&id),
            "rawId": encode(&id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": { "credProps": { "rk": true } },
            "response": {
                "clientDataJSON": encode(&self.client_data("webauthn.create", options)),
                "attestationObject": encode(&serde_cbor_2::to_vec(&object).unwrap()),
                "transports": ["internal", "hybrid"],
            },
        });
        let user_handle = BASE64_URL_SAFE_NO_PAD.decode(options["user"]["id"].as_str().unwrap()).unwrap();
        self.credentials.push(Credential { id, key, user_handle, counter: 0 });
        response
    }

    /// `navigator.credentials.get()` with the newest credential, as JSON.
    pub fn get(&mut self, options: &Value) -> Value {
        let client_data = self.client_data("webauthn.get", options);
        let credential = self.credentials.last_mut().expect("a credential");
        credential.counter += 1;
        let data = head(options["rpId"].as_str().unwrap(), PRESENT_AND_VERIFIED, credential.counter);
        let signed = [data.as_slice(), &Sha256::digest(&client_data)].concat();
        let signature: Signature = credential.key.sign(&signed);
        json!({
            "id": encode(&credential.id),
            "rawId": encode(&credential.id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(&client_data),
                "authenticatorData": encode(&data),
                "signature": encode(signature.to_der().as_bytes()),
                "userHandle": encode(&credential.user_handle),
            },
        })
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let data =
            json!({ "type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false });
        data.to_string().into_bytes()
    }
}

/// The start of the authenticator data: hash of the relying party ID, flags, counter.
fn head(rp_id: &str, flags: u8, counter: u32) -> Vec<u8> {
    let mut data = Sha256::digest(rp_id).to_vec();
    data.push(flags);
    data.extend(counter.to_be_bytes());
    data
}

fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
