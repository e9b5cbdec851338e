//! API keys: the two JWTs that clients know as anon and service_role key, and their opaque successors
//! `sb_publishable_…` and `sb_secret_…`.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::TokenError;
use crate::secret::Secret;

/// Ten years in seconds: the validity of the two JWTs, as in Supabase.
const TEN_YEARS: i64 = 315_360_000;
const PUBLISHABLE: &str = "sb_publishable_";
const SECRET: &str = "sb_secret_";

/// The opaque keys that this server accepts. JWT keys need no list, because they are verified like any other token.
#[derive(Clone, Debug, Default)]
pub struct ApiKeys {
    /// For browsers: the role `anon`.
    pub publishable: Vec<Secret<String>>,
    /// For servers: the role `service_role`.
    pub secret: Vec<Secret<String>>,
}

impl ApiKeys {
    /// True if `key` has the form of an opaque key, known or not.
    pub fn is_opaque(key: &str) -> bool {
        key.starts_with(PUBLISHABLE) || key.starts_with(SECRET)
    }

    /// The role of an opaque key; `None` if it is unknown. Takes the same time for all keys of the same length, so that it does
    /// not reveal how much of a guess is right.
    pub fn role(&self, key: &str) -> Option<&'static str> {
        let among = |known: &[Secret<String>]| {
            known.iter().fold(false, |found, one| found | bool::from(one.reveal().as_bytes().ct_eq(key.as_bytes())))
        };
        match (among(&self.secret), among(&self.publishable)) {
            (true, _) => Some("service_role"),
            (false, true) => Some("anon"),
            (false, false) => None,
        }
    }
}

/// A JWT key as the Supabase CLI mints it: HS256, issuer, role, times.
///
/// # Errors
/// [`TokenError::Signing`] if the library refuses the secret.
pub fn mint(secret: &Secret<String>, issuer: &str, role: &str, issued_at: i64) -> Result<String, TokenError> {
    let mut claims = Map::new();
    claims.insert("iss".to_owned(), json!(issuer));
    claims.insert("role".to_owned(), json!(role));
    claims.insert("iat".to_owned(), json!(issued_at));
    claims.insert("exp".to_owned(), json!(issued_at + TEN_YEARS));
    let key = EncodingKey::from_secret(secret.reveal().as_bytes());
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), &Value::Object(claims), &key)
        .map_err(|error| TokenError::Signing(error.to_string()))
}

/// A new publishable key. Its last eight characters are a checksum, so that secret scanners can recognise it.
pub fn new_publishable(random: &[u8; 16]) -> String {
    opaque(PUBLISHABLE, random)
}

/// A new secret key.
pub fn new_secret(random: &[u8; 16]) -> String {
    opaque(SECRET, random)
}

fn opaque(prefix: &str, random: &[u8; 16]) -> String {
    let body = BASE64_URL_SAFE_NO_PAD.encode(random);
    let checksum = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(format!("{prefix}{body}")));
    format!("{prefix}{body}_{}", &checksum[..8])
}
