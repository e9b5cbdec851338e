//! Counters of requests, and of mails and messages.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use gateway::limits::{Rate, Seconds, whole};
use lru::LruCache;

use super::guesses::Guesses;
use super::sender::Sender;
use crate::config::RateLimits;
use crate::error::{AuthError, Limited};
use crate::model::client::Client;

/// Maximum number of buckets in memory, about 10 MB.
const CAPACITY: NonZeroUsize = NonZeroUsize::new(100_000).expect("more than none");
/// Minimum capacity of a bucket.
const BURST: f64 = 30.0;

/// The rate limit of a row of the route table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// No limit: the route sends nothing and cannot be used for guessing.
    None,
    /// Counted by one bucket.
    By(Bucket),
    /// The handler chooses the bucket.
    InHandler,
}

/// What has a counter of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bucket {
    Token,
    Web3,
    Signup,
    AnonymousSignup,
    Recover,
    Resend,
    MagicLink,
    Otp,
    Verify,
    User,
    FactorChallenge,
    FactorVerify,
    PasskeyAuthentication,
    Sso,
    SamlAssertion,
    OauthClientRegister,
}

impl Bucket {
    /// The name in the route table.
    fn name(self) -> &'static str {
        match self {
            Bucket::Token => "token",
            Bucket::Web3 => "web3",
            Bucket::Signup => "signup",
            Bucket::AnonymousSignup => "anonymous signup",
            Bucket::Recover => "recover",
            Bucket::Resend => "resend",
            Bucket::MagicLink => "magiclink",
            Bucket::Otp => "otp",
            Bucket::Verify => "verify",
            Bucket::User => "user",
            Bucket::FactorChallenge => "factor challenge",
            Bucket::FactorVerify => "factor verify",
            Bucket::PasskeyAuthentication => "passkey",
            Bucket::Sso => "sso",
            Bucket::SamlAssertion => "saml",
            Bucket::OauthClientRegister => "oauth register",
        }
    }

    /// DEVIATION (more): a rate limit above 30 is also the burst size; GoTrue never allows more than 30 at once.
    pub(super) fn rate(self, limits: &RateLimits) -> Rate {
        let per_five_minutes = |count: f64| Rate::new(count, 300.0, count.max(BURST));
        match self {
            Bucket::Token => per_five_minutes(limits.token_refresh),
            Bucket::Web3 => per_five_minutes(limits.web3),
            Bucket::Verify => per_five_minutes(limits.verify),
            Bucket::Signup | Bucket::Recover | Bucket::Resend | Bucket::MagicLink | Bucket::Otp | Bucket::User => {
                per_five_minutes(limits.otp)
            }
            Bucket::PasskeyAuthentication => per_five_minutes(limits.passkey),
            Bucket::Sso => per_five_minutes(limits.sso),
            Bucket::SamlAssertion => per_five_minutes(limits.saml_assertion),
            Bucket::OauthClientRegister => per_five_minutes(limits.oauth_dynamic_client_register),
            Bucket::FactorChallenge | Bucket::FactorVerify => {
                let count = limits.mfa_challenge_and_verify;
                Rate::new(count, 60.0, count.max(BURST))
            }
            Bucket::AnonymousSignup => Rate::new(limits.anonymous_users, 3600.0, limits.anonymous_users.floor()),
        }
    }
}

impl Limit {
    /// The name in the route table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Limit::None => "",
            Limit::By(bucket) => bucket.name(),
            Limit::InHandler => "in handler",
        }
    }
}

/// All counters. Clones share them.
#[derive(Clone)]
pub(crate) struct Limits {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    full_at: Mutex<LruCache<(Bucket, Client), Seconds>>,
    pub(super) guesses: Guesses,
    pub(super) emails: Sender,
    pub(super) messages: Sender,
}

impl Limits {
    pub(crate) fn new(config: &RateLimits) -> Self {
        Limits {
            inner: Arc::new(Inner {
                full_at: Mutex::new(LruCache::new(CAPACITY)),
                guesses: Guesses::default(),
                emails: Sender::new(config.email_sent),
                messages: Sender::new(config.sms_sent),
            }),
        }
    }

    pub(super) fn take(&self, rate: Rate, key: (Bucket, Client), now: DateTime<Utc>) -> Result<(), AuthError> {
        let mut buckets = self.inner.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = rate.take(buckets.get(&key).copied(), seconds(now));
        let full_at = taken.map_err(|wait| Limited { seconds: whole(wait), class: key.0.name() });
        let full_at = full_at.map_err(AuthError::TooManyRequests)?;
        buckets.put(key, full_at);
        Ok(())
    }
}

/// The cast is exact to the microsecond for present times.
#[allow(clippy::cast_precision_loss)]
pub(super) fn seconds(now: DateTime<Utc>) -> Seconds {
    now.timestamp_micros() as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    #[test]
    fn memory_is_bounded_and_clients_do_not_share() {
        let config = crate::Config::from_env(
            [
                ("GOTRUE_SITE_URL", "https://app.test"),
                ("API_EXTERNAL_URL", "https://api.test"),
                ("GOTRUE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        let rates = config.unwrap().0.rate_limits;
        let limits = Limits::new(&rates);
        let now = DateTime::from_timestamp(1_700_000_000, 0).unwrap();
        let client = |number: u32| Client::Address(IpAddr::V4(number.into()));
        let take = |number, bucket: Bucket| limits.take(bucket.rate(&rates), (bucket, client(number)), now);
        assert!((0..30).all(|_| take(1, Bucket::Otp).is_ok()));
        assert!(matches!(take(1, Bucket::Otp), Err(AuthError::TooManyRequests(Limited { seconds: 10, class: "otp" }))));
        assert!(take(1, Bucket::Verify).is_ok() && take(2, Bucket::Otp).is_ok());
        for number in 0..150_000 {
            take(10 + number, Bucket::Otp).unwrap();
        }
        assert_eq!(limits.inner.full_at.lock().unwrap().len(), CAPACITY.get());
        assert!((0..150).all(|_| take(3, Bucket::Token).is_ok()) && take(3, Bucket::Token).is_err());
        assert!((0..30).all(|_| take(3, Bucket::AnonymousSignup).is_ok()));
        assert!(matches!(
            take(3, Bucket::AnonymousSignup),
            Err(AuthError::TooManyRequests(Limited { seconds: 120, .. }))
        ));
    }
}
