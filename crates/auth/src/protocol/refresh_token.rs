//! The two forms of refresh tokens: a random string stored in a table, and a counter signed with its session's key.
//!
//! Source: supabase/auth, `internal/crypto/refresh_tokens.go`.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use rand::Rng;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use uuid::Uuid;

/// The alphabet of stored tokens: base32, in lower case.
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
/// Length of a stored token: 60 bits.
const LENGTH: usize = 12;
/// The first byte of a signed token: its version.
const VERSION: u8 = 0;
/// Length of a signed token's truncated HMAC-SHA-256, in bytes.
const SIGNATURE: usize = 16;
/// Length of the truncated SHA-256 at its end, in bytes. It detects invalid tokens without the database.
const CHECKSUM: usize = 4;
/// Length of a session's key, in bytes.
const KEY: usize = 32;

/// A refresh token as a client sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RefreshToken {
    /// A row of `auth.refresh_tokens`.
    Stored(String),
    Signed(Signed),
}

/// A signed token. Only [`Key::made`] verifies its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signed {
    pub(crate) session: Uuid,
    /// The number of refreshes of the session.
    pub(crate) counter: i64,
    /// The signed bytes.
    message: Vec<u8>,
    signature: Vec<u8>,
}

/// The key that signs the refresh tokens of one session: `auth.sessions.refresh_token_hmac_key`.
#[derive(Clone)]
pub(crate) struct Key(Vec<u8>);

impl RefreshToken {
    /// `None` for anything that cannot be a refresh token.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.len() == LENGTH {
            let is_word = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
            return is_word.then(|| RefreshToken::Stored(text.to_owned()));
        }
        Signed::parse(text).map(RefreshToken::Signed)
    }
}

/// A new stored token.
pub(crate) fn new_stored() -> String {
    // ThreadRng is a cryptographic generator seeded by the operating system.
    let mut random = rand::rng();
    (0..LENGTH).map(|_| char::from(ALPHABET[random.random_range(0..ALPHABET.len())])).collect()
}

impl Signed {
    /// Version, session, counter (LEB128), signature, checksum.
    fn parse(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let (signed, checksum) = bytes.split_last_chunk::<CHECKSUM>()?;
        if !bool::from(Sha256::digest(signed)[..CHECKSUM].ct_eq(checksum)) {
            return None;
        }
        let (message, signature) = signed.split_last_chunk::<SIGNATURE>()?;
        let (&[VERSION], rest) = message.split_first_chunk::<1>()? else { return None };
        let (session, counter) = rest.split_first_chunk::<16>()?;
        let counter = counter_of(counter)?;
        let session = Uuid::from_bytes(*session);
        Some(Signed { session, counter, message: message.to_vec(), signature: signature.to_vec() })
    }
}

impl Key {
    pub(crate) fn generate() -> Self {
        let mut bytes = vec![0; KEY];
        rand::rng().fill(&mut bytes[..]);
        Key(bytes)
    }

    /// Reads the column; `None` if it does not hold a key.
    pub(crate) fn from_column(text: &str) -> Option<Self> {
        BASE64_URL_SAFE_NO_PAD.decode(text).ok().filter(|bytes| !bytes.is_empty()).map(Key)
    }

    pub(crate) fn to_column(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(&self.0)
    }

    /// The token of `session` with this `counter`, which is not negative.
    pub(crate) fn sign(&self, session: Uuid, counter: i64) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend_from_slice(session.as_bytes());
        let mut rest = counter.cast_unsigned();
        while rest >= 0x80 {
            bytes.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push((rest & 0x7f) as u8);
        let signature = self.signature(&bytes);
        bytes.extend_from_slice(&signature);
        let checksum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&checksum[..CHECKSUM]);
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// True if this key signed `token`.
    pub(crate) fn made(&self, token: &Signed) -> bool {
        self.signature(&token.message).ct_eq(&token.signature).into()
    }

    fn signature(&self, message: &[u8]) -> [u8; SIGNATURE] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(message);
        let mut signature = [0; SIGNATURE];
        signature.copy_from_slice(&mac.finalize().into_bytes()[..SIGNATURE]);
        signature
    }
}

/// Reads all of `bytes` as LEB128. Counters that real clients reach always fit into `i64`.
fn counter_of(bytes: &[u8]) -> Option<i64> {
    let (last, before) = bytes.split_last()?;
    let whole = last & 0x80 == 0 && before.iter().all(|byte| byte & 0x80 != 0) && bytes.len() <= 9;
    let add = |sum: i64, (place, byte): (usize, &u8)| sum | (i64::from(byte & 0x7f) << (7 * place));
    whole.then(|| bytes.iter().enumerate().fold(0, add))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_tokens_have_their_form() {
        assert!((0..100).all(|_| matches!(RefreshToken::parse(&new_stored()), Some(RefreshToken::Stored(_)))));
        for token in ["", "abc", "abcdefghijkL", "abcdefghijklm", "abcdefghij_1", "é23456789012"] {
            assert_eq!(RefreshToken::parse(token), None, "{token}");
        }
    }

    /// Made by upstream's own code with the key of 32 bytes 0, 1, 2, ….
    #[test]
    fn signed_tokens_are_upstreams() {
        let key = Key((0..32).collect());
        let session = Uuid::parse_str("00112233-4455-6677-8899-aabbccddeeff").unwrap();
        for (counter, token) in [
            (0, "AAARIjNEVWZ3iJmqu8zd7v8AcnQ2ga0zGlS5ZuMKTrz_1QfBpcQ"),
            (300, "AAARIjNEVWZ3iJmqu8zd7v-sAve84vz-Zvp6dsnk9ashjMhTjyL6"),
            (i64::MAX, "AAARIjNEVWZ3iJmqu8zd7v___________3-p4RWHr-9A7FxoSDge1A6yTEb1lw"),
        ] {
            assert_eq!(key.sign(session, counter), token);
            let Some(RefreshToken::Signed(read)) = RefreshToken::parse(token) else { panic!("{token}") };
            assert_eq!((read.session, read.counter), (session, counter));
            assert!(key.made(&read) && !Key::generate().made(&read));
        }
        assert!(Key::from_column(&key.to_column()).unwrap().sign(session, 1) == key.sign(session, 1));
    }

    #[test]
    fn a_changed_token_is_none_or_not_ours() {
        let key = Key::generate();
        let token = BASE64_URL_SAFE_NO_PAD.decode(key.sign(Uuid::new_v4(), 5)).unwrap();
        for place in 0..token.len() {
            let mut changed = token.clone();
            changed[place] ^= 1;
            assert_eq!(RefreshToken::parse(&BASE64_URL_SAFE_NO_PAD.encode(&changed)), None, "byte {place}");
            // The checksum is valid, so only the key detects the change.
            let end = changed.len() - CHECKSUM;
            let checksum = Sha256::digest(&changed[..end]);
            changed[end..].copy_from_slice(&checksum[..CHECKSUM]);
            let read = RefreshToken::parse(&BASE64_URL_SAFE_NO_PAD.encode(&changed));
            let ours = |read| matches!(read, RefreshToken::Signed(signed) if key.made(&signed));
            assert_eq!(read.is_some_and(ours), place >= end, "byte {place}");
        }
        for bytes in [&[][..], &[0; 40], &token[..token.len() - 1]] {
            assert_eq!(RefreshToken::parse(&BASE64_URL_SAFE_NO_PAD.encode(bytes)), None);
        }
    }
}
