//! Counts requests, mails, messages and guesses against their limits.

use actix_web::{Error, HttpRequest, web};
use chrono::{DateTime, Utc};
use gateway::limits::whole;

use super::counters::{Bucket, seconds};
use super::guesses::{Guess, Subject};
use crate::config::Config;
use crate::error::{AuthError, Limited};
use crate::model::client::Client;
use crate::model::timestamp;
use crate::state::State;

/// Counts a request of `client` against a bucket. A client that cannot be told apart from others is not counted.
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

/// Counts a mail of the project. Under autoconfirm mails are not counted, as in GoTrue.
///
/// DEVIATION (safer): a mail that is not sent because its address has no account counts, too; in GoTrue the limit
/// reveals which addresses have accounts.
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

/// Counts a message to a phone. Under autoconfirm messages are not counted, as in GoTrue.
///
/// # Errors
/// [`AuthError::TooManySms`].
pub(crate) fn sms(state: &State, now: DateTime<Utc>) -> Result<(), AuthError> {
    if state.config.sms.autoconfirm {
        return Ok(());
    }
    state.limits.inner.messages.take(seconds(now)).map_err(|wait| AuthError::TooManySms(whole(wait)))
}

impl Guess {
    /// The code was right, so it no longer counts.
    pub(crate) fn was_right(self, state: &State) {
        state.limits.inner.guesses.give_back(&self);
    }
}

/// Counts a guess of `client` before its code is compared, so that parallel guesses cannot exceed the limit.
///
/// # Errors
/// [`AuthError::TooManyRequests`].
pub(crate) fn guess(state: &State, subject: &Subject, client: Client) -> Result<Guess, AuthError> {
    let now = seconds(timestamp::now(&state.clock));
    let taken = state.limits.inner.guesses.take(subject, client, now);
    taken.map_err(|wait| {
        AuthError::TooManyRequests(Limited { seconds: whole(wait), class: "codes of one address or factor" })
    })
}

/// Records that `client` requested a code, also if none was sent because there is no account.
pub(crate) fn code_requested(state: &State, subject: &Subject, client: Client, now: DateTime<Utc>) {
    state.limits.inner.guesses.reserve(subject, client, seconds(now));
}
