//! Codes that prove an address once: made, hashed, stored, sent and compared.
//!
//! Codes are stored and hashed as GoTrue does it, so that a code of either is good at both. What is stored goes out only after
//! the commit, unless a hook takes it: [`Dispatch`] is what is left to do then, and the one place through which every code
//! leaves.

mod dispatch;
mod mailed;
mod messaged;
mod reauthentication;

use std::time::Duration;

use chrono::{DateTime, Utc};
use rand::Rng;
use sha2::{Digest, Sha224};
use subtle::ConstantTimeEq;

use crate::model::pkce::Challenge;
use crate::model::timestamp::after;

pub(crate) use dispatch::{Dispatch, Ready};
pub(crate) use mailed::{
    MAGIC_LINK, RECOVERY, Return, request, request_confirmation, request_email_change, request_invitation,
    request_nonce,
};
pub(crate) use messaged::{Occasion, request_phone_code, test_code};
pub(crate) use reauthentication::check_reauthentication;

/// What a PKCE flow's hashes begin with.
pub(crate) const PKCE_PREFIX: &str = "pkce_";

/// A code of decimal digits.
pub(crate) fn new_code(digits: usize) -> String {
    let mut random = rand::rng();
    (0..digits).map(|_| char::from(b'0' + random.random_range(0..10))).collect()
}

/// What is stored of a code: SHA-224 over the address it went to and the code, in hexadecimal.
pub(crate) fn hash(address: &str, code: &str) -> String {
    let digest = Sha224::new().chain_update(address).chain_update(code).finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash as it is stored: one of a PKCE flow is marked.
fn marked(hash: String, challenge: Option<&Challenge>) -> String {
    if challenge.is_some() { format!("{PKCE_PREFIX}{hash}") } else { hash }
}

/// Whether a code that came back is the one that is stored, marked or not. Takes as long for every wrong one.
pub(crate) fn is_same(hash: &str, stored: &str) -> bool {
    let plain = stored.strip_prefix(PKCE_PREFIX).unwrap_or(stored);
    let same = |one: &str, other: &str| bool::from(one.as_bytes().ct_eq(other.as_bytes()));
    !stored.is_empty() && (same(hash, stored) || same(hash, plain))
}

/// Whether a code that left then is still good, where one is for `seconds`. One that never left is not.
pub(crate) fn is_fresh(sent_at: Option<DateTime<Utc>>, seconds: i64, now: DateTime<Utc>) -> bool {
    let lifetime = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    sent_at.is_some_and(|sent_at| now <= after(sent_at, lifetime))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash was printed by GoTrue's `crypto.GenerateTokenHash`.
    #[test]
    fn hashes_are_gotrues() {
        assert_eq!(hash("a@x.test", "123456"), "3491418e4b5675fa174c079c88ea62f03823c03f91917c385c12a12a");
        let code = new_code(6);
        assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
    }

    #[test]
    fn codes_fit_with_and_without_the_mark() {
        for (hash, stored, same) in [
            ("abc", "abc", true),
            ("abc", "pkce_abc", true),
            ("pkce_abc", "pkce_abc", true),
            ("pkce_abc", "abc", false),
            ("abd", "abc", false),
            ("", "", false),
        ] {
            assert_eq!(is_same(hash, stored), same, "{hash} {stored}");
        }
    }

    #[test]
    fn codes_are_good_to_the_end_of_their_time() {
        let at = |seconds| DateTime::from_timestamp(seconds, 0).unwrap();
        assert!(is_fresh(Some(at(0)), 60, at(60)) && !is_fresh(Some(at(0)), 60, at(61)));
        assert!(!is_fresh(None, 60, at(0)));
    }
}
