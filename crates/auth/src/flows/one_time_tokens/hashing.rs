//! Hashes of codes for the database, keyed with a secret of the server.
//!
//! A link carries the same hash. A code has six digits, so without a key anyone could compute all million hashes of an
//! address and try them as links. With the key, the hash of a link is only known from the mail, and a dump of the table
//! reveals no code.
//!
//! DEVIATION (safer): hashes of codes are keyed (HMAC-SHA-256); GoTrue's `sha224(address ‖ code)` is not. Pending codes
//! are therefore lost when a project switches to or from GoTrue, with one exception: a code that GoTrue mailed before
//! the switch can still be typed until it expires; its link is refused.

use gateway::Secret;
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha224, Sha256};
use subtle::ConstantTimeEq;

use crate::model::pkce::Challenge;

/// The prefix of hashes in PKCE flows.
pub(crate) const PKCE_PREFIX: &str = "pkce_";
/// The purpose of this key (HKDF's `info`), which keeps it different from other keys derived from the same secret.
const PURPOSE: &[u8] = b"dugout: hashes of one-time codes, version 1";
/// The bytes of a hash that depend on address and code.
const BODY: usize = 20;
/// The bytes of a hash that show that our key made it. Together they are as long as GoTrue's SHA-224.
const MARK: usize = 8;

/// Hashes codes and compares them with stored hashes. Cloning copies the key.
#[derive(Clone)]
pub(crate) struct CodeHasher {
    mac: Hmac<Sha256>,
}

impl CodeHasher {
    /// Derives the key from a server secret by HKDF-SHA-256 (RFC 5869).
    pub(crate) fn new(secret: &Secret<String>) -> Self {
        let mut key = [0; 32];
        Hkdf::<Sha256>::new(None, secret.reveal().as_bytes())
            .expand(PURPOSE, &mut key)
            .expect("HKDF gives up to 255 times 32 bytes");
        CodeHasher { mac: Hmac::new_from_slice(&key).expect("HMAC takes keys of every length") }
    }

    /// The hash of a code as it is stored and mailed. With a challenge it gets the prefix of PKCE flows.
    pub(crate) fn token(&self, address: &str, code: &str, challenge: Option<&Challenge>) -> String {
        let hash = self.hash(address, code);
        if challenge.is_some() { format!("{PKCE_PREFIX}{hash}") } else { hash }
    }

    /// True if a typed code matches the stored hash, made by us or earlier by GoTrue. GoTrue's hash does not show where
    /// the address ends, so only a code of exactly `digits` digits is compared with it.
    pub(crate) fn fits(&self, address: &str, code: &str, digits: usize, stored: &str) -> bool {
        let plain = stored.strip_prefix(PKCE_PREFIX).unwrap_or(stored);
        if plain.is_empty() {
            return false;
        }
        if self.is_keyed(plain) {
            return same(&self.hash(address, code), plain);
        }
        has_digits(code, digits) && same(&gotrues(address, code), plain)
    }

    /// True if the hash of a link was made with our key. Hashes imported from GoTrue are refused before the database is
    /// queried: the answer must not reveal which of the hashes that anyone can compute is stored.
    pub(crate) fn is_keyed(&self, hash: &str) -> bool {
        let plain = hash.strip_prefix(PKCE_PREFIX).unwrap_or(hash);
        plain.len() == 2 * (BODY + MARK) && plain.is_ascii() && same(&self.mark(&plain[..2 * BODY]), &plain[2 * BODY..])
    }

    /// All forms in which a typed code may be stored. GoTrue's form is included only if the code has exactly `digits`
    /// digits.
    pub(crate) fn forms(&self, address: &str, code: &str, digits: usize) -> Vec<String> {
        let mut hashes = vec![self.hash(address, code)];
        if has_digits(code, digits) {
            hashes.push(gotrues(address, code));
        }
        hashes.into_iter().flat_map(|hash| [format!("{PKCE_PREFIX}{hash}"), hash]).collect()
    }

    fn hash(&self, address: &str, code: &str) -> String {
        // No address contains a zero byte, so the separator makes the end of the address part of the hash.
        let mac = self.mac.clone().chain_update(b"code").chain_update(address).chain_update([0]).chain_update(code);
        let body = hex(&mac.finalize().into_bytes()[..BODY]);
        let mark = self.mark(&body);
        body + &mark
    }

    fn mark(&self, body: &str) -> String {
        hex(&self.mac.clone().chain_update(b"mark").chain_update(body).finalize().into_bytes()[..MARK])
    }
}

/// Compares the hash of a link with the stored one in constant time.
pub(crate) fn is_same(hash: &str, stored: &str) -> bool {
    !stored.is_empty() && same(hash, stored)
}

fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

fn has_digits(code: &str, digits: usize) -> bool {
    code.len() == digits && code.bytes().all(|byte| byte.is_ascii_digit())
}

/// GoTrue's hash of a code (`crypto.GenerateTokenHash`), for rows that came with a dump.
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
    fn codes_of_gotrue_and_ours_match_but_only_our_links_do() {
        let hasher = hasher("one");
        let own = hasher.token("a@x.test", "123456", None);
        for stored in [&own, GOTRUES, &format!("pkce_{own}"), &format!("pkce_{GOTRUES}")] {
            assert!(hasher.fits("a@x.test", "123456", 6, stored), "{stored}");
            assert!(
                !hasher.fits("a@x.test", "123457", 6, stored) && !hasher.fits("b@x.test", "123456", 6, stored),
                "{stored}"
            );
            assert!(hasher.forms("a@x.test", "123456", 6).iter().any(|form| form == stored), "{stored}");
        }
        assert!(!hasher.fits("a@x.test", "123456", 6, "") && !hasher.fits("a@x.test", "123456", 6, "pkce_"));
        // GoTrue hashes the address and the code without a separator between them.
        for (address, code, digits) in [("a@x.test1", "23456", 6), ("a@x.test12345", "6", 6), ("a@x.tes", "t123456", 7)]
        {
            assert!(!hasher.fits(address, code, digits, GOTRUES), "{address} {code}");
            assert!(
                !hasher.forms(address, code, digits).iter().any(|form| form.ends_with(GOTRUES)),
                "{address} {code}"
            );
        }
        assert!(hasher.fits("a@x.test1", "23456", 5, GOTRUES), "the address must be compared as well");
        assert!(hasher.is_keyed(&own) && hasher.is_keyed(&format!("pkce_{own}")));
        for foreign in
            [GOTRUES, "", "pkce_", &own[1..], &own.to_uppercase(), &format!("{own}0"), &format!("pkce_{GOTRUES}")]
        {
            assert!(!hasher.is_keyed(foreign), "{foreign}");
        }
        assert!(is_same("abc", "abc") && !is_same("abc", "pkce_abc") && !is_same("", ""));
    }
}
