//! Verification of ID tokens (OpenID Connect Core section 3.1.3.7).

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use gateway::HttpClient;
use openidconnect::core::{CoreIdToken, CoreIdTokenVerifier, CoreJsonWebKeySet, CoreJwsSigningAlgorithm};
use openidconnect::{AccessToken, AccessTokenHash, ClaimsVerificationError, ClientId, IssuerUrl, Nonce};
use serde_json::{Map, Value};

use super::Failure;
use super::id_claims::is_apple;
use super::issuers::{Issuer, Keys};

/// Allowed signature algorithms: none that needs a shared secret, and never `none`.
const ALGORITHMS: [(&str, CoreJwsSigningAlgorithm); 10] = [
    ("RS256", CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256),
    ("RS384", CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384),
    ("RS512", CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512),
    ("PS256", CoreJwsSigningAlgorithm::RsaSsaPssSha256),
    ("PS384", CoreJwsSigningAlgorithm::RsaSsaPssSha384),
    ("PS512", CoreJwsSigningAlgorithm::RsaSsaPssSha512),
    ("ES256", CoreJwsSigningAlgorithm::EcdsaP256Sha256),
    ("ES384", CoreJwsSigningAlgorithm::EcdsaP384Sha384),
    ("ES512", CoreJwsSigningAlgorithm::EcdsaP521Sha512),
    ("EdDSA", CoreJwsSigningAlgorithm::EdDsa),
];

/// Leeway for clock skew in the token's `nbf`.
const EARLY: TimeDelta = TimeDelta::minutes(5);

/// A verified ID token.
#[derive(Clone)]
pub(crate) struct IdToken {
    pub(crate) issuer: String,
    pub(crate) audience: Vec<String>,
    /// Empty if there is none.
    pub(crate) nonce: String,
    /// All claims.
    pub(crate) claims: Map<String, Value>,
}

/// The `iss` claim of an unverified token. Do not rely on it.
pub(crate) fn issuer_of(token: &str) -> Option<String> {
    let issuer = payload(token)?.get("iss").cloned();
    Some(issuer.and_then(|issuer| issuer.as_str().map(str::to_owned)).unwrap_or_default())
}

/// Verifies signature, issuer and times, and with `access_token` also `at_hash`. The caller checks audience and nonce.
///
/// # Errors
/// What is wrong with it, or why the issuer's keys cannot be fetched.
pub(crate) async fn verify(
    http: &HttpClient,
    issuer: &Issuer,
    token: &str,
    access_token: Option<&str>,
    now: DateTime<Utc>,
) -> Result<IdToken, Failure> {
    let parsed: CoreIdToken = token.parse().map_err(|_| wrong("is no ID token"))?;
    let keys = issuer.keys(http, Keys::Known, now).await?;
    match check(&parsed, issuer, &keys, access_token, now) {
        Err(Wrong::Signature(_)) => {
            let keys = issuer.keys(http, Keys::Fresh, now).await?;
            check(&parsed, issuer, &keys, access_token, now).map_err(Wrong::into_failure)?;
        }
        other => other.map_err(Wrong::into_failure)?,
    }
    let claims = payload(token).ok_or_else(|| wrong("is no ID token"))?;
    let early = claims.get("nbf").and_then(Value::as_f64).is_some_and(|nbf| nbf > (now + EARLY).timestamp() as f64);
    if early {
        return Err(wrong("is an ID token that is not good yet"));
    }
    let text = |name: &str| claims.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let audience = match claims.get("aud") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(many)) => many.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    };
    let (issuer, nonce) = (text("iss"), text("nonce"));
    Ok(IdToken { issuer, audience, nonce, claims })
}

/// Why a token is invalid.
enum Wrong {
    /// No key matches; the issuer may have published newer ones.
    Signature(String),
    Other(String),
}

impl Wrong {
    fn into_failure(self) -> Failure {
        let (Wrong::Signature(text) | Wrong::Other(text)) = self;
        Failure::Answer(format!("is a bad ID token: {text}"))
    }
}

fn check(
    token: &CoreIdToken,
    issuer: &Issuer,
    keys: &CoreJsonWebKeySet,
    access_token: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), Wrong> {
    let other = |error: &dyn std::fmt::Display| Wrong::Other(error.to_string());
    let name = &issuer.discovery.issuer;
    let url = IssuerUrl::new(name.clone()).map_err(|error| other(&error))?;
    // The caller checks the audience, against several names.
    let verifier = CoreIdTokenVerifier::new_public_client(ClientId::new(String::new()), url, keys.clone())
        .require_audience_match(false)
        .require_issuer_match(!is_apple(name))
        .set_allowed_algs(allowed(&issuer.discovery.id_token_signing_alg_values_supported))
        .set_time_fn(move || now);
    let claims = token.claims(&verifier, |_: Option<&Nonce>| Ok(())).map_err(|error| match error {
        ClaimsVerificationError::SignatureVerification(error) => Wrong::Signature(error.to_string()),
        error => other(&error),
    })?;
    // Apple signs under both of its names.
    if is_apple(name) && !is_apple(claims.issuer().as_str()) {
        return Err(Wrong::Other("it is not Apple's".to_owned()));
    }
    if let (Some(access_token), Some(expected)) = (access_token, claims.access_token_hash()) {
        let algorithm = token.signing_alg().map_err(|error| other(&error))?;
        let key = token.signing_key(&verifier).map_err(|error| other(&error))?;
        let access_token = AccessToken::new(access_token.to_owned());
        let found = AccessTokenHash::from_token(&access_token, algorithm, key).map_err(|error| other(&error))?;
        if found != *expected {
            return Err(Wrong::Other("it belongs to another access token".to_owned()));
        }
    }
    Ok(())
}

/// The issuer's algorithms that we support; RS256 if it names none (Discovery section 3).
fn allowed(said: &[String]) -> Vec<CoreJwsSigningAlgorithm> {
    let known = ALGORITHMS.into_iter().filter(|(name, _)| said.iter().any(|said| said == name));
    let known: Vec<_> = known.map(|(_, algorithm)| algorithm).collect();
    if known.is_empty() { vec![CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256] } else { known }
}

fn payload(token: &str) -> Option<Map<String, Value>> {
    let mut parts = token.split('.');
    let (_, payload, _) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(payload).ok()?).ok()
}

fn wrong(text: &str) -> Failure {
    Failure::Answer(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unsigned_and_no_shared_secrets() {
        let said = |names: &[&str]| allowed(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        let rs256 = CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256;
        assert_eq!(said(&["none", "HS256", "ES256"]), [CoreJwsSigningAlgorithm::EcdsaP256Sha256]);
        assert!(said(&["none", "HS256"]) == said(&[]) && said(&[]) == [rs256]);
    }

    #[test]
    fn the_issuer_is_read_without_being_believed() {
        let token = |payload: &str| format!("e30.{}.x", BASE64_URL_SAFE_NO_PAD.encode(payload));
        assert_eq!(issuer_of(&token(r#"{"iss":"https://id.test"}"#)).as_deref(), Some("https://id.test"));
        assert_eq!(issuer_of(&token("{}")).as_deref(), Some(""));
        for bad in ["", "a.b", "e30.e30.x.y", "e30.***.x"] {
            assert_eq!(issuer_of(bad), None, "{bad}");
        }
    }
}
