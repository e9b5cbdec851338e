//! Proof Key for Code Exchange (RFC 7636): challenges and verifiers.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::error::AuthError;

/// How a challenge is made from the verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// SHA-256, base64url.
    S256,
    /// The verifier itself.
    Plain,
}

/// A valid challenge. A flow with a challenge is a PKCE flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Challenge {
    pub(crate) text: String,
    pub(crate) method: Method,
}

impl Method {
    /// The value of the database's enum.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Method::S256 => "s256",
            Method::Plain => "plain",
        }
    }
}

impl Challenge {
    /// Reads the pair of parameters; if both are empty there is no challenge.
    ///
    /// DEVIATION (words): an unknown PKCE method is refused with 400; GoTrue answers 500.
    ///
    /// # Errors
    /// [`AuthError::ChallengeIncomplete`], [`AuthError::ChallengeLength`], [`AuthError::ChallengeCharacters`].
    pub(crate) fn read(text: &str, method: &str) -> Result<Option<Self>, AuthError> {
        if text.is_empty() != method.is_empty() {
            return Err(AuthError::ChallengeIncomplete);
        }
        if text.is_empty() {
            return Ok(None);
        }
        if !(43..=128).contains(&text.len()) {
            return Err(AuthError::ChallengeLength);
        }
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._~-".contains(&byte)) {
            return Err(AuthError::ChallengeCharacters);
        }
        let method = match method.to_ascii_lowercase().as_str() {
            "s256" => Method::S256,
            "plain" => Method::Plain,
            _ => return Err(AuthError::ChallengeIncomplete),
        };
        Ok(Some(Challenge { text: text.to_owned(), method }))
    }
}

/// Checks the verifier against the flow's challenge.
///
/// # Errors
/// [`AuthError::VerifierWrong`], [`AuthError::VerifierMethod`].
pub(crate) fn check(challenge: &str, method: &str, verifier: &str) -> Result<(), AuthError> {
    let made = match method {
        "s256" => BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)),
        "plain" => verifier.to_owned(),
        _ => return Err(AuthError::VerifierMethod),
    };
    if bool::from(made.as_bytes().ct_eq(challenge.as_bytes())) { Ok(()) } else { Err(AuthError::VerifierWrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pair is that of RFC 7636 appendix B.
    #[test]
    fn verifiers() {
        let (verifier, challenge) =
            ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert!(check(challenge, "s256", verifier).is_ok() && check("x", "plain", "x").is_ok());
        assert!(matches!(check(challenge, "s256", challenge), Err(AuthError::VerifierWrong)));
        assert!(matches!(check("x", "", "x"), Err(AuthError::VerifierMethod)));
    }

    #[test]
    fn challenges() {
        let good = "a".repeat(43);
        assert_eq!(Challenge::read("", "").unwrap(), None);
        assert_eq!(Challenge::read(&good, "S256").unwrap().unwrap().method, Method::S256);
        assert_eq!(Challenge::read(&"~".repeat(128), "plain").unwrap().unwrap().method, Method::Plain);
        for (text, method, message) in [
            (good.as_str(), "", "PKCE flow requires code_challenge_method and code_challenge"),
            ("", "s256", "PKCE flow requires code_challenge_method and code_challenge"),
            (good.as_str(), "md5", "PKCE flow requires code_challenge_method and code_challenge"),
            (&good[1..], "s256", "code challenge has to be between 43 and 128 characters"),
            (&"a".repeat(129), "s256", "code challenge has to be between 43 and 128 characters"),
            (
                &format!("{good}!"),
                "s256",
                "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes",
            ),
        ] {
            assert_eq!(Challenge::read(text, method).unwrap_err().message(), message);
        }
    }
}
