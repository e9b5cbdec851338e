//! How often one client may ask, and how much the project sends.
//!
//! Everything is counted in the memory of this process, which is bounded: who has not asked for longest is forgotten first.
//! Source: supabase/auth, `internal/api/apilimiter/` and `middleware.go`.
//!
//! DEVIATION: a limit is looked at before the token of a request; GoTrue looks at the token first where a route needs one.

mod bucket;
mod guesses;
mod sender;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::{Error, HttpRequest, web};
use chrono::{DateTime, Utc};
use lru::LruCache;

use crate::config::{Config, RateLimits};
use crate::error::{AuthError, Limited};
use crate::model::client::Client;
use crate::model::timestamp;
use crate::state::State;
use bucket::{Rate, Seconds};
use sender::Sender;

use guesses::Guesses;
pub(crate) use guesses::{Guess, Subject, code_requested, guess};

/// Buckets that are remembered at most: about 10 MB.
const CAPACITY: NonZeroUsize = NonZeroUsize::new(100_000).expect("more than none");
/// Tokens that a bucket holds at least.
const BURST: f64 = 30.0;

/// What a row of the route table says about how often one client may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// As often as they like: nothing is to be guessed, and nothing sent.
    None,
    /// By one bucket.
    By(Bucket),
    /// The handler takes from the bucket that fits the request.
    InHandler,
}

/// What is counted for itself.
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
    /// As the route table shows it.
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

    /// DEVIATION: a limit higher than 30 is also what one client may do at once; GoTrue lets nobody do more than 30 at once.
    fn rate(self, limits: &RateLimits) -> Rate {
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
    /// As the route table shows it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Limit::None => "",
            Limit::By(bucket) => bucket.name(),
            Limit::InHandler => "in handler",
        }
    }
}

/// Everything that is counted. Cloning shares it.
#[derive(Clone)]
pub(crate) struct Limits {
    inner: Arc<Inner>,
}

struct Inner {
    full_at: Mutex<LruCache<(Bucket, Client), Seconds>>,
    guesses: Guesses,
    emails: Sender,
    messages: Sender,
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

    fn take(&self, rate: Rate, key: (Bucket, Client), now: DateTime<Utc>) -> Result<(), AuthError> {
        let mut buckets = self.inner.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = rate.take(buckets.get(&key).copied(), seconds(now));
        let full_at = taken.map_err(|wait| Limited { seconds: whole(wait), class: key.0.name() });
        let full_at = full_at.map_err(AuthError::TooManyRequests)?;
        buckets.put(key, full_at);
        Ok(())
    }
}

/// Counts a request of `client` against a bucket; one whose client cannot be told from others counts nowhere.
///
/// # Errors
/// [`AuthError::TooManyRequests`].
pub(crate) fn admit(state: &State, bucket: Bucket, client: Client) -> Result<(), AuthError> {
    if !client.is_distinct() {
        return Ok(());
    }
    let rate = bucket.rate(&state.config.rate_limits);
    state.limits.take(rate, (bucket, client), timestamp::now(&state.clock))
}

/// Counts a request against the bucket of its route.
///
/// # Errors
/// [`AuthError::TooManyRequests`].
pub(crate) fn check(bucket: Bucket, request: &HttpRequest) -> Result<(), Error> {
    let Some(state) = request.app_data::<web::Data<State>>() else { return Ok(()) };
    let client = Client::of(request, &state.config.rate_limits);
    admit(state, bucket, client).map_err(Error::from)
}

/// Counts a mail to whomever. As in GoTrue, none is counted under autoconfirm.
///
/// DEVIATION: what is not sent, because the address has no account, counts like what is; in GoTrue the limit tells which is
/// which.
///
/// # Errors
/// [`AuthError::TooManyEmails`].
pub(crate) fn email(state: &State, now: DateTime<Utc>) -> Result<(), AuthError> {
    let Config { mailer, rate_limits, .. } = &*state.config;
    if mailer.autoconfirm && !rate_limits.email_sent.is_nothing() {
        return Ok(());
    }
    state.limits.inner.emails.take(seconds(now)).map_err(|wait| AuthError::TooManyEmails(whole(wait)))
}

/// Counts a message to a phone. As in GoTrue, none is counted under autoconfirm.
///
/// # Errors
/// [`AuthError::TooManySms`].
pub(crate) fn sms(state: &State, now: DateTime<Utc>) -> Result<(), AuthError> {
    if state.config.sms.autoconfirm {
        return Ok(());
    }
    state.limits.inner.messages.take(seconds(now)).map_err(|wait| AuthError::TooManySms(whole(wait)))
}

/// A difference in microseconds is one in less than their number.
#[allow(clippy::cast_precision_loss)]
fn seconds(now: DateTime<Utc>) -> Seconds {
    now.timestamp_micros() as f64 / 1e6
}

/// What `Retry-After` says: whole seconds, one at least, a day at most.
#[allow(clippy::cast_possible_truncation)]
fn whole(wait: Seconds) -> i64 {
    wait.ceil().clamp(1.0, 86_400.0) as i64
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
