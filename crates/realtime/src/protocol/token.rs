//! Tokens of sockets and channels. Unlike elsewhere there is no leeway, and `role` and `exp` are required.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use gateway::caller::CallerPolicy;
use gateway::keys::ApiKeys;
use gateway::{Claims, TokenError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::reason::TokenFault;

/// Who a channel acts as.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// The token or API key itself, to recognise it.
    pub(crate) token: String,
    pub(crate) role: String,
    pub(crate) claims: Claims,
    /// When it expires, in seconds since 1970; `None` for an opaque API key.
    pub(crate) expires: Option<i64>,
}

impl Identity {
    /// Who a token or an API key stands for at `now`.
    ///
    /// # Errors
    /// [`TokenFault`].
    pub(crate) fn of(policy: &CallerPolicy, token: &str, now: i64) -> Result<Self, TokenFault> {
        let token: String = token.chars().filter(|character| !character.is_whitespace()).collect();
        if ApiKeys::is_opaque(&token) {
            let role = policy.api_keys.role(&token).ok_or(TokenFault::Malformed)?;
            let claims = Claims::from_map(Map::from_iter([("role".to_owned(), Value::from(role))]));
            return Ok(Identity { role: role.to_owned(), claims, expires: None, token });
        }
        let claims = policy.keys.verify(&token).map_err(|error| fault(&error, &token, now))?;
        let expires = expiry(claims.map())?;
        if expires <= now {
            return Err(TokenFault::Expired(now - expires));
        }
        let role = claims.string("role").ok_or(TokenFault::Claims)?.to_owned();
        Ok(Identity { role, claims, expires: Some(expires), token })
    }

    /// Its session, if it is a user's.
    pub(crate) fn session(&self) -> Option<Uuid> {
        self.claims.session_id()
    }

    /// The fault, if it has expired at `now`.
    pub(crate) fn expired(&self, now: i64) -> Option<TokenFault> {
        self.expires.filter(|expires| *expires <= now).map(|expires| TokenFault::Expired(now - expires))
    }
}

/// `exp`, which may be a decimal.
#[allow(clippy::cast_possible_truncation)]
fn expiry(claims: &Map<String, Value>) -> Result<i64, TokenFault> {
    match claims.get("exp") {
        None | Some(Value::Null) => Err(TokenFault::Claims),
        Some(Value::Number(number)) => {
            number.as_i64().or_else(|| number.as_f64().map(|seconds| seconds.round() as i64)).ok_or(TokenFault::Times)
        }
        Some(_) => Err(TokenFault::Times),
    }
}

fn fault(error: &TokenError, token: &str, now: i64) -> TokenFault {
    match error {
        // The signature has been verified: what the payload says is true.
        TokenError::Expired => match part(token, 1).as_ref().map(expiry) {
            Some(Ok(expires)) => TokenFault::Expired(now - expires),
            _ => TokenFault::Times,
        },
        TokenError::Signature => TokenFault::Signature,
        TokenError::NoKey | TokenError::Algorithm => {
            let header = part(token, 0).unwrap_or_default();
            TokenFault::Signer(header.get("kid").and_then(Value::as_str).map(str::to_owned))
        }
        TokenError::ClaimType { .. } | TokenError::NotYetValid | TokenError::IssuedInFuture => TokenFault::Times,
        _ => TokenFault::Malformed,
    }
}

fn part(token: &str, index: usize) -> Option<Map<String, Value>> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(token.split('.').nth(index)?).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gateway::{Keys, Secret};
    use serde_json::json;

    #[test]
    fn a_token_has_a_role_and_an_end() {
        let keys = Keys::builder().secret(&Secret::new("0123456789abcdef0123456789abcdef".to_owned())).build();
        let api_keys = ApiKeys { publishable: vec![Secret::new("sb_publishable_x".to_owned())], secret: Vec::new() };
        let policy = CallerPolicy::supabase(keys.clone(), api_keys);
        let now = keys.clock().unix();
        let of = |claims: Value| {
            let token = keys.sign(claims.as_object().unwrap()).unwrap();
            Identity::of(&policy, &token, now).map(|identity| (identity.role, identity.expires))
        };
        assert_eq!(of(json!({ "role": "anon", "exp": now + 9 })), Ok(("anon".to_owned(), Some(now + 9))));
        assert_eq!(of(json!({ "role": "anon", "exp": now })), Err(TokenFault::Expired(0)), "no leeway");
        assert_eq!(of(json!({ "role": "anon", "exp": now - 100 })), Err(TokenFault::Expired(100)));
        assert_eq!(of(json!({ "role": "anon" })), Err(TokenFault::Claims));
        assert_eq!(of(json!({ "exp": now + 9 })), Err(TokenFault::Claims));
        assert_eq!(of(json!({ "role": "anon", "exp": "x" })), Err(TokenFault::Times));
        let key = Identity::of(&policy, " sb_publishable_x\n", now).unwrap();
        assert_eq!((key.role.as_str(), key.expires), ("anon", None));
        assert_eq!(Identity::of(&policy, "sb_publishable_y", now).unwrap_err(), TokenFault::Malformed);
        assert_eq!(Identity::of(&policy, "x", now).unwrap_err(), TokenFault::Malformed);
    }
}
