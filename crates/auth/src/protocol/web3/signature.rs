//! Checks that the key of an address signed a message.

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{GeneralPurpose, general_purpose::NO_PAD};
use k256::ecdsa::{RecoveryId, VerifyingKey};
use sha3::{Digest, Keccak256};

use super::{SignedMessage, syntax};
use crate::model::chain::Chain;

/// A wallet's signature.
#[derive(Debug)]
pub(crate) enum Signature {
    /// 65 bytes: r, s and the recovery id; `None` if it is not valid hexadecimal.
    Ethereum(Option<[u8; 65]>),
    /// Ed25519; `None` if it is too long.
    Solana(Option<[u8; 64]>),
}

/// Why a text is not a signature.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SignatureError {
    #[error("signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string")]
    EthereumLength,
    #[error("signature must be 64 bytes encoded as base64 with or without padding")]
    SolanaLength,
    #[error("signature does not contain valid base64 characters")]
    SolanaCharacters,
}

impl Signature {
    /// Parses a signature: hexadecimal with `0x` on Ethereum, either base64 alphabet on Solana.
    ///
    /// # Errors
    /// [`SignatureError`]. Invalid hexadecimal digits are no error but a signature that never matches, as in GoTrue.
    pub(crate) fn read(chain: Chain, text: &str) -> Result<Self, SignatureError> {
        match chain {
            Chain::Ethereum => {
                if text.strip_prefix("0x").unwrap_or(text).len() != 130 {
                    return Err(SignatureError::EthereumLength);
                }
                Ok(Signature::Ethereum(text.strip_prefix("0x").and_then(from_hexadecimal)))
            }
            Chain::Solana => {
                if !matches!(text.len(), 86 | 88) {
                    return Err(SignatureError::SolanaLength);
                }
                let lenient = GeneralPurpose::new(&URL_SAFE, NO_PAD.with_decode_allow_trailing_bits(true));
                let text = text.trim_end_matches('=').replace('+', "-").replace('/', "_");
                let bytes = lenient.decode(text).map_err(|_| SignatureError::SolanaCharacters)?;
                Ok(Signature::Solana(bytes.try_into().ok()))
            }
        }
    }

    /// True if the key of the address in `message` made this signature.
    pub(crate) fn fits(&self, message: &SignedMessage) -> bool {
        match self {
            Signature::Ethereum(bytes) => bytes.and_then(|bytes| signer(&message.raw, &bytes)).is_some_and(|address| {
                message.address.strip_prefix("0x").is_some_and(|known| known.eq_ignore_ascii_case(&address))
            }),
            Signature::Solana(bytes) => {
                let key = syntax::solana_key(&message.address);
                bytes.zip(key).is_some_and(|(bytes, key)| is_signed_by(message, &key, &bytes))
            }
        }
    }
}

fn from_hexadecimal(digits: &str) -> Option<[u8; 65]> {
    let mut bytes = [0; 65];
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        let digit = |letter: u8| char::from(letter).to_digit(16);
        *byte = u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok()?;
    }
    Some(bytes)
}

/// The address, in hexadecimal, of the key that signed the text as wallets do (ERC-191, version 0x45).
fn signer(text: &str, signature: &[u8; 65]) -> Option<String> {
    let mut hash = Keccak256::new();
    hash.update(format!("\x19Ethereum Signed Message:\n{}", text.len()));
    hash.update(text);
    let (numbers, version) = signature.split_at(64);
    // Wallets count the recovery id from 27, the yellow paper from 0.
    let version = version.first().map(|version| if *version >= 27 { version - 27 } else { *version })?;
    let mut recovery = RecoveryId::from_byte(version)?;
    let mut numbers = k256::ecdsa::Signature::from_slice(numbers).ok()?;
    // The library accepts only the low-s form of a signature.
    if let Some(lower) = numbers.normalize_s() {
        numbers = lower;
        recovery = RecoveryId::new(!recovery.is_y_odd(), recovery.is_x_reduced());
    }
    let key = VerifyingKey::recover_from_prehash(&hash.finalize(), &numbers, recovery).ok()?;
    let point = key.to_encoded_point(false);
    let digest = Keccak256::digest(point.as_bytes().get(1..)?);
    Some(digest.iter().skip(12).map(|byte| format!("{byte:02x}")).collect())
}

/// Ed25519 over the text, or over the form that a Ledger signs (Solana's off-chain message signing).
///
/// DEVIATION (safer): Solana signatures by small-order keys, which match any message, are refused; GoTrue accepts them.
fn is_signed_by(message: &SignedMessage, key: &[u8; 32], signature: &[u8; 64]) -> bool {
    let Ok(verifier) = ed25519_dalek::VerifyingKey::from_bytes(key) else { return false };
    let signature = ed25519_dalek::Signature::from_bytes(signature);
    let fits = |bytes: &[u8]| verifier.verify_strict(bytes, &signature).is_ok();
    fits(message.raw.as_bytes()) || off_chain_message(message, key).is_some_and(|bytes| fits(&bytes))
}

/// Prefix, version 0, the app's domain in 32 bytes, format 0 (ASCII), one signer, and the text after its length.
fn off_chain_message(message: &SignedMessage, key: &[u8; 32]) -> Option<Vec<u8>> {
    let length = u16::try_from(message.raw.len()).ok()?;
    let mut domain = [0; 32];
    for (place, byte) in domain.iter_mut().zip(message.domain.bytes()) {
        *place = byte;
    }
    Some(
        [b"\xffsolana offchain\0", domain.as_slice(), &[0, 1], key, &length.to_le_bytes(), message.raw.as_bytes()]
            .concat(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_letters() {
        let hexadecimal = "ab".repeat(65);
        for (chain, text, error) in [
            (Chain::Ethereum, "0x12", SignatureError::EthereumLength),
            (Chain::Ethereum, &format!("0X{hexadecimal}"), SignatureError::EthereumLength),
            (Chain::Solana, &"a".repeat(87), SignatureError::SolanaLength),
            (Chain::Solana, &"!".repeat(86), SignatureError::SolanaCharacters),
        ] {
            assert_eq!(Signature::read(chain, text).unwrap_err(), error, "{text}");
        }
        let read = |chain, text: &str| Signature::read(chain, text).unwrap();
        assert!(matches!(read(Chain::Ethereum, &hexadecimal), Signature::Ethereum(None)), "0x is part of it");
        assert!(matches!(read(Chain::Ethereum, &format!("0x{}", "+1".repeat(65))), Signature::Ethereum(None)));
        let padded = format!("{}==", "a".repeat(86));
        assert!(matches!(read(Chain::Solana, &padded), Signature::Solana(Some(_))));
        assert!(matches!(read(Chain::Solana, &"a+".repeat(44)), Signature::Solana(None)));
    }
}
