//! What the database keeps of a code: a hash under a key of the server.
//!
//! A link carries the same hash. A code has six digits, so without a key anyone could compute all million hashes of an address and
//! try them as links. With the key, a link can only be read from the mail, and a dump of the table reveals no code.
//!
//! DEVIATION: hashes of codes are keyed (HMAC-SHA-256), which GoTrue's `sha224(address ‖ code)` is not. So
//! codes that are in flight when a project switches to or from GoTrue are lost, except that a code which GoTrue mailed before can
//! still be typed until it expires; its link is refused.

use gateway::Secret;
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha224, Sha256};
use subtle::ConstantTimeEq;

use crate::model::pkce::Challenge;

/// What a PKCE flow's hashes begin with.
pub(crate) const PKCE_PREFIX: &str = "pkce_";
/// What this key is for (HKDF's `info`): no other use of the same secret derives it.
const PURPOSE: &[u8] = b"dugout: hashes of one-time codes, version 1";
/// Bytes of a hash that depend on address and code.
const BODY: usize = 20;
/// Bytes of a hash that say that it was made with our key. Together they are as long as GoTrue's SHA-224.
const MARK: usize = 8;

/// Hashes codes and compares them with what is stored. Cloning copies the key.
#[derive(Clone)]
pub(crate) struct CodeHasher {
    mac: Hmac<Sha256>,
}

impl CodeHasher {
    /// Derives the key from a secret of the server by HKDF-SHA-256 (RFC 5869).
    pub(crate) fn new(secret: &Secret<String>) -> Self {
        let mut key = [0; 32];
        Hkdf::<Sha256>::new(None, secret.reveal().as_bytes())
            .expand(PURPOSE, &mut key)
            .expect("HKDF gives up to 255 times 32 bytes");
        CodeHasher { mac: Hmac::new_from_slice(&key).expect("HMAC takes keys of every length") }
    }

    /// The hash of a code as it is stored and mailed. The hash of a PKCE flow is marked as such.
    pub(crate) fn token(&self, address: &str, code: &str, challenge: Option<&Challenge>) -> String {
        let hash = self.hash(address, code);
        if challenge.is_some() { format!("{PKCE_PREFIX}{hash}") } else { hash }
    }

    /// Whether a typed code is the one that is stored, by us or by GoTrue before us.
    pub(crate) fn fits(&self, address: &str, code: &str, stored: &str) -> bool {
        let plain = stored.strip_prefix(PKCE_PREFIX).unwrap_or(stored);
        let hash = if self.is_keyed(plain) { self.hash(address, code) } else { gotrues(address, code) };
        !plain.is_empty() && same(&hash, plain)
    }

    /// Whether the hash of a link was made with our key. An imported one was not, so it is refused before the database is asked: the
    /// answer must not tell which of the hashes that anyone can compute is stored.
    pub(crate) fn is_keyed(&self, hash: &str) -> bool {
        let plain = hash.strip_prefix(PKCE_PREFIX).unwrap_or(hash);
        plain.len() == 2 * (BODY + MARK) && plain.is_ascii() && same(&self.mark(&plain[..2 * BODY]), &plain[2 * BODY..])
    }

    /// Every form in which a typed code may be stored.
    pub(crate) fn forms(&self, address: &str, code: &str) -> [String; 4] {
        let (own, gotrues) = (self.hash(address, code), gotrues(address, code));
        [format!("{PKCE_PREFIX}{own}"), own, format!("{PKCE_PREFIX}{gotrues}"), gotrues]
    }

    fn hash(&self, address: &str, code: &str) -> String {
        // The zero byte is in no address: where the address ends is part of what is hashed.
        let mac = self.mac.clone().chain_update(b"code").chain_update(address).chain_update([0]).chain_update(code);
        let body = hex(&mac.finalize().into_bytes()[..BODY]);
        let mark = self.mark(&body);
        body + &mark
    }

    fn mark(&self, body: &str) -> String {
        hex(&self.mac.clone().chain_update(b"mark").chain_update(body).finalize().into_bytes()[..MARK])
    }
}

/// Whether the hash of a link is the stored one. Takes the same time for every wrong one.
pub(crate) fn is_same(hash: &str, stored: &str) -> bool {
    !stored.is_empty() && same(hash, stored)
}

fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

/// GoTrue's hash of a code (`crypto.GenerateTokenHash`): for rows that came with a dump.
fn gotrues(address: &str, code: &str) -> String {
    hex(&Sha224::new().chain_update(address).chain_update(code).finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed by GoTrue's `crypto.GenerateTokenHash`.
    const GOTRUES: &str = "3491418e4b5675fa174c079c88ea62f03823c03f91917c385c12a12a";

    fn hasher(secret: &str) -> CodeHasher {
        CodeHasher::new(&Secret::new(secret.to_owned()))
    }

    #[test]
    fn a_hash_depends_on_the_key_the_address_and_the_code() {
        let own = hasher("one").token("a@x.test", "123456", None);
        assert!(
            hasher("one").is_keyed(&own)
                && own.len() == GOTRUES.len()
                && own == hasher("one").token("a@x.test", "123456", None)
        );
        assert!(!hasher("one").is_keyed(&hasher("two").token("a@x.test", "123456", None)), "of another server");
        for other in [
            hasher("one").token("b@x.test", "123456", None),
            hasher("one").token("a@x.test", "123457", None),
            hasher("one").token("a@x.test1", "23456", None),
        ] {
            assert!(hasher("one").is_keyed(&other) && other != own);
        }
    }

    #[test]
    fn codes_fit_whoever_stored_them_and_links_only_ours() {
        let hasher = hasher("one");
        let own = hasher.token("a@x.test", "123456", None);
        for stored in [&own, GOTRUES, &format!("pkce_{own}"), &format!("pkce_{GOTRUES}")] {
            assert!(hasher.fits("a@x.test", "123456", stored), "{stored}");
            assert!(
                !hasher.fits("a@x.test", "123457", stored) && !hasher.fits("b@x.test", "123456", stored),
                "{stored}"
            );
            assert!(hasher.forms("a@x.test", "123456").iter().any(|form| form == stored), "{stored}");
        }
        assert!(!hasher.fits("a@x.test", "123456", "") && !hasher.fits("a@x.test", "123456", "pkce_"));
        assert!(hasher.is_keyed(&own) && hasher.is_keyed(&format!("pkce_{own}")));
        for foreign in
            [GOTRUES, "", "pkce_", &own[1..], &own.to_uppercase(), &format!("{own}0"), &format!("pkce_{GOTRUES}")]
        {
            assert!(!hasher.is_keyed(foreign), "{foreign}");
        }
        assert!(is_same("abc", "abc") && !is_same("abc", "pkce_abc") && !is_same("", ""));
    }
}
