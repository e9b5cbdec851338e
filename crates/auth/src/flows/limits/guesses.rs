//! Limits how many codes may be tried for one address or one second factor.
//!
//! A mailed code has six digits. That allows two attacks: many clients that together try all codes, and many clients
//! that use up the shared limit so that the owner's right code is refused. Three counters of wrong codes prevent both:
//!
//! 1. *One client* may try [`PER_CLIENT`] codes of a subject in an hour. So one attacker cannot use up the shared
//!    limit.
//! 2. *All clients together* may try one ten-thousandth of the codes in an hour ([`common`]): 100 of six digits, so
//!    2,400 of a million in the day for which a code may be valid, however many addresses the attacker has.
//! 3. *A client that requested a code* may try [`RESERVED`] codes that count for nobody else,
//!    [`RESERVATIONS_PER_CLIENT`] times in an hour. When others have used up the second counter, the owner still gets
//!    in from the client that requested the code, or requests another one. Attackers can request codes, too, so a
//!    subject has [`RESERVATIONS`] of these in an hour, and [`RESERVATIONS_KNOWN`] more for clients that have entered a
//!    right code of the subject before: attackers cannot use those up.
//!
//! Together that is 100 + 40 × 5 = 300 codes of a million in an hour, and 7,200 in a day (each counter begins full, so
//! the first hour may see twice as many). Each reservation of an address costs a mail or message, whose code replaces
//! the one before.
//!
//! A right code is not counted. Links are not counted either: their hash is keyed and has 160 bits, and a wrong one
//! does not even name an address. So links always work, limited only by client (`GOTRUE_RATE_LIMIT_VERIFY`).
//!
//! Addresses without an account are counted in the same way, so that the limit does not reveal accounts.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gateway::limits::{Rate, Seconds};
use lru::LruCache;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::config::Config;
use crate::model::account::User;
use crate::model::address::Address;
use crate::model::client::Client;

/// Wrong codes per client and subject in an hour.
const PER_CLIENT: f64 = 10.0;
/// Additional wrong codes for a client that requested a code.
const RESERVED: u8 = 5;
/// Reservations per subject and hour, for all unknown clients together.
const RESERVATIONS: f64 = 30.0;
/// Additional reservations per subject and hour, for all clients together that have entered a right code of the subject before.
const RESERVATIONS_KNOWN: f64 = 10.0;
/// Reservations per subject and client in an hour, known or not.
const RESERVATIONS_PER_CLIENT: f64 = 4.0;
/// Maximum number of entries in each of seven tables: about 70 MB together.
const CAPACITY: NonZeroUsize = NonZeroUsize::new(100_000).expect("more than none");
const HOUR: Seconds = 3600.0;
/// Minimum number of digits of a second factor's code.
const FACTOR_DIGITS: usize = 6;

/// The address, user or factor whose codes are tried.
pub(crate) struct Subject {
    key: Key,
    digits: usize,
}

type Key = [u8; 16];

/// A counted guess whose code is not compared yet.
#[must_use = "a right code is given back"]
pub(crate) struct Guess {
    subject: Key,
    pair: Key,
    rate: Rate,
    is_reserved: bool,
    is_distinct: bool,
}

#[derive(Default)]
pub(super) struct Guesses {
    counters: Mutex<Option<Counters>>,
}

struct Counters {
    /// When the bucket of a subject is full again.
    subjects: LruCache<Key, Seconds>,
    /// When the bucket of a subject and a client is full again.
    pairs: LruCache<Key, Seconds>,
    /// Reserved guesses left to a client that requested a code of a subject.
    reserved: LruCache<Key, u8>,
    /// When a subject's bucket of reservations is full again.
    reservations: LruCache<Key, Seconds>,
    /// The same for the reservations kept for known clients.
    reservations_known: LruCache<Key, Seconds>,
    /// The same per subject and client.
    reservations_of_pair: LruCache<Key, Seconds>,
    /// Pairs of a subject and a client that entered a right code. Guesses add no entry, so they cannot evict one.
    known: LruCache<Key, ()>,
}

impl Subject {
    /// The codes sent to an e-mail address.
    pub(crate) fn email(config: &Config, email: &str) -> Self {
        Subject::new(b"email", email.as_bytes(), config.mailer.otp_length)
    }

    /// The codes sent to a phone number.
    pub(crate) fn phone(config: &Config, phone: &str) -> Self {
        Subject::new(b"phone", phone.as_bytes(), config.sms.otp_length)
    }

    /// The codes sent to the address of a sign-up or sign-in.
    pub(crate) fn of(config: &Config, address: &Address) -> Self {
        match address {
            Address::Email(email) => Subject::email(config, email),
            Address::Phone(phone) => Subject::phone(config, phone),
        }
    }

    /// The nonces for changing a password. Only the holder of a session can try them, so they are counted separately.
    pub(crate) fn nonce(config: &Config, user: &User) -> Self {
        let by_phone = user.email.is_empty();
        let digits = if by_phone { config.sms.otp_length } else { config.mailer.otp_length };
        Subject::new(b"nonce", user.id.as_bytes(), digits)
    }

    /// The codes of a second factor.
    pub(crate) fn factor(factor: Uuid) -> Self {
        Subject::new(b"factor", factor.as_bytes(), FACTOR_DIGITS)
    }

    fn new(kind: &[u8], name: &[u8], digits: usize) -> Self {
        Subject { key: digest(&[kind, name]), digits }
    }
}

/// The limit for all clients together: one ten-thousandth of the codes in an hour.
fn common(digits: usize) -> Rate {
    let power = i32::try_from(digits.saturating_sub(4)).unwrap_or(i32::MAX).min(6);
    let count = 10_f64.powi(power).max(PER_CLIENT);
    Rate::new(count, HOUR, count)
}

fn per_client() -> Rate {
    Rate::new(PER_CLIENT, HOUR, PER_CLIENT)
}

impl Guesses {
    fn with<T>(&self, work: impl FnOnce(&mut Counters) -> T) -> T {
        let mut counters: MutexGuard<'_, Option<Counters>> =
            self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        work(counters.get_or_insert_with(|| Counters {
            subjects: LruCache::new(CAPACITY),
            pairs: LruCache::new(CAPACITY),
            reserved: LruCache::new(CAPACITY),
            reservations: LruCache::new(CAPACITY),
            reservations_known: LruCache::new(CAPACITY),
            reservations_of_pair: LruCache::new(CAPACITY),
            known: LruCache::new(CAPACITY),
        }))
    }

    /// Counts a guess.
    ///
    /// # Errors
    /// The seconds to wait.
    pub(super) fn take(&self, subject: &Subject, client: Client, now: Seconds) -> Result<Guess, Seconds> {
        let (pair, rate) = (pair(subject, client), common(subject.digits));
        self.with(|counters| {
            let is_distinct = client.is_distinct();
            let mut guess = Guess { subject: subject.key, pair, rate, is_reserved: false, is_distinct };
            if let Some(left) = counters.reserved.get_mut(&pair).filter(|left| **left > 0) {
                *left -= 1;
                guess.is_reserved = true;
                return Ok(guess);
            }
            // Behind an undeclared proxy all clients look like one, and one attacker would use up the limit for
            // everyone.
            let own = if is_distinct { per_client().take(counters.pairs.get(&pair).copied(), now)? } else { now };
            let all = rate.take(counters.subjects.get(&subject.key).copied(), now)?;
            counters.pairs.put(pair, own);
            counters.subjects.put(subject.key, all);
            Ok(guess)
        })
    }

    /// Undoes the count of a guess whose code was right.
    pub(super) fn give_back(&self, guess: &Guess) {
        self.with(|counters| {
            if guess.is_distinct {
                counters.known.put(guess.pair, ());
            }
            if guess.is_reserved {
                if let Some(left) = counters.reserved.get_mut(&guess.pair) {
                    *left += 1;
                }
                return;
            }
            if let Some(full_at) = counters.pairs.get_mut(&guess.pair) {
                *full_at -= per_client().interval;
            }
            if let Some(full_at) = counters.subjects.get_mut(&guess.subject) {
                *full_at -= guess.rate.interval;
            }
        });
    }

    /// Reserves guesses for a client that requested a code of the subject.
    pub(super) fn reserve(&self, subject: &Subject, client: Client, now: Seconds) {
        let rate = |count| Rate::new(count, HOUR, count);
        let pair = pair(subject, client);
        self.with(|counters| {
            let of_pair = counters.reservations_of_pair.get(&pair).copied();
            let own = match client.is_distinct() {
                true => rate(RESERVATIONS_PER_CLIENT).take(of_pair, now),
                false => Ok(now),
            };
            let Ok(own) = own else { return };
            let all = rate(RESERVATIONS).take(counters.reservations.get(&subject.key).copied(), now);
            if let Ok(full_at) = all {
                counters.reservations.put(subject.key, full_at);
            } else if counters.known.get(&pair).is_some() {
                let kept = counters.reservations_known.get(&subject.key).copied();
                let Ok(full_at) = rate(RESERVATIONS_KNOWN).take(kept, now) else { return };
                counters.reservations_known.put(subject.key, full_at);
            } else {
                return;
            }
            counters.reservations_of_pair.put(pair, own);
            counters.reserved.put(pair, RESERVED);
        });
    }
}

fn pair(subject: &Subject, client: Client) -> Key {
    match client {
        Client::Address(address) => digest(&[&subject.key, b"at", address.to_string().as_bytes()]),
        Client::Name(name) => digest(&[&subject.key, b"named", &name]),
        Client::Undeclared => digest(&[&subject.key, b"undeclared"]),
    }
}

fn digest(parts: &[&[u8]]) -> Key {
    let hash = parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part).chain_update([0])).finalize();
    let mut key = [0; 16];
    key.copy_from_slice(&hash[..16]);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Seconds = 1_700_000_000.0;

    fn client(number: u32) -> Client {
        Client::at(std::net::IpAddr::V4(number.into()))
    }

    fn ana() -> Subject {
        Subject::new(b"email", b"ana@x.test", 6)
    }

    #[test]
    fn one_client_uses_up_its_own_share_only() {
        let guesses = Guesses::default();
        let taken = (0..50).filter(|_| guesses.take(&ana(), client(1), NOW).is_ok()).count();
        assert_eq!(taken, 10);
        assert!(guesses.take(&ana(), client(2), NOW).is_ok());
        assert!(guesses.take(&Subject::new(b"email", b"bob@x.test", 6), client(1), NOW).is_ok());
        assert!(guesses.take(&ana(), client(1), NOW + 361.0).is_ok());
    }

    #[test]
    fn all_clients_together_try_a_ten_thousandth_of_the_codes_in_an_hour() {
        for (digits, bound) in [(4, 10), (6, 100), (7, 1_000), (8, 10_000)] {
            let (guesses, subject) = (Guesses::default(), Subject::new(b"email", b"ana@x.test", digits));
            let taken = (0..40_000).filter(|number| guesses.take(&subject, client(number / 4), NOW).is_ok()).count();
            assert_eq!(taken, bound, "{digits}");
        }
        let guesses = Guesses::default();
        let day =
            (0..86_400_u32).filter(|second| guesses.take(&ana(), client(*second), NOW + f64::from(*second)).is_ok());
        assert!((2_400..=2_500).contains(&day.count()), "of a million");
    }

    #[test]
    fn who_asked_for_the_code_may_still_try_and_asking_does_not_open_the_rest() {
        let guesses = Guesses::default();
        while (0..200).any(|number| guesses.take(&ana(), client(number), NOW).is_ok()) {}
        assert!(guesses.take(&ana(), client(999), NOW).is_err());
        guesses.reserve(&ana(), client(999), NOW);
        assert_eq!((0..20).filter(|_| guesses.take(&ana(), client(999), NOW).is_ok()).count(), 5);
        // Attackers who request codes, too, share the thirty reservations with the owner.
        let taken = (1000..2000).map(|number| {
            guesses.reserve(&ana(), client(number), NOW);
            (0..20).filter(|_| guesses.take(&ana(), client(number), NOW).is_ok()).count()
        });
        assert_eq!(taken.sum::<usize>(), 29 * 5);
    }

    #[test]
    fn one_client_does_not_use_up_the_reservations_of_all() {
        let guesses = Guesses::default();
        while (0..10).any(|number| guesses.take(&ana(), client(number), NOW).is_ok()) {}
        for _ in 0..100 {
            guesses.reserve(&ana(), client(1), NOW);
            while guesses.take(&ana(), client(1), NOW).is_ok() {}
        }
        guesses.reserve(&ana(), client(999), NOW);
        assert!(guesses.take(&ana(), client(999), NOW).is_ok(), "the owner's first code");
    }

    #[test]
    fn a_client_that_proved_the_subject_has_reservations_that_others_cannot_use_up() {
        let guesses = Guesses::default();
        let right = guesses.take(&ana(), client(999), NOW).unwrap();
        guesses.give_back(&right);
        for number in 0..100 {
            guesses.reserve(&ana(), client(number), NOW);
        }
        while (0..200).any(|number| guesses.take(&ana(), client(number), NOW).is_ok()) {}
        for (number, wanted) in [(998, false), (999, true)] {
            guesses.reserve(&ana(), client(number), NOW);
            assert_eq!(guesses.take(&ana(), client(number), NOW).is_ok(), wanted, "{number}");
        }
        // A known client gets no more than any other.
        let taken = (0..20).map(|_| {
            guesses.reserve(&ana(), client(999), NOW);
            (0..20).filter(|_| guesses.take(&ana(), client(999), NOW).is_ok()).count()
        });
        assert_eq!(taken.sum::<usize>(), 3 * 5, "a new request replaces the remaining extra guesses");
    }

    #[test]
    fn right_codes_count_nowhere() {
        let guesses = Guesses::default();
        for _ in 0..500 {
            let guess = guesses.take(&ana(), client(1), NOW).unwrap();
            guesses.give_back(&guess);
        }
        guesses.reserve(&ana(), client(1), NOW);
        for _ in 0..500 {
            let guess = guesses.take(&ana(), client(1), NOW).unwrap();
            guesses.give_back(&guess);
        }
        assert_eq!((0..50).filter(|_| guesses.take(&ana(), client(1), NOW).is_ok()).count(), 15);
    }

    #[test]
    fn memory_is_bounded() {
        let guesses = Guesses::default();
        for number in 0..120_000 {
            let subject = Subject::new(b"email", number.to_string().as_bytes(), 6);
            drop(guesses.take(&subject, client(number), NOW).unwrap());
            guesses.reserve(&subject, client(number), NOW);
        }
        guesses.with(|counters| {
            let lengths = [counters.subjects.len(), counters.pairs.len(), counters.reserved.len()];
            assert_eq!(lengths, [CAPACITY.get(); 3]);
        });
    }
}
