//! One-time codes and their lifetime.

use std::time::Duration;

use chrono::{DateTime, Utc};
use rand::Rng;

use crate::model::timestamp::after;

/// A code of decimal digits.
pub(crate) fn new_code(digits: usize) -> String {
    let mut random = rand::rng();
    (0..digits).map(|_| char::from(b'0' + random.random_range(0..10))).collect()
}

/// True if a code sent at `sent_at` with a lifetime of `seconds` is still valid. A code that was never sent is not.
pub(crate) fn is_fresh(sent_at: Option<DateTime<Utc>>, seconds: i64, now: DateTime<Utc>) -> bool {
    let lifetime = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    sent_at.is_some_and(|sent_at| now <= after(sent_at, lifetime))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_digits() {
        let code = new_code(6);
        assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
    }

    #[test]
    fn codes_are_good_to_the_end_of_their_time() {
        let at = |seconds| DateTime::from_timestamp(seconds, 0).unwrap();
        assert!(is_fresh(Some(at(0)), 60, at(60)) && !is_fresh(Some(at(0)), 60, at(61)));
        assert!(!is_fresh(None, 60, at(0)));
    }
}
