//! Keys that verify and sign tokens, and API keys.

pub mod api_keys;
mod error;
mod jwk;
mod seen;
mod signing;
mod verify;

use std::sync::Arc;

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Map, Value};

pub use api_keys::ApiKeys;
pub use error::TokenError;
pub use jwk::{JwkError, VerifyingKey};
pub use seen::CacheCounts;
pub use signing::SigningKey;

use crate::claims::Claims;
use crate::clock::Clock;
use crate::secret::Secret;
use seen::Seen;

/// Longer tokens are refused before any computation, in bytes.
pub const MAX_TOKEN_LENGTH: usize = 16 * 1024;

/// All trusted keys, and the one that signs. Clones share them.
#[derive(Clone)]
pub struct Keys {
    inner: Arc<Inner>,
}

struct Inner {
    signing: Option<Signer>,
    verifying: Vec<VerifyingKey>,
    audience: Option<String>,
    kid: KidRule,
    /// Tokens whose signature was verified; the time claims are checked at every use.
    seen: Seen,
    clock: Clock,
}

/// Which keys may have signed a token with a `kid`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KidRule {
    /// The key with that id, and keys without an id: so a legacy secret still verifies beside newer keys.
    #[default]
    OrUnnamed,
    /// Only the key with that id, as in PostgREST.
    Exact,
}

struct Signer {
    header: Header,
    key: EncodingKey,
}

/// The parts of [`Keys`].
#[derive(Default)]
pub struct KeysBuilder {
    signing: Option<Signer>,
    verifying: Vec<VerifyingKey>,
    audience: Option<String>,
    kid: KidRule,
    remembered: Option<usize>,
    clock: Clock,
}

impl Keys {
    /// Starts without any key: every token is refused.
    pub fn builder() -> KeysBuilder {
        KeysBuilder::default()
    }

    /// Verifies signature, times and, if required, the audience (RFC 7519 section 7.2).
    ///
    /// # Errors
    /// [`TokenError`]: the first problem, in the order in which PostgREST checks.
    pub fn verify(&self, token: &str) -> Result<Claims, TokenError> {
        let claims = self.signed(token)?;
        verify::claims(&claims, self.inner.audience.as_deref(), self.inner.clock.unix())?;
        Ok(claims)
    }

    /// Verifies the signature and, if required, the audience. The caller checks the times, by rules of its own.
    ///
    /// # Errors
    /// [`TokenError`], as [`Keys::verify`].
    pub fn verify_but_times(&self, token: &str) -> Result<Claims, TokenError> {
        let claims = self.signed(token)?;
        verify::audience(&claims, self.inner.audience.as_deref())?;
        Ok(claims)
    }

    fn signed(&self, token: &str) -> Result<Claims, TokenError> {
        let inner = &*self.inner;
        if let Some(claims) = inner.seen.get(token) {
            return Ok(claims);
        }
        let claims = verify::signature(token, &inner.verifying, inner.kid)?;
        inner.seen.insert(token, &claims);
        Ok(claims)
    }

    /// Signs `claims` with the current key.
    ///
    /// # Errors
    /// [`TokenError::NoSigningKey`] if there is none; [`TokenError::Signing`] if the key is not usable.
    pub fn sign(&self, claims: &Map<String, Value>) -> Result<String, TokenError> {
        let signer = self.inner.signing.as_ref().ok_or(TokenError::NoSigningKey)?;
        jsonwebtoken::encode(&signer.header, claims, &signer.key)
            .map_err(|error| TokenError::Signing(error.to_string()))
    }

    /// True if others can verify our signatures: with a symmetric secret only those could who can also sign.
    pub fn signs_for_the_public(&self) -> bool {
        let symmetric = [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512];
        self.inner.signing.as_ref().is_some_and(|signer| !symmetric.contains(&signer.header.alg))
    }

    /// The public keys as a JWK set (RFC 7517), without symmetric secrets.
    pub fn jwks(&self) -> Value {
        let keys: Vec<Value> = self.inner.verifying.iter().filter_map(VerifyingKey::public_jwk).collect();
        serde_json::json!({ "keys": keys })
    }

    /// True if no key is configured: PostgREST words its refusal differently then.
    pub fn is_empty(&self) -> bool {
        self.inner.verifying.is_empty()
    }

    /// The counters of the token cache, if it counts.
    pub fn cache_counts(&self) -> CacheCounts {
        self.inner.seen.counts()
    }

    /// The clock that determines expiry.
    pub fn clock(&self) -> &Clock {
        &self.inner.clock
    }
}

impl KeysBuilder {
    /// Trusts HS256 tokens made with `secret`, and signs with it unless a signing key is given.
    #[must_use]
    pub fn secret(mut self, secret: &Secret<String>) -> Self {
        let bytes = secret.reveal().as_bytes();
        if self.signing.is_none() {
            self.signing = Some(Signer { header: Header::new(Algorithm::HS256), key: EncodingKey::from_secret(bytes) });
        }
        self.verifying.push(VerifyingKey::from_secret(bytes, &[Algorithm::HS256]));
        self
    }

    /// Signs with `key` from now on, and trusts its signatures.
    #[must_use]
    pub fn signing(mut self, key: &SigningKey) -> Self {
        let mut header = Header::new(key.algorithm());
        header.kid = key.kid().map(str::to_owned);
        self.signing = Some(Signer { header, key: key.encoding_key().clone() });
        self.verifying.push(key.verifying_key().clone());
        self
    }

    /// Trusts one more key, such as a standby key or one of another issuer.
    #[must_use]
    pub fn verifying(mut self, key: VerifyingKey) -> Self {
        self.verifying.push(key);
        self
    }

    /// Requires this audience of tokens that have one.
    #[must_use]
    pub fn audience(mut self, audience: Option<String>) -> Self {
        self.audience = audience;
        self
    }

    /// Uses `clock` as the time.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the rule for tokens with a `kid`.
    #[must_use]
    pub fn kid_rule(mut self, rule: KidRule) -> Self {
        self.kid = rule;
        self
    }

    /// Caches this many tokens and counts its use; 0 disables the cache. By default the cache is bounded by its size in
    /// bytes.
    #[must_use]
    pub fn remember(mut self, tokens: usize) -> Self {
        self.remembered = Some(tokens);
        self
    }

    /// Builds the keys.
    pub fn build(self) -> Keys {
        let KeysBuilder { signing, verifying, audience, kid, remembered, clock } = self;
        let seen = remembered.map_or_else(Seen::by_size, Seen::by_number);
        Keys { inner: Arc::new(Inner { signing, verifying, audience, kid, seen, clock }) }
    }
}

#[cfg(test)]
mod tests;
