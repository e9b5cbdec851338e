//! Keys: what verifies and signs tokens, and the API keys made with them.

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

/// A token longer than this is refused before anything is computed, in bytes.
pub const MAX_TOKEN_LENGTH: usize = 16 * 1024;

/// Every key this server trusts, and the one it signs with. Cloning shares it.
#[derive(Clone)]
pub struct Keys {
    inner: Arc<Inner>,
}

struct Inner {
    signing: Option<Signer>,
    verifying: Vec<VerifyingKey>,
    audience: Option<String>,
    kid: KidRule,
    /// Tokens whose signature was found good; the time claims are checked at every use.
    seen: Seen,
    clock: Clock,
}

/// Which keys a token with a `kid` may have been signed with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KidRule {
    /// The key of that id, and keys without one: how a legacy secret goes on verifying beside newer keys.
    #[default]
    OrUnnamed,
    /// The key of that id only, as PostgREST has it.
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
    /// Starts with no key at all: every token is refused.
    pub fn builder() -> KeysBuilder {
        KeysBuilder::default()
    }

    /// Verifies signature, times and, where one is demanded, the audience (RFC 7519 section 7.2).
    ///
    /// # Errors
    /// [`TokenError`]; the first thing that is wrong, in the order PostgREST checks them.
    pub fn verify(&self, token: &str) -> Result<Claims, TokenError> {
        let inner = &*self.inner;
        let claims = match inner.seen.get(token) {
            Some(claims) => claims,
            None => {
                let claims = verify::signature(token, &inner.verifying, inner.kid)?;
                inner.seen.insert(token, &claims);
                claims
            }
        };
        verify::claims(&claims, inner.audience.as_deref(), inner.clock.unix())?;
        Ok(claims)
    }

    /// Signs `claims` with the current key.
    ///
    /// # Errors
    /// [`TokenError::NoSigningKey`] when there is none; [`TokenError::Signing`] when the key is unfit.
    pub fn sign(&self, claims: &Map<String, Value>) -> Result<String, TokenError> {
        let signer = self.inner.signing.as_ref().ok_or(TokenError::NoSigningKey)?;
        jsonwebtoken::encode(&signer.header, claims, &signer.key)
            .map_err(|error| TokenError::Signing(error.to_string()))
    }

    /// Whether others can verify what is signed: with a secret, only those who could sign it themselves.
    pub fn signs_for_the_public(&self) -> bool {
        let symmetric = [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512];
        self.inner.signing.as_ref().is_some_and(|signer| !symmetric.contains(&signer.header.alg))
    }

    /// The public keys as a JWK set (RFC 7517); symmetric secrets are never in it.
    pub fn jwks(&self) -> Value {
        let keys: Vec<Value> = self.inner.verifying.iter().filter_map(VerifyingKey::public_jwk).collect();
        serde_json::json!({ "keys": keys })
    }

    /// Whether any key is configured: PostgREST words its refusal differently when none is.
    pub fn is_empty(&self) -> bool {
        self.inner.verifying.is_empty()
    }

    /// How often the memory of tokens was asked, where it is counted.
    pub fn cache_counts(&self) -> CacheCounts {
        self.inner.seen.counts()
    }

    /// The clock that expiry is measured with.
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

    /// Signs with `key` from now on, and trusts what it signed.
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

    /// Demands this audience of tokens that name any.
    #[must_use]
    pub fn audience(mut self, audience: Option<String>) -> Self {
        self.audience = audience;
        self
    }

    /// Measures time with `clock`.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Chooses among keys for tokens with a `kid`.
    #[must_use]
    pub fn kid_rule(mut self, rule: KidRule) -> Self {
        self.kid = rule;
        self
    }

    /// Remembers this many tokens and counts how often that helps; none for 0. Unless this is said, what is remembered is
    /// bounded by its size.
    #[must_use]
    pub fn remember(mut self, tokens: usize) -> Self {
        self.remembered = Some(tokens);
        self
    }

    /// Done.
    pub fn build(self) -> Keys {
        let KeysBuilder { signing, verifying, audience, kid, remembered, clock } = self;
        let seen = remembered.map_or_else(Seen::by_size, Seen::by_number);
        Keys { inner: Arc::new(Inner { signing, verifying, audience, kid, seen, clock }) }
    }
}

#[cfg(test)]
mod tests;
