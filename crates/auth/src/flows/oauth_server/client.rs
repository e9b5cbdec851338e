//! An OAuth client: a row of `auth.oauth_clients`.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use rand::RngCore;
use serde::Serialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::model::oauth_client::Client;
use crate::model::timestamp;

/// A client secret. It is shown once.
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new() -> Self {
        let mut bytes = [0; 32];
        // ThreadRng is a cryptographic generator seeded by the operating system.
        rand::rng().fill_bytes(&mut bytes);
        Secret(BASE64_URL_SAFE_NO_PAD.encode(bytes))
    }

    pub(crate) fn reveal(self) -> String {
        self.0
    }

    /// The stored hash. It needs no salt, because the secret has 256 random bits.
    pub(crate) fn hash(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&self.0))
    }

    /// True if `hash` is the hash of `text`.
    pub(crate) fn is(text: &str, hash: &str) -> bool {
        let stored = BASE64_URL_SAFE_NO_PAD.decode(hash).unwrap_or_default();
        Sha256::digest(text)[..].ct_eq(&stored).into()
    }
}

/// A client as shown to itself and to administrators (RFC 7591 section 3.2.1).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClientBody {
    client_id: Uuid,
    /// Only in the answer that created it.
    #[serde(skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
    /// Present with a secret: 0, because it does not expire.
    #[serde(skip_serializing_if = "Option::is_none")]
    client_secret_expires_at: Option<u32>,
    client_type: &'static str,
    redirect_uris: Vec<String>,
    token_endpoint_auth_method: &'static str,
    grant_types: Vec<String>,
    response_types: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    client_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    logo_uri: Option<String>,
    registration_type: String,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: DateTime<Utc>,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: DateTime<Utc>,
}

impl From<Client> for ClientBody {
    fn from(client: Client) -> Self {
        ClientBody {
            client_id: client.id,
            client_secret: None,
            client_secret_expires_at: None,
            client_type: client.client_type.as_str(),
            redirect_uris: client.redirect_uris,
            token_endpoint_auth_method: client.auth_method.as_str(),
            grant_types: client.grant_types,
            response_types: ["code"],
            client_name: client.name,
            client_uri: client.uri,
            logo_uri: client.logo_uri,
            registration_type: client.registration_type,
            created_at: client.created_at,
            updated_at: client.updated_at,
        }
    }
}

impl ClientBody {
    /// DEVIATION (more): a client secret comes with `client_secret_expires_at` (RFC 7591 section 3.2.1), because
    /// clients such as oauth4webapi refuse an answer without it.
    pub(crate) fn with_secret(self, secret: Option<Secret>) -> Self {
        let expires_at = secret.as_ref().map(|_| 0);
        ClientBody { client_secret: secret.map(Secret::reveal), client_secret_expires_at: expires_at, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_known_by_its_hash() {
        let secret = Secret::new();
        let hash = secret.hash();
        let text = secret.reveal();
        assert!(text.len() == 43 && Secret::is(&text, &hash));
        assert!(!Secret::is(&text[1..], &hash) && !Secret::is("", "") && !Secret::is(&text, "not base64!"));
    }
}
