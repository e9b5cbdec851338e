//! Why a token is refused.

/// Why a token is refused; each service has its own wording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not three parts separated by dots; holds the number of parts, 0 for an empty text.
    #[error("expected 3 parts, got {0}")]
    Parts(usize),
    /// Longer than [`super::MAX_TOKEN_LENGTH`].
    #[error("the token is too long")]
    TooLong,
    /// A part is not base64url, or the header is not JSON with a known algorithm.
    #[error("the token's header cannot be read")]
    Header,
    /// `alg` is `none`.
    #[error("no key allows the token's algorithm")]
    Algorithm,
    /// No key has the token's `kid`, or none has a suitable type.
    #[error("no suitable key")]
    NoKey,
    /// The signature does not match any of our keys.
    #[error("the signature is invalid")]
    Signature,
    /// The payload is not a JSON object.
    #[error("the claims cannot be read")]
    Claims,
    /// A registered claim has the wrong type; holds its name and what it must be.
    #[error("the claim {claim} must be {expected}")]
    ClaimType {
        /// `exp`, `nbf`, `iat` or `aud`.
        claim: &'static str,
        /// In PostgREST's words: `a number`, `a string, array of strings or null`.
        expected: &'static str,
    },
    /// `exp` has passed.
    #[error("the token is expired")]
    Expired,
    /// `nbf` is in the future.
    #[error("the token is not valid yet")]
    NotYetValid,
    /// `iat` is in the future.
    #[error("the token was issued in the future")]
    IssuedInFuture,
    /// `aud` does not contain the required audience.
    #[error("the token is for another audience")]
    Audience,
    /// There is no key to sign with.
    #[error("no signing key is configured")]
    NoSigningKey,
    /// The signing key is not usable; holds the library's reason.
    #[error("signing failed: {0}")]
    Signing(String),
}
