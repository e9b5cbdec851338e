//! The signing keys described by GoTrue's variables.

use gateway::keys::{KeysBuilder, SigningKey, VerifyingKey};
use gateway::{Clock, Keys};
use serde_json::Value;

use super::JwtConfig;

impl JwtConfig {
    /// The keys for `dugout auth`. The key in `KEYS` whose `key_ops` contains `sign` signs; the others and the secret
    /// only verify.
    ///
    /// # Errors
    /// A sentence fragment that names the unusable key and contains no part of any key.
    pub fn keys(&self, clock: Clock) -> Result<Keys, String> {
        Ok(self.builder()?.clock(clock).build())
    }

    pub(super) fn check_keys(&self) -> Result<(), String> {
        self.builder().map(|_| ())
    }

    fn builder(&self) -> Result<KeysBuilder, String> {
        let keys = self.keys.reveal();
        let mut builder = Keys::builder();
        let mut signing = 0;
        for (number, key) in keys.iter().enumerate() {
            let wrong = |reason: &dyn std::fmt::Display| format!("has an unusable key at position {number}: {reason}");
            if can_sign(key) {
                signing += 1;
                builder = builder.signing(&SigningKey::from_jwk(key).map_err(|error| wrong(&error))?);
            } else {
                builder = builder.verifying(VerifyingKey::from_jwk(key).map_err(|error| wrong(&error))?);
            }
        }
        if !keys.is_empty() && signing != 1 {
            return Err(format!("must have one key that can sign (key_ops: [\"sign\"]), but has {signing}"));
        }
        Ok(builder.secret(&self.secret))
    }
}

fn can_sign(key: &Value) -> bool {
    let operations = key.get("key_ops").and_then(Value::as_array);
    operations.is_some_and(|operations| operations.iter().any(|operation| operation == "sign"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gateway::Secret;

    fn jwt(keys: Vec<Value>) -> JwtConfig {
        JwtConfig {
            secret: Secret::new("0123456789abcdef0123456789abcdef".to_owned()),
            exp: 3600,
            aud: String::new(),
            issuer: String::new(),
            admin_roles: Vec::new(),
            admin_group_name: String::new(),
            default_group_name: String::new(),
            keys: Secret::new(keys),
        }
    }

    #[test]
    fn exactly_one_key_signs_and_the_secret_still_verifies() {
        let mut key = SigningKey::generate().unwrap().private_jwk().reveal().clone();
        key["key_ops"] = serde_json::json!(["sign", "verify"]);
        let keys = jwt(vec![key.clone()]).keys(Clock::default()).unwrap();
        assert_eq!(keys.jwks()["keys"][0]["kid"], key["kid"]);
        let legacy = jwt(vec![]).keys(Clock::default()).unwrap();
        let token = legacy.sign(serde_json::json!({"role": "anon"}).as_object().unwrap()).unwrap();
        assert!(keys.verify(&token).is_ok());
        assert!(jwt(vec![key.clone(), key.clone()]).check_keys().is_err());
        key["key_ops"] = serde_json::json!(["verify"]);
        assert!(jwt(vec![key]).check_keys().is_err());
    }
}
