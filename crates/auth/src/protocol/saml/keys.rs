//! RSA keys for SAML: those of identity providers, which verify signatures, and ours.

use chrono::{DateTime, Utc};
use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::traits::PublicKeyParts;
use rsa::{BigUint, RsaPrivateKey, RsaPublicKey};
use x509_cert::Certificate;
use x509_cert::der::Decode;
use x509_cert::der::referenced::OwnedToRef;

use super::Metadata;

/// Minimum length of a key, in bits.
const LEAST_BITS: usize = 2048;

/// Our own key from the settings: PKCS#1 DER in Base64.
///
/// # Errors
/// What is wrong with it, as the end of a sentence.
pub(crate) fn own(der: &[u8]) -> Result<RsaPrivateKey, &'static str> {
    let key = RsaPrivateKey::from_pkcs1_der(der).map_err(|_| "must be an RSA key in PKCS#1 format")?;
    if *key.e() != BigUint::from(65_537_u32) {
        return Err("must have the public exponent 65537");
    }
    if key.n().bits() < LEAST_BITS {
        return Err("must be an RSA key of 2048 bits or more");
    }
    Ok(key)
}

/// The keys that an identity provider signs with now. They come only from its metadata, never from a message.
///
/// DEVIATION (stricter): signatures of identity providers need RSA keys of at least 2048 bits and SHA-256 or better;
/// GoTrue also accepts shorter keys, SHA-1 and elliptic curves.
pub(super) fn of(provider: &Metadata, now: DateTime<Utc>) -> Vec<RsaPublicKey> {
    provider.signing_certificates.iter().filter_map(|certificate| key(certificate, now)).collect()
}

fn key(certificate: &[u8], now: DateTime<Utc>) -> Option<RsaPublicKey> {
    let certificate = Certificate::from_der(certificate).ok()?.tbs_certificate;
    let now = u64::try_from(now.timestamp()).ok()?;
    let validity = certificate.validity;
    let [begins, ends] = [validity.not_before, validity.not_after].map(|time| time.to_unix_duration().as_secs());
    let key = RsaPublicKey::try_from(certificate.subject_public_key_info.owned_to_ref()).ok()?;
    ((begins..=ends).contains(&now) && key.n().bits() >= LEAST_BITS).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;

    fn certificate() -> Vec<u8> {
        BASE64_STANDARD.decode(include_str!("fixtures/certificate.b64").trim()).unwrap()
    }

    #[test]
    fn only_certificates_that_can_be_read_and_are_valid_give_keys() {
        let provider = Metadata { signing_certificates: vec![vec![1, 2, 3], certificate()], ..Metadata::default() };
        let at = |time: &str| of(&provider, time.parse().unwrap()).len();
        assert_eq!(at("2026-01-01T00:00:00Z"), 1);
        assert_eq!(at("1969-12-31T23:59:59Z"), 0);
        assert_eq!(at("2170-01-02T00:00:00Z"), 0);
    }

    #[test]
    fn our_key_is_of_gotrues_kind() {
        for (text, refusal) in [
            (include_str!("fixtures/key.b64"), None),
            (include_str!("fixtures/key_of_1024_bits.b64"), Some("must be an RSA key of 2048 bits or more")),
            (include_str!("fixtures/key_of_exponent_3.b64"), Some("must have the public exponent 65537")),
            ("AAAA", Some("must be an RSA key in PKCS#1 format")),
        ] {
            assert_eq!(own(&BASE64_STANDARD.decode(text.trim()).unwrap()).err(), refusal);
        }
    }
}
