//! The token settings as the gateway takes them.

use base64::Engine;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{GeneralPurposeConfig, STANDARD};
use gateway::keys::{ApiKeys, VerifyingKey};
use gateway::{CallerPolicy, Keys, Secret};
use serde_json::Value;

use super::{Config, Problem};

impl Config {
    /// Who may call, when the data API stands alone: tokens by `PGRST_JWT_…`, everyone else as the anonymous role.
    ///
    /// # Errors
    /// A secret that is too short or no key, a role claim key that is no path of names.
    pub fn caller_policy(&self) -> Result<CallerPolicy, Vec<Problem>> {
        let problem = |key: &str, value: &str, message: String| {
            vec![Problem { key: key.to_owned(), value: value.to_owned(), message }]
        };
        let role_claim = role_claim(&self.jwt_role_claim_key).ok_or_else(|| {
            let message = "must be a path of names, such as $.role or $.app.role".to_owned();
            problem("PGRST_JWT_ROLE_CLAIM_KEY", &self.jwt_role_claim_key, message)
        })?;
        let mut keys = Keys::builder().audience(self.jwt_aud.clone());
        for key in self.verifying_keys().map_err(|message| problem("PGRST_JWT_SECRET", "***", message))? {
            keys = match key {
                Key::Secret(secret) => keys.secret(&secret),
                Key::Public(key) => keys.verifying(key),
            };
        }
        Ok(CallerPolicy {
            keys: keys.build(),
            api_keys: ApiKeys::default(),
            anonymous: self.db_anon_role.as_deref().map(Into::into),
            role_claim,
            accept_api_key: false,
        })
    }

    /// The secret is tried as a set of keys, as a key, and as plain bytes.
    fn verifying_keys(&self) -> Result<Vec<Key>, String> {
        let Some(secret) = &self.jwt_secret else { return Ok(Vec::new()) };
        if let Ok(json @ Value::Object(_)) = serde_json::from_str::<Value>(secret) {
            let jwks = match json.get("keys").and_then(Value::as_array) {
                Some(keys) => keys.clone(),
                None => vec![json],
            };
            let read = |jwk: &Value| VerifyingKey::from_jwk(jwk).map(Key::Public).map_err(|error| error.to_string());
            return jwks.iter().map(read).collect();
        }
        let bytes = if self.jwt_secret_is_base64 { decode_base64(secret)? } else { secret.clone().into_bytes() };
        if bytes.len() < 32 {
            return Err("The JWT secret must be at least 32 characters long.".to_owned());
        }
        let jwk =
            serde_json::json!({ "kty": "oct", "k": base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&bytes) });
        match String::from_utf8(bytes) {
            Ok(text) => Ok(vec![Key::Secret(Secret::new(text))]),
            Err(_) => VerifyingKey::from_jwk(&jwk).map(|key| vec![Key::Public(key)]).map_err(|error| error.to_string()),
        }
    }
}

enum Key {
    Secret(Secret<String>),
    Public(VerifyingKey),
}

/// Standard or URL alphabet; `.` may stand for the padding.
fn decode_base64(text: &str) -> Result<Vec<u8>, String> {
    let normal: String = text
        .trim()
        .chars()
        .map(|c| match c {
            '-' => '+',
            '_' => '/',
            '.' => '=',
            c => c,
        })
        .collect();
    let padding = base64::engine::DecodePaddingMode::Indifferent;
    let engine =
        GeneralPurpose::new(&base64::alphabet::STANDARD, GeneralPurposeConfig::new().with_decode_padding_mode(padding));
    engine.decode(&normal).or_else(|_| STANDARD.decode(&normal)).map_err(|error| format!("is not base64: {error}"))
}

/// `$.a.b`, `$['a'].b`, or upstream's older `.a.b`: the names in order.
fn role_claim(path: &str) -> Option<Vec<String>> {
    let mut rest = path.strip_prefix('$').unwrap_or(path);
    let mut names = Vec::new();
    while !rest.is_empty() {
        let (name, after) = if let Some(after) = rest.strip_prefix("['") {
            after.split_once("']")?
        } else {
            let after = rest.strip_prefix('.')?;
            match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"')?,
                None => after.split_at(after.find(['.', '[']).unwrap_or(after.len())),
            }
        };
        if name.is_empty() {
            return None;
        }
        names.push(name.to_owned());
        rest = after;
    }
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn role_claim_paths() {
        let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        for (path, expected) in [
            ("$.role", names(&["role"])),
            (".role", names(&["role"])),
            ("$.app.role", names(&["app", "role"])),
            ("$['https://x.y/z'].role", names(&["https://x.y/z", "role"])),
            (".\"a.b\".c", names(&["a.b", "c"])),
            ("role", None),
            ("$", None),
            ("$.roles[0]", None),
        ] {
            assert_eq!(role_claim(path), expected, "{path}");
        }
    }

    #[test]
    fn secrets() {
        let keys = |secret: &str, base64: bool| {
            let config =
                Config { jwt_secret: Some(secret.to_owned()), jwt_secret_is_base64: base64, ..Config::default() };
            config.caller_policy().map(|_| ()).map_err(|problems| problems[0].message.clone())
        };
        assert_eq!(keys("reallyreallyreallyreallyverysafe", false), Ok(()));
        assert_eq!(keys("short", false), Err("The JWT secret must be at least 32 characters long.".to_owned()));
        assert_eq!(keys("cmVhbGx5cmVhbGx5cmVhbGx5cmVhbGx5dmVyeXNhZmU=", true), Ok(()));
        assert_eq!(keys(r#"{"kty":"oct","k":"cmVhbGx5cmVhbGx5cmVhbGx5cmVhbGx5dmVyeXNhZmU"}"#, false), Ok(()));
        assert!(keys("!!", true).is_err());
    }
}
