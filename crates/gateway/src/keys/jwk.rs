//! JSON Web Keys (RFC 7517) for verification, and the public halves of signing keys.

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::{Value, json};

/// A key that verifies tokens.
#[derive(Clone)]
pub struct VerifyingKey {
    kid: Option<String>,
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
    public: Option<Value>,
}

/// Why a JWK cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JwkError {
    /// Not a JWK.
    #[error("not a JSON Web Key: {0}")]
    Malformed(String),
    /// A key type that cannot be used here.
    #[error("a key of type {0} cannot be used here")]
    Unsupported(String),
}

impl VerifyingKey {
    pub(super) fn from_secret(secret: &[u8], algorithms: &[Algorithm]) -> Self {
        VerifyingKey { kid: None, algorithms: algorithms.to_vec(), key: DecodingKey::from_secret(secret), public: None }
    }

    /// Reads a public (or symmetric) JWK. If it has an `alg`, only that algorithm is allowed.
    ///
    /// # Errors
    /// [`JwkError`] if it is not a JWK, or of a type that we cannot verify with.
    pub fn from_jwk(value: &Value) -> Result<Self, JwkError> {
        let jwk: Jwk = serde_json::from_value(value.clone()).map_err(|error| JwkError::Malformed(error.to_string()))?;
        let of_kind: &[Algorithm] = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => &[
                Algorithm::RS256,
                Algorithm::RS384,
                Algorithm::RS512,
                Algorithm::PS256,
                Algorithm::PS384,
                Algorithm::PS512,
            ],
            AlgorithmParameters::EllipticCurve(key) => match key.curve {
                EllipticCurve::P256 => &[Algorithm::ES256],
                EllipticCurve::P384 => &[Algorithm::ES384],
                _ => return Err(JwkError::Unsupported("EC on this curve".to_owned())),
            },
            AlgorithmParameters::OctetKeyPair(_) => &[Algorithm::EdDSA],
            AlgorithmParameters::OctetKey(_) => &[Algorithm::HS256, Algorithm::HS384, Algorithm::HS512],
            _ => return Err(JwkError::Unsupported("of an unknown kind".to_owned())),
        };
        if jwk.common.public_key_use == Some(PublicKeyUse::Encryption) {
            return Err(JwkError::Unsupported("for encryption".to_owned()));
        }
        let named = jwk.common.key_algorithm.map(|named| named.to_string());
        let is_named = |algorithm: &Algorithm| named.as_ref().is_none_or(|named| named.parse() == Ok(*algorithm));
        let algorithms: Vec<Algorithm> = of_kind.iter().copied().filter(is_named).collect();
        if algorithms.is_empty() {
            return Err(JwkError::Unsupported(format!("whose alg is {}", named.unwrap_or_default())));
        }
        let key = DecodingKey::from_jwk(&jwk).map_err(|error| JwkError::Malformed(error.to_string()))?;
        let public = (!matches!(jwk.algorithm, AlgorithmParameters::OctetKey(_))).then(|| public_half(value));
        Ok(VerifyingKey { kid: jwk.common.key_id, algorithms, key, public })
    }

    /// The key's id, which tokens name as `kid`.
    pub fn kid(&self) -> Option<&str> {
        self.kid.as_deref()
    }

    /// The public JWK; `None` for a symmetric key.
    pub fn public_jwk(&self) -> Option<Value> {
        self.public.clone()
    }

    pub(super) fn allows(&self, algorithm: Algorithm) -> bool {
        self.algorithms.contains(&algorithm)
    }

    pub(super) fn decoding_key(&self) -> &DecodingKey {
        &self.key
    }
}

/// The publishable members of a JWK: those of RFC 7518 section 6 without the private ones, and what identifies the key.
pub(super) fn public_half(jwk: &Value) -> Value {
    const PUBLIC: [&str; 8] = ["kty", "kid", "alg", "crv", "x", "y", "n", "e"];
    let mut public: serde_json::Map<String, Value> =
        PUBLIC.iter().filter_map(|name| jwk.get(*name).map(|value| ((*name).to_owned(), value.clone()))).collect();
    public.insert("use".to_owned(), json!("sig"));
    public.insert("key_ops".to_owned(), json!(["verify"]));
    Value::Object(public)
}
