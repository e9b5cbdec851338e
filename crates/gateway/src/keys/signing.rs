//! Private JSON Web Keys that sign tokens: ES256, RS256, RS512, EdDSA and HS256.
//!
//! Source: RFC 7517, RFC 7518 section 6, RFC 8037; the supported types: supabase/auth, `internal/conf/jwk.go`.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, crypto};
use p256::pkcs8::EncodePrivateKey;
use rsa::BigUint;
use rsa::pkcs1::EncodeRsaPrivateKey;
use rsa::traits::PublicKeyParts;
use serde_json::{Value, json};
use uuid::Uuid;

use super::jwk::{JwkError, VerifyingKey, public_half};
use crate::secret::Secret;

/// Minimum length of an RSA modulus, in bytes.
const RSA_BYTES: usize = 256;
/// The PKCS#8 prefix of the 32 bytes of an Ed25519 key (RFC 8410 section 7).
const ED25519: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/// A private key that signs tokens.
#[derive(Clone)]
pub struct SigningKey {
    kid: Option<String>,
    algorithm: Algorithm,
    encoding: EncodingKey,
    verifying: VerifyingKey,
    jwk: Secret<Value>,
}

impl SigningKey {
    /// Generates an ES256 key from the operating system's randomness.
    ///
    /// # Errors
    /// [`JwkError`] if the operating system provides no randomness.
    pub fn generate() -> Result<Self, JwkError> {
        let mut seed = p256::FieldBytes::default();
        // A random scalar is zero or beyond the group's order with a probability of 2^-32: then try again.
        let secret = loop {
            rand::TryRngCore::try_fill_bytes(&mut rand::rngs::OsRng, &mut seed)
                .map_err(|error| JwkError::Malformed(format!("no randomness: {error}")))?;
            if let Ok(secret) = p256::SecretKey::from_bytes(&seed) {
                break secret;
            }
        };
        let mut jwk: Value = serde_json::from_str(&secret.to_jwk_string()).map_err(malformed)?;
        jwk["kid"] = json!(Uuid::new_v4());
        jwk["alg"] = json!("ES256");
        jwk["use"] = json!("sig");
        Self::from_jwk(&jwk)
    }

    /// Reads a private JWK as the Supabase CLI writes it (`supabase gen signing-key`). Without `alg` its type
    /// determines the algorithm.
    ///
    /// # Errors
    /// [`JwkError`] if it is not a private key of a supported type, or its halves do not match.
    pub fn from_jwk(jwk: &Value) -> Result<Self, JwkError> {
        let field = |name: &str| jwk.get(name).and_then(Value::as_str);
        let number = |name: &str| {
            let text = field(name).ok_or_else(|| JwkError::Malformed(format!("it has no {name}")))?;
            BASE64_URL_SAFE_NO_PAD.decode(text).map_err(malformed)
        };
        let kind = (field("kty").unwrap_or("none"), field("crv").unwrap_or_default());
        let (algorithms, encoding): (&[Algorithm], EncodingKey) = match kind {
            ("EC", "P-256") => (&[Algorithm::ES256], p256_key(&number("d")?)?),
            ("OKP", "Ed25519") => (&[Algorithm::EdDSA], ed25519_key(&number("d")?)?),
            ("RSA", _) => {
                let primes = match (field("p"), field("q")) {
                    (Some(_), Some(_)) => vec![number("p")?, number("q")?],
                    _ => Vec::new(),
                };
                let key = rsa_key([number("n")?, number("e")?, number("d")?], &primes)?;
                (&[Algorithm::RS256, Algorithm::RS512], key)
            }
            ("oct", _) => (&[Algorithm::HS256], EncodingKey::from_secret(&number("k")?)),
            ("EC" | "OKP", curve) => return Err(JwkError::Unsupported(format!("{} on {curve:?}", kind.0))),
            (kind, _) => return Err(JwkError::Unsupported(kind.to_owned())),
        };
        let algorithm = match field("alg") {
            None => algorithms[0],
            Some(name) => {
                let named = algorithms.iter().copied().find(|algorithm| name.parse() == Ok(*algorithm));
                named.ok_or_else(|| JwkError::Unsupported(format!("{} whose alg is {name}", kind.0)))?
            }
        };
        let public = if kind.0 == "oct" { jwk.clone() } else { public_half(jwk) };
        let verifying = VerifyingKey::from_jwk(&public)?;
        fits(algorithm, &encoding, &verifying)?;
        Ok(SigningKey {
            kid: field("kid").filter(|kid| !kid.is_empty()).map(str::to_owned),
            algorithm,
            encoding,
            verifying,
            jwk: Secret::new(jwk.clone()),
        })
    }

    /// The private JWK, for the secrets file.
    pub fn private_jwk(&self) -> &Secret<Value> {
        &self.jwk
    }

    /// The key's id, which its tokens name as `kid`.
    pub fn kid(&self) -> Option<&str> {
        self.kid.as_deref()
    }

    /// The only algorithm that it signs with.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The public half.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying
    }

    pub(super) fn encoding_key(&self) -> &EncodingKey {
        &self.encoding
    }
}

fn p256_key(scalar: &[u8]) -> Result<EncodingKey, JwkError> {
    let secret = p256::SecretKey::from_slice(scalar).map_err(malformed)?;
    let der = secret.to_pkcs8_der().map_err(malformed)?;
    Ok(EncodingKey::from_ec_der(der.as_bytes()))
}

fn ed25519_key(seed: &[u8]) -> Result<EncodingKey, JwkError> {
    if seed.len() != 32 {
        return Err(JwkError::Malformed(format!("its d has {} bytes, not 32", seed.len())));
    }
    Ok(EncodingKey::from_ed_der(&[&ED25519, seed].concat()))
}

fn rsa_key(numbers: [Vec<u8>; 3], primes: &[Vec<u8>]) -> Result<EncodingKey, JwkError> {
    let [modulus, exponent, private] = numbers.map(|bytes| BigUint::from_bytes_be(&bytes));
    let primes = primes.iter().map(|bytes| BigUint::from_bytes_be(bytes)).collect();
    let key = rsa::RsaPrivateKey::from_components(modulus, exponent, private, primes).map_err(malformed)?;
    if key.size() < RSA_BYTES {
        return Err(JwkError::Malformed(format!("it has {} bits, fewer than {}", key.size() * 8, RSA_BYTES * 8)));
    }
    let der = key.to_pkcs1_der().map_err(malformed)?;
    Ok(EncodingKey::from_rsa_der(der.as_bytes()))
}

/// Checks that both halves belong together: otherwise nobody would accept its tokens.
fn fits(algorithm: Algorithm, encoding: &EncodingKey, verifying: &VerifyingKey) -> Result<(), JwkError> {
    let probe = b"probe";
    let signature = crypto::sign(probe, encoding, algorithm).map_err(malformed)?;
    let good = crypto::verify(&signature, probe, verifying.decoding_key(), algorithm).map_err(malformed)?;
    if good { Ok(()) } else { Err(JwkError::Malformed("its halves belong to different keys".to_owned())) }
}

fn malformed(error: impl std::fmt::Display) -> JwkError {
    JwkError::Malformed(error.to_string())
}
