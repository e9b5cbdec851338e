//! Encrypted assertions (XML Encryption 1.1): AES with a key that is encrypted for us by RSA-OAEP.
//!
//! Encryption authenticates nobody: the decrypted content is checked like any other. All failures return the same
//! error, so that attempts reveal nothing.

use aes::cipher::{BlockModeDecrypt, KeyIvInit, block_padding::NoPadding};
use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Aes256Gcm};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rsa::rand_core::OsRng;
use rsa::sha2::Sha256;
use rsa::{Oaep, RsaPrivateKey};
use sha1::Sha1;

use super::service_provider::ServiceProvider;
use super::signature;
use super::xml::Element;

const NAMESPACE: &str = "http://www.w3.org/2001/04/xmlenc#";
const RSA_OAEP: &str = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";
const SHA1: &str = "http://www.w3.org/2000/09/xmldsig#sha1";
const SHA256: &str = "http://www.w3.org/2001/04/xmlenc#sha256";

/// Why an assertion was not decrypted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DecryptionError {
    #[error("encrypted assertions are not allowed here")]
    NotAllowed,
    #[error("the assertion is encrypted with {0}, which is not allowed")]
    Algorithm(String),
    #[error("the encrypted assertion cannot be read")]
    Failed,
}

/// Decrypts an `EncryptedAssertion` with any of our keys.
///
/// # Errors
/// [`DecryptionError`]
pub(super) fn open(encrypted: Element<'_>, service: &ServiceProvider) -> Result<String, DecryptionError> {
    let keys: Vec<&RsaPrivateKey> = service.decryption_keys().collect();
    if keys.is_empty() {
        return Err(DecryptionError::NotAllowed);
    }
    let data = child(encrypted, NAMESPACE, "EncryptedData")?;
    // The key may be inside the data or beside it.
    let inside = data.only(signature::NAMESPACE, "KeyInfo").map_err(failed)?;
    let inside = inside.map(|info| info.only(NAMESPACE, "EncryptedKey")).transpose().map_err(failed)?.flatten();
    let wrapped = match inside {
        Some(key) => key,
        None => child(encrypted, NAMESPACE, "EncryptedKey")?,
    };
    let padding = padding(wrapped)?;
    let open = content(method(data)?)?;
    let wrapped = ciphertext(wrapped)?;
    // Blinded, so that the time reveals nothing about our key.
    let key = keys.into_iter().find_map(|key| key.decrypt_blinded(&mut OsRng, padding(), &wrapped).ok());
    let plain = open(&key.ok_or(DecryptionError::Failed)?, &ciphertext(data)?)?;
    String::from_utf8(plain).map_err(failed)
}

/// The padding of the encrypted key.
///
/// DEVIATION (stricter): the key of an encrypted SAML assertion must be encrypted by RSA-OAEP, and its content by AES;
/// GoTrue also accepts PKCS#1 v1.5 and Triple DES.
fn padding(wrapped: Element<'_>) -> Result<fn() -> Oaep, DecryptionError> {
    let method = child(wrapped, NAMESPACE, "EncryptionMethod")?;
    let algorithm = method.attribute("Algorithm").unwrap_or_default();
    if algorithm != RSA_OAEP {
        return Err(DecryptionError::Algorithm(algorithm.to_owned()));
    }
    let digest = method.only(signature::NAMESPACE, "DigestMethod").map_err(failed)?;
    match digest.map_or(SHA1, |digest| digest.attribute("Algorithm").unwrap_or_default()) {
        SHA1 => Ok(Oaep::new::<Sha1>),
        SHA256 => Ok(Oaep::new_with_mgf_hash::<Sha256, Sha1>),
        other => Err(DecryptionError::Algorithm(other.to_owned())),
    }
}

type Open = fn(&[u8], &[u8]) -> Result<Vec<u8>, DecryptionError>;

/// The decryption of the content. Determined before the key is known, so that the error does not reveal whether the key
/// was decrypted.
fn content(algorithm: &str) -> Result<Open, DecryptionError> {
    Ok(match algorithm {
        "http://www.w3.org/2009/xmlenc11#aes128-gcm" => gcm::<Aes128Gcm>,
        "http://www.w3.org/2009/xmlenc11#aes256-gcm" => gcm::<Aes256Gcm>,
        "http://www.w3.org/2001/04/xmlenc#aes128-cbc" => cbc::<cbc::Decryptor<aes::Aes128>>,
        "http://www.w3.org/2001/04/xmlenc#aes256-cbc" => cbc::<cbc::Decryptor<aes::Aes256>>,
        other => return Err(DecryptionError::Algorithm(other.to_owned())),
    })
}

/// The first 96 bits are the nonce.
fn gcm<C: Aead + KeyInit>(key: &[u8], bytes: &[u8]) -> Result<Vec<u8>, DecryptionError> {
    let (nonce, rest) = bytes.split_at_checked(12).ok_or(DecryptionError::Failed)?;
    let cipher = C::new_from_slice(key).map_err(failed)?;
    let nonce = nonce.try_into().map_err(failed)?;
    cipher.decrypt(nonce, rest).map_err(failed)
}

/// The first block is the initialization vector; the last byte is the length of the padding.
fn cbc<C: BlockModeDecrypt + KeyIvInit>(key: &[u8], bytes: &[u8]) -> Result<Vec<u8>, DecryptionError> {
    let (vector, rest) = bytes.split_at_checked(16).ok_or(DecryptionError::Failed)?;
    let cipher = C::new_from_slices(key, vector).map_err(failed)?;
    let mut plain = cipher.decrypt_padded_vec::<NoPadding>(rest).map_err(failed)?;
    let added = usize::from(*plain.last().ok_or(DecryptionError::Failed)?);
    if !(1..=16).contains(&added) || added > plain.len() {
        return Err(DecryptionError::Failed);
    }
    plain.truncate(plain.len() - added);
    Ok(plain)
}

fn method(element: Element<'_>) -> Result<&str, DecryptionError> {
    Ok(child(element, NAMESPACE, "EncryptionMethod")?.attribute("Algorithm").unwrap_or_default())
}

fn ciphertext(element: Element<'_>) -> Result<Vec<u8>, DecryptionError> {
    let value = child(child(element, NAMESPACE, "CipherData")?, NAMESPACE, "CipherValue")?;
    let mut text = value.text().map_err(failed)?;
    text.retain(|letter| !letter.is_ascii_whitespace());
    BASE64_STANDARD.decode(text).map_err(failed)
}

fn child<'d>(element: Element<'d>, namespace: &str, name: &'static str) -> Result<Element<'d>, DecryptionError> {
    element.only(namespace, name).map_err(failed)?.ok_or(DecryptionError::Failed)
}

fn failed<E>(_: E) -> DecryptionError {
    DecryptionError::Failed
}
