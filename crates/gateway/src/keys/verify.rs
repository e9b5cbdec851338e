//! The two parts of verification: the signature, whose result can be cached, and the times, which cannot.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, crypto};
use serde::Deserialize;
use serde_json::Value;

use super::{KidRule, MAX_TOKEN_LENGTH, TokenError, VerifyingKey};
use crate::claims::Claims;

/// Leeway for clock skew, in seconds; the same as in PostgREST.
const LEEWAY: i64 = 30;

/// The two relevant header fields. All others are ignored: `jku`, `jwk` and `x5u` would let the token choose its key.
#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
}

/// Verifies the signature with our keys; returns the claims, whose times are not checked yet.
pub(super) fn signature(token: &str, keys: &[VerifyingKey], rule: KidRule) -> Result<Claims, TokenError> {
    if token.is_empty() {
        return Err(TokenError::Parts(0));
    }
    let parts: Vec<&str> = token.split('.').collect();
    let [header, payload, signature] = parts[..] else { return Err(TokenError::Parts(parts.len())) };
    if token.len() > MAX_TOKEN_LENGTH {
        return Err(TokenError::TooLong);
    }
    let header = decode(header)?;
    let header: Header = serde_json::from_slice(&header).map_err(|_| TokenError::Header)?;
    if header.alg == "none" {
        return Err(TokenError::Algorithm);
    }
    // Refuse unknown algorithms: the library's enum is the outer allow-list, each key's own list the inner one.
    let algorithm: Algorithm = header.alg.parse().map_err(|_| TokenError::Header)?;
    let payload = decode(payload)?;
    decode(signature)?;

    let is_named = |key: &VerifyingKey| match (header.kid.as_deref(), key.kid()) {
        (None, _) => true,
        (Some(wanted), Some(own)) => wanted == own,
        (Some(_), None) => rule == KidRule::OrUnnamed,
    };
    let mut fitting = keys.iter().filter(|key| key.allows(algorithm) && is_named(key)).peekable();
    if fitting.peek().is_none() {
        return Err(TokenError::NoKey);
    }
    let signed = &token.as_bytes()[..token.len() - signature.len() - 1];
    if !fitting.any(|key| crypto::verify(signature, signed, key.decoding_key(), algorithm).unwrap_or(false)) {
        return Err(TokenError::Signature);
    }
    let payload = std::str::from_utf8(&payload).map_err(|_| TokenError::Claims)?;
    Claims::parse(payload).ok_or(TokenError::Claims)
}

fn decode(part: &str) -> Result<Vec<u8>, TokenError> {
    BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Header)
}

/// Checks `exp`, `nbf`, `iat` and `aud` (RFC 7519 section 4.1). A time claim of `null` counts as absent.
pub(super) fn claims(claims: &Claims, audience: Option<&str>, now: i64) -> Result<(), TokenError> {
    if let Some(expires) = time(claims, "exp")?
        && now - LEEWAY > expires
    {
        return Err(TokenError::Expired);
    }
    if let Some(not_before) = time(claims, "nbf")?
        && now + LEEWAY < not_before
    {
        return Err(TokenError::NotYetValid);
    }
    if let Some(issued) = time(claims, "iat")?
        && now + LEEWAY < issued
    {
        return Err(TokenError::IssuedInFuture);
    }
    self::audience(claims, audience)
}

/// Checks `aud`.
pub(super) fn audience(claims: &Claims, audience: Option<&str>) -> Result<(), TokenError> {
    let named = audiences(claims)?;
    match audience {
        // A token without an audience is for everyone, as in PostgREST.
        Some(wanted) if !named.is_empty() && !named.contains(&wanted) => Err(TokenError::Audience),
        _ => Ok(()),
    }
}

fn time(claims: &Claims, name: &'static str) -> Result<Option<i64>, TokenError> {
    match claims.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => Ok(Some(number.as_i64().or_else(|| whole(number.as_f64()?)).unwrap_or(0))),
        Some(_) => Err(TokenError::ClaimType { claim: name, expected: "a number" }),
    }
}

/// `1e9` is an integer. Other numbers, and too large ones, count as 0, as in PostgREST: such a token has expired.
fn whole(seconds: f64) -> Option<i64> {
    // Integers up to this value are exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (seconds.fract() == 0.0 && seconds.abs() <= EXACT).then_some(seconds as i64)
}

fn audiences(claims: &Claims) -> Result<Vec<&str>, TokenError> {
    let wrong = TokenError::ClaimType { claim: "aud", expected: "a string, array of strings or null" };
    match claims.get("aud") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::String(one)) => Ok(vec![one.as_str()]),
        Some(Value::Array(many)) => many.iter().map(|one| one.as_str().ok_or(wrong.clone())).collect(),
        Some(_) => Err(wrong),
    }
}
