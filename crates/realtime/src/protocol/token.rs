//! Tokens of sockets and channels. Unlike elsewhere there is no leeway, and `role` and `exp` are required.
//!
//! Source: supabase/realtime, lib/realtime_web/channels/auth/{jwt_verification,channels_authorization}.ex.

use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use gateway::caller::CallerPolicy;
use gateway::keys::ApiKeys;
use gateway::{Claims, TokenError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::reason::TokenFault;

/// `nbf` may be so many seconds in the future.
const LEEWAY: f64 = 30.0;

/// Algorithms whose keys are found by `kid`.
const ASYMMETRIC: &[&str] = &["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519", "Ed448"];

const SYMMETRIC: &[&str] = &["HS256", "HS384", "HS512"];

/// Who a channel acts as. Of the claims only the text is kept: as a tree they would take several times as much memory.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// The token or API key itself, to recognise it.
    pub(crate) token: Box<str>,
    pub(crate) role: Box<str>,
    /// As JSON.
    pub(crate) claims: Arc<str>,
    /// `sub`; empty if it is missing.
    pub(crate) subject: Box<str>,
    /// Its session, if it is a user's.
    pub(crate) session: Option<Uuid>,
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
            return Ok(Identity::with(token, claims, role.into(), None));
        }
        let claims = policy.keys.verify_but_times(&token).map_err(|error| fault(&error, &token))?;
        let expires = times(claims.map(), now)?;
        let role = claims.string("role").ok_or(TokenFault::Claims)?.into();
        Ok(Identity::with(token, claims, role, Some(expires)))
    }

    fn with(token: String, claims: Claims, role: Box<str>, expires: Option<i64>) -> Self {
        let (subject, session) = (claims.string("sub").unwrap_or_default().into(), claims.session_id());
        Identity { token: token.into(), role, claims: claims.into_text(), subject, session, expires }
    }

    /// The fault, if it has expired at `now`.
    pub(crate) fn expired(&self, now: i64) -> Option<TokenFault> {
        self.expires.filter(|expires| *expires <= now).map(|expires| TokenFault::Expired(now - expires))
    }
}

/// When a token expires. `exp` may be a decimal, which is rounded.
///
/// DEVIATION (stricter): a token whose `nbf` is in the future is refused; upstream does not look at it.
#[allow(clippy::cast_possible_truncation)]
fn times(claims: &Map<String, Value>, now: i64) -> Result<i64, TokenFault> {
    let expires = match claims.get("exp") {
        None => Err(TokenFault::Claims),
        Some(exp) => match (exp.as_i64(), exp.as_f64()) {
            (Some(expires), _) if expires <= now => Err(TokenFault::Expired(now - expires)),
            (Some(expires), _) => Ok(expires),
            (None, Some(decimal)) if decimal > now as f64 => Ok(decimal.round() as i64),
            (None, _) => Err(TokenFault::Unusable),
        },
    };
    let is_early = claims.get("nbf").and_then(Value::as_f64).is_some_and(|begins| begins > now as f64 + LEEWAY);
    if is_early || claims.get("iat").is_some_and(|issued| !issued.is_number()) {
        return Err(TokenFault::Unusable);
    }
    // What has not expired may have when it is rounded.
    expires.and_then(|expires| if expires > now { Ok(expires) } else { Err(TokenFault::Times) })
}

/// Upstream looks at the form of a token first, then for the key, then at the signature.
fn fault(error: &TokenError, token: &str) -> TokenFault {
    let parts: Vec<&str> = token.split('.').collect();
    let [header, payload, _] = parts[..] else { return TokenFault::Malformed };
    let Some(payload) = json(payload) else { return TokenFault::Malformed };
    let header = json(header).unwrap_or_default();
    if !payload.is_object() || !header.is_object() {
        return TokenFault::Unusable;
    }
    let algorithm = header["alg"].as_str().unwrap_or_default();
    let is_asymmetric = ASYMMETRIC.contains(&algorithm);
    match error {
        TokenError::Signature => TokenFault::Signature,
        TokenError::Header if is_asymmetric || SYMMETRIC.contains(&algorithm) => TokenFault::Signature,
        TokenError::NoKey | TokenError::Algorithm | TokenError::Header => {
            TokenFault::Signer(header["kid"].as_str().filter(|_| is_asymmetric).map(str::to_owned))
        }
        TokenError::Parts(_) | TokenError::TooLong => TokenFault::Malformed,
        _ => TokenFault::Unusable,
    }
}

fn json(part: &str) -> Option<Value> {
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).ok()?).ok()
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
            Identity::of(&policy, &token, now).map(|identity| (identity.role.into_string(), identity.expires))
        };
        let lasts = |expires: i64| Ok(("anon".to_owned(), Some(expires)));
        assert_eq!(of(json!({ "role": "anon", "exp": now + 9 })), lasts(now + 9));
        assert_eq!(of(json!({ "role": "anon", "exp": now })), Err(TokenFault::Expired(0)), "no leeway");
        assert_eq!(of(json!({ "role": "anon", "exp": now - 100 })), Err(TokenFault::Expired(100)));
        assert_eq!(of(json!({ "role": "anon" })), Err(TokenFault::Claims));
        assert_eq!(of(json!({ "exp": now + 9 })), Err(TokenFault::Claims));
        for exp in [json!("x"), json!(null), json!(now as f64 - 0.5), json!([])] {
            assert_eq!(of(json!({ "role": "anon", "exp": exp })), Err(TokenFault::Unusable), "{exp}");
        }
        assert_eq!(of(json!({ "role": "anon", "exp": now as f64 + 8.5 })), lasts(now + 9), "rounded");
        assert_eq!(of(json!({ "role": "anon", "exp": now as f64 + 0.25 })), Err(TokenFault::Times));
        for (name, value, is_accepted) in [
            ("iat", json!("x"), false),
            ("iat", json!(null), false),
            ("iat", json!(now as f64 + 100.5), true),
            ("nbf", json!(now + 100), false),
            ("nbf", json!(now + 20), true),
        ] {
            let found = of(json!({ "role": "anon", "exp": now + 9, name: value }));
            assert_eq!(found, if is_accepted { lasts(now + 9) } else { Err(TokenFault::Unusable) }, "{name} {value}");
        }
        let key = Identity::of(&policy, " sb_publishable_x\n", now).unwrap();
        assert_eq!((&*key.role, key.expires), ("anon", None));
        assert_eq!(Identity::of(&policy, "sb_publishable_y", now).unwrap_err(), TokenFault::Malformed);
        assert_eq!(Identity::of(&policy, "x", now).unwrap_err(), TokenFault::Malformed);
    }
    #[test]
    fn the_form_of_a_token_is_judged_as_upstream_does() {
        let keys = Keys::builder().secret(&Secret::new("0123456789abcdef0123456789abcdef".to_owned())).build();
        let policy = CallerPolicy::supabase(keys, ApiKeys::default());
        let part = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let of = |header: Value, payload: Value| {
            let token = format!("{}.{}.{}", part(header), part(payload), part(json!("signature")));
            Identity::of(&policy, &token, 0).unwrap_err()
        };
        let claims = json!({ "role": "anon", "exp": 9 });
        let signer = |kid: Option<&str>| TokenFault::Signer(kid.map(str::to_owned));
        for (header, payload, expected) in [
            (json!({ "alg": "HS256" }), &claims, TokenFault::Signature),
            (json!({ "alg": "HS256", "kid": "unknown" }), &claims, TokenFault::Signature),
            (json!({ "alg": "HS256" }), &json!([1]), TokenFault::Unusable),
            (json!("x"), &claims, TokenFault::Unusable),
            (json!({ "alg": "RS256", "kid": "unknown" }), &claims, signer(Some("unknown"))),
            (json!({ "alg": "EdDSA", "kid": "unknown" }), &claims, signer(Some("unknown"))),
            (json!({ "alg": "RS256" }), &claims, signer(None)),
            (json!({ "alg": "none", "kid": "unknown" }), &claims, signer(None)),
            (json!({ "alg": "XX" }), &claims, signer(None)),
            (json!({}), &claims, signer(None)),
        ] {
            assert_eq!(of(header.clone(), payload.clone()), expected, "{header} {payload}");
        }
        for token in ["a.b", "a.b.c", "a.b.c.d", ""] {
            assert_eq!(Identity::of(&policy, token, 0).unwrap_err(), TokenFault::Malformed, "{token}");
        }
    }
}
