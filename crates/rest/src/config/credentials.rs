//! Translates the token settings for the gateway.

use base64::Engine;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{GeneralPurposeConfig, URL_SAFE_NO_PAD};
use gateway::keys::{ApiKeys, JwkError, KidRule, VerifyingKey};
use gateway::{CallerPolicy, Clock, Keys};
use serde_json::{Value, json};

use super::Config;

impl Config {
    /// The caller policy of a standalone data API: tokens as set by `jwt-…`, all other requests as the anonymous
    /// role.
    pub fn caller_policy(&self, clock: Clock) -> CallerPolicy {
        let secret = self.jwt_secret.as_ref().map(|secret| secret.reveal().as_slice());
        // Invalid values were refused when the configuration was read.
        let verifying = secret.and_then(|secret| verifying_keys(secret).ok()).unwrap_or_default();
        let builder = Keys::builder()
            .audience(self.jwt_aud.clone())
            .kid_rule(KidRule::Exact)
            .remember(self.jwt_cache_max_entries)
            .clock(clock);
        CallerPolicy {
            keys: verifying.into_iter().fold(builder, gateway::keys::KeysBuilder::verifying).build(),
            api_keys: ApiKeys::default(),
            anonymous: self.db_anon_role.as_deref().map(Into::into),
            role_claim: self.jwt_role_claim_key.clone(),
            accept_api_key: false,
        }
    }

    /// Whether keys differ from those of `other`, so that cached tokens have to be verified again.
    pub(crate) fn has_keys_of(&self, other: &Config) -> bool {
        self.jwt_secret == other.jwt_secret
            && self.jwt_aud == other.jwt_aud
            && self.jwt_role_claim_key == other.jwt_role_claim_key
            && self.jwt_cache_max_entries == other.jwt_cache_max_entries
            && self.db_anon_role == other.db_anon_role
    }
}

/// The bytes of a secret from its text.
pub(super) fn decoded(bytes: Vec<u8>, is_base64: bool) -> Result<Vec<u8>, String> {
    if !is_base64 {
        return Ok(bytes);
    }
    let normal: Vec<u8> = bytes
        .trim_ascii()
        .iter()
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            b'.' => b'=',
            byte => *byte,
        })
        .collect();
    let padding = base64::engine::DecodePaddingMode::Indifferent;
    let engine =
        GeneralPurpose::new(&base64::alphabet::STANDARD, GeneralPurposeConfig::new().with_decode_padding_mode(padding));
    engine.decode(&normal).map_err(|error| format!("jwt-secret is not base64: {error}"))
}

/// A secret can be a JWKS, a JWK, or plain bytes, which only verify HS256.
pub(super) fn verifying_keys(secret: &[u8]) -> Result<Vec<VerifyingKey>, String> {
    match serde_json::from_slice::<Value>(secret) {
        Ok(Value::Object(set)) if set.get("keys").is_some_and(Value::is_array) => {
            let keys = set["keys"].as_array().map_or(&[][..], Vec::as_slice);
            return of_set(keys);
        }
        Ok(jwk @ Value::Object(_)) if jwk.get("kty").is_some() => {
            let key = VerifyingKey::from_jwk(&jwk).map_err(|error| format!("jwt-secret is {error}"))?;
            return Ok(vec![key]);
        }
        _ => {}
    }
    if secret.len() < 32 {
        return Err("The JWT secret must be at least 32 characters long.".to_owned());
    }
    let jwk = json!({ "kty": "oct", "k": URL_SAFE_NO_PAD.encode(secret), "alg": "HS256" });
    VerifyingKey::from_jwk(&jwk).map(|key| vec![key]).map_err(|error| error.to_string())
}

/// Issuers also publish encryption keys and keys of unknown types; these are ignored.
///
/// DEVIATION (missing): ES512 (P-521) and Ed448 keys are not supported: alone they are refused at the start, in a set
/// they are ignored.
fn of_set(keys: &[Value]) -> Result<Vec<VerifyingKey>, String> {
    let mut usable = Vec::new();
    for jwk in keys {
        match VerifyingKey::from_jwk(jwk) {
            Ok(key) => usable.push(key),
            Err(JwkError::Unsupported(_)) => {}
            Err(error) => return Err(format!("jwt-secret is a set with a key that cannot be read: {error}")),
        }
    }
    if usable.is_empty() {
        return Err("jwt-secret is a set without a key that can verify signatures".to_owned());
    }
    Ok(usable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets() {
        let keys = |secret: &str, base64: bool| {
            decoded(secret.as_bytes().to_vec(), base64).and_then(|bytes| verifying_keys(&bytes)).map(|keys| keys.len())
        };
        let oct = r#"{"kty":"oct","k":"cmVhbGx5cmVhbGx5cmVhbGx5cmVhbGx5dmVyeXNhZmU"}"#;
        assert_eq!(keys("reallyreallyreallyreallyverysafe", false), Ok(1));
        assert_eq!(keys("short", false), Err("The JWT secret must be at least 32 characters long.".to_owned()));
        assert_eq!(keys("cmVhbGx5cmVhbGx5cmVhbGx5cmVhbGx5dmVyeXNhZmU=", true), Ok(1));
        assert_eq!(keys("cmVhbGx5cmVhbGx5cmVhbGx5cmVhbGx5dmVyeXNhZmU.", true), Ok(1));
        assert_eq!(keys(oct, false), Ok(1));
        let encrypting = oct.replace("}", r#","use":"enc"}"#);
        assert_eq!(keys(&format!(r#"{{"keys":[{oct},{encrypting}]}}"#), false), Ok(1));
        assert!(keys(&format!(r#"{{"keys":[{encrypting}]}}"#), false).is_err());
        assert!(keys(r#"{"kty":"RSA","n":"AQAB"}"#, false).is_err());
        assert!(keys("no base-64!", true).is_err());
    }
}
