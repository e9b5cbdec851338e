//! JSON Web Keys (RFC 7517): reading them, making one, and their public halves.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use p256::pkcs8::EncodePrivateKey;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::secret::Secret;

/// A key that tokens are checked with.
#[derive(Clone)]
pub struct VerifyingKey {
    kid: Option<String>,
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
    public: Option<Value>,
}

/// A private key that tokens are signed with: an EC key on P-256 (ES256).
#[derive(Clone)]
pub struct SigningKey {
    kid: String,
    encoding: EncodingKey,
    verifying: VerifyingKey,
    jwk: Secret<Value>,
}

/// Why a JWK cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JwkError {
    /// Not a JWK at all.
    #[error("not a JSON Web Key: {0}")]
    Malformed(String),
    /// A kind of key we cannot use in this place.
    #[error("a key of type {0} cannot be used here")]
    Unsupported(String),
}

impl VerifyingKey {
    pub(super) fn from_secret(secret: &[u8], algorithms: &[Algorithm]) -> Self {
        VerifyingKey { kid: None, algorithms: algorithms.to_vec(), key: DecodingKey::from_secret(secret), public: None }
    }

    /// Reads a public (or symmetric) JWK. `alg`, where given, is the only algorithm then allowed.
    ///
    /// # Errors
    /// [`JwkError`] when it is none, or of a kind we cannot verify with.
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

    /// The public JWK; `None` for a symmetric key, which has no public half.
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

impl SigningKey {
    /// Makes a new ES256 key from the operating system's randomness.
    ///
    /// # Errors
    /// [`JwkError`] when the operating system gives no randomness.
    pub fn generate() -> Result<Self, JwkError> {
        let mut seed = p256::FieldBytes::default();
        // A random scalar is zero or past the group's order with a chance of 2^-32: then the next one.
        let secret = loop {
            rand::TryRngCore::try_fill_bytes(&mut rand::rngs::OsRng, &mut seed)
                .map_err(|error| JwkError::Malformed(format!("no randomness: {error}")))?;
            if let Ok(secret) = p256::SecretKey::from_bytes(&seed) {
                break secret;
            }
        };
        let mut jwk: Value =
            serde_json::from_str(&secret.to_jwk_string()).map_err(|error| JwkError::Malformed(error.to_string()))?;
        jwk["kid"] = json!(Uuid::new_v4());
        jwk["alg"] = json!("ES256");
        jwk["use"] = json!("sig");
        Self::from_jwk(&jwk)
    }

    /// Reads a private JWK as the Supabase CLI writes them (`supabase gen signing-key`).
    ///
    /// # Errors
    /// [`JwkError`] when it is not a private EC key on P-256 with a `kid`.
    pub fn from_jwk(jwk: &Value) -> Result<Self, JwkError> {
        let field = |name: &str| jwk.get(name).and_then(Value::as_str);
        match (field("kty"), field("crv")) {
            (Some("EC"), Some("P-256")) => {}
            (kind, _) => return Err(JwkError::Unsupported(kind.unwrap_or("none").to_owned())),
        }
        let kid = field("kid").ok_or_else(|| JwkError::Malformed("it has no kid".to_owned()))?.to_owned();
        let scalar = field("d").ok_or_else(|| JwkError::Malformed("it has no private part (d)".to_owned()))?;
        let scalar = BASE64_URL_SAFE_NO_PAD.decode(scalar).map_err(|error| JwkError::Malformed(error.to_string()))?;
        let secret = p256::SecretKey::from_slice(&scalar).map_err(|error| JwkError::Malformed(error.to_string()))?;
        let der = secret.to_pkcs8_der().map_err(|error| JwkError::Malformed(error.to_string()))?;
        Ok(SigningKey {
            kid,
            encoding: EncodingKey::from_ec_der(der.as_bytes()),
            verifying: VerifyingKey::from_jwk(&public_half(jwk))?,
            jwk: Secret::new(jwk.clone()),
        })
    }

    /// The private JWK, for the secrets file.
    pub fn private_jwk(&self) -> &Secret<Value> {
        &self.jwk
    }

    /// The key's id.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// Always ES256 for now: the one kind [`SigningKey::from_jwk`] takes.
    pub fn algorithm(&self) -> Algorithm {
        Algorithm::ES256
    }

    /// The half that verifies.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying
    }

    pub(super) fn encoding_key(&self) -> &EncodingKey {
        &self.encoding
    }
}

/// The members of a JWK that may be published: those of RFC 7518 section 6 without the private ones, and what
/// identifies the key.
fn public_half(jwk: &Value) -> Value {
    const PUBLIC: [&str; 9] = ["kty", "kid", "alg", "use", "crv", "x", "y", "n", "e"];
    let mut public: serde_json::Map<String, Value> =
        PUBLIC.iter().filter_map(|name| jwk.get(*name).map(|value| ((*name).to_owned(), value.clone()))).collect();
    public.insert("key_ops".to_owned(), json!(["verify"]));
    Value::Object(public)
}
