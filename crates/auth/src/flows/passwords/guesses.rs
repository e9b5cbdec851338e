//! Slows down password guessing at one account.
//!
//! The first ten wrong passwords of an account have no consequence. After that, attempts from clients that the account
//! does not know proceed one at a time: half a second apart, then one, two, four and at most eight seconds. The wait is
//! bounded so that no attacker can lock the owner out.
//!
//! Waiting clients are ordered by their number of tries: wrong passwords, and attempts that had to wait, whether they
//! proceeded or were refused. A client without tries goes first. If the queue is full, it takes the place of the last one.
//! So it waits for one pause at most, however many clients guess.
//!
//! A client that has signed in to this account before does not wait at all, and neither do links by mail. After signing in
//! by such a link, its client is known.
//!
//! An attacker with a new address for each attempt cannot be told from an owner with a new address. Against that attacker
//! the pause bounds the guesses: one in eight seconds, some 10,800 a day for an account, whatever the number of addresses;
//! and all addresses of an IPv6 network (/64) are one client. While such an attack lasts, an owner at a new address may be
//! refused with 429, and signs in at a known one or by mail.
//!
//! Accounts are counted by a digest of their address, whether they exist or not, so that the wait reveals nothing. All
//! state is in memory, bounded by [`REMEMBERED`].
//!
//! DEVIATION (stricter): after ten wrong passwords of an account, unknown clients wait or get a 429; GoTrue does not
//! limit guesses per account.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lru::LruCache;
use sha2::{Digest, Sha256};

use crate::error::{AuthError, Limited};
use crate::model::address::Address;
use crate::model::client::Client;
use crate::outside::turns::AccountKey;

/// Maximum number of entries of each kind, about 15 MB in all. The least recently used entry is evicted first.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(50_000).expect("more than none");
/// Wrong passwords of an account, and of one client at an account, without consequence.
const FREE: f64 = 10.0;
/// The maximum of the count, so that it falls below [`FREE`] a few minutes after the last guess.
const HIGHEST: f64 = FREE + 6.0;
/// The count falls by one each time this has passed.
const FORGIVEN_AFTER: Duration = Duration::from_secs(60);
/// The pause between two attempts once an account makes clients wait; doubles with each further wrong password.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// How long a request waits before it gets a 429. GoTrue's clients wait ten seconds for an answer.
const PATIENCE: Duration = Duration::from_millis(8500);
/// Maximum number of waiting requests per account, and per client of an account.
const WAITING: usize = 16;
const WAITING_OF_CLIENT: usize = 2;
/// How often a waiting request whose pause has passed checks whether it is first in line.
const LOOK: Duration = Duration::from_millis(50);

/// The state of all guesses. Clones share it.
#[derive(Clone)]
pub(crate) struct Guesses(Arc<Mutex<Inner>>);

struct Inner {
    accounts: LruCache<AccountKey, Account>,
    clients: LruCache<(AccountKey, Client), Record>,
    /// Clients that have signed in to the account. Only a right password adds an entry, so guesses cannot evict one.
    known: LruCache<(AccountKey, Client), ()>,
    tickets: u64,
}

#[derive(Default)]
struct Account {
    wrong: Tally,
    next: Option<Instant>,
    waiting: Vec<Waiting>,
}

struct Waiting {
    ticket: u64,
    client: Client,
    /// How often the client had tried before.
    tried: f64,
}

/// What one client did at one account.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    wrong: Tally,
    /// Attempts that had to wait.
    waited: Tally,
}

/// A count that decreases with time.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    count: f64,
    at: Option<Instant>,
}

impl Tally {
    /// The count, rounded up to whole wrong passwords: one is forgiven only when its whole time has passed.
    fn now(self, now: Instant) -> f64 {
        self.exactly(now).ceil()
    }

    fn add(&mut self, change: f64, now: Instant) {
        *self = Tally { count: (self.exactly(now) + change).clamp(0.0, HIGHEST), at: Some(now) };
    }

    fn exactly(self, now: Instant) -> f64 {
        let passed = self.at.map_or(Duration::ZERO, |at| now.saturating_duration_since(at));
        (self.count - passed.as_secs_f64() / FORGIVEN_AFTER.as_secs_f64()).max(0.0)
    }
}

/// The state of a waiting attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// It may proceed.
    Go,
    /// It checks again at this time.
    At(Instant),
    /// A client that had tried less often took its place.
    Displaced,
}

/// A permitted attempt. It counts as wrong until [`Attempt::succeeded`], so that parallel guesses all count before the
/// first is answered.
pub(crate) struct Attempt {
    guesses: Guesses,
    account: AccountKey,
    client: Client,
    /// True if the account knows the client.
    pub(crate) known: bool,
}

/// A place in an account's line; released when dropped.
struct Ticket<'a> {
    guesses: &'a Guesses,
    account: AccountKey,
    number: u64,
}

/// The key of the account with `address`, whether it exists or not.
pub(crate) fn account(address: &Address, audience: &str) -> AccountKey {
    let (kind, text) = match address {
        Address::Email(email) => ("email", email.to_lowercase()),
        Address::Phone(phone) => ("phone", phone.clone()),
    };
    let mut digest = Sha256::new();
    for part in [kind, audience, &text] {
        digest.update(part);
        digest.update([0]);
    }
    let mut key = AccountKey::default();
    key.copy_from_slice(&digest.finalize()[..16]);
    key
}

impl Guesses {
    pub(crate) fn new() -> Self {
        Guesses(Arc::new(Mutex::new(Inner {
            accounts: LruCache::new(REMEMBERED),
            clients: LruCache::new(REMEMBERED),
            known: LruCache::new(REMEMBERED),
            tickets: 0,
        })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins an attempt, after waiting as long as the account requires. `has_session` tells whether the account has a
    /// session that was last used in the client's network. It is only evaluated for a client that would have to wait.
    ///
    /// # Errors
    /// [`AuthError::TooManyRequests`] if the wait would be too long, and those of `has_session`.
    pub(crate) async fn begin(
        &self,
        account: AccountKey,
        client: Client,
        has_session: impl Future<Output = Result<bool, AuthError>>,
    ) -> Result<Attempt, AuthError> {
        let mut known = self.inner().knows(account, client, Instant::now());
        if !known && self.inner().is_guarded(account, Instant::now()) {
            known = has_session.await? && self.inner().trusts(account, client, Instant::now());
            if !known {
                self.wait(account, client).await?;
            }
        }
        self.inner().count(account, client, 1.0, Instant::now());
        Ok(Attempt { guesses: self.clone(), account, client, known })
    }

    async fn wait(&self, account: AccountKey, client: Client) -> Result<(), AuthError> {
        let begun = Instant::now();
        let refused = |guesses: &Guesses| {
            let seconds = guesses.inner().pause(account, Instant::now()).as_secs_f64().ceil();
            #[allow(clippy::cast_possible_truncation, reason = "at most the longest pause")]
            AuthError::TooManyRequests(Limited { seconds: (seconds as i64).max(1), class: "password of an account" })
        };
        let number = self.inner().line_up(account, client, begun);
        let number = number.ok_or_else(|| refused(self))?;
        let ticket = Ticket { guesses: self, account, number };
        loop {
            let now = Instant::now();
            let step = self.inner().step(account, ticket.number, now);
            match step {
                Step::Go => return Ok(()),
                Step::Displaced => return Err(refused(self)),
                Step::At(_) if now.duration_since(begun) >= PATIENCE => return Err(refused(self)),
                Step::At(at) => tokio::time::sleep_until(at.min(begun + PATIENCE).into()).await,
            }
        }
    }
}

impl Attempt {
    /// The password was right: the attempt does not count, and the account knows the client from now on.
    pub(crate) fn succeeded(self) {
        let mut inner = self.guesses.inner();
        inner.count(self.account, self.client, -1.0, Instant::now());
        // Clients that cannot be told apart are not remembered.
        if self.client.is_distinct() {
            inner.known.put((self.account, self.client), ());
        }
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.guesses.inner().leave(self.account, self.number);
    }
}

impl Inner {
    /// True if the account makes unknown clients wait.
    fn is_guarded(&mut self, account: AccountKey, now: Instant) -> bool {
        self.accounts.get(&account).is_some_and(|account| account.wrong.now(now) >= FREE)
    }

    /// True if a known client may skip the line. It may not after too many wrong guesses of its own, which an attacker
    /// at the owner's address could have made.
    fn trusts(&mut self, account: AccountKey, client: Client, now: Instant) -> bool {
        self.wrong_of(account, client, now) < FREE
    }

    fn knows(&mut self, account: AccountKey, client: Client, now: Instant) -> bool {
        self.known.get(&(account, client)).is_some() && self.trusts(account, client, now)
    }

    fn wrong_of(&mut self, account: AccountKey, client: Client, now: Instant) -> f64 {
        self.clients.get(&(account, client)).map_or(0.0, |record| record.wrong.now(now))
    }

    fn count(&mut self, account: AccountKey, client: Client, change: f64, now: Instant) {
        self.accounts.get_or_insert_mut(account, Account::default).wrong.add(change, now);
        self.clients.get_or_insert_mut((account, client), Record::default).wrong.add(change, now);
    }

    /// The current pause between two attempts at this account.
    fn pause(&mut self, account: AccountKey, now: Instant) -> Duration {
        let wrong = self.accounts.get(&account).map_or(0.0, |account| account.wrong.now(now));
        FIRST_PAUSE.mul_f64((wrong - FREE).max(0.0).exp2()).min(LONGEST_PAUSE)
    }

    /// A ticket, unless the line is full of clients that have not tried more often than this one.
    fn line_up(&mut self, account: AccountKey, client: Client, now: Instant) -> Option<u64> {
        let record = self.clients.get_or_insert_mut((account, client), Record::default);
        let tried = record.wrong.now(now) + record.waited.now(now);
        record.waited.add(1.0, now);
        let line = &mut self.accounts.get_or_insert_mut(account, Account::default).waiting;
        if line.iter().filter(|waiting| waiting.client == client).count() >= WAITING_OF_CLIENT {
            return None;
        }
        if line.len() >= WAITING {
            let worst = (0..line.len()).max_by(|a, b| line[*a].tried.total_cmp(&line[*b].tried))?;
            if line[worst].tried <= tried {
                return None;
            }
            line.remove(worst);
        }
        self.tickets += 1;
        line.push(Waiting { ticket: self.tickets, client, tried });
        Some(self.tickets)
    }

    /// Gives up a place in the line.
    fn leave(&mut self, account: AccountKey, ticket: u64) {
        if let Some(account) = self.accounts.get_mut(&account) {
            account.waiting.retain(|waiting| waiting.ticket != ticket);
        }
    }

    fn step(&mut self, account: AccountKey, ticket: u64, now: Instant) -> Step {
        let pause = self.pause(account, now);
        // The entry was evicted. That is no reason to refuse the client.
        let Some(account) = self.accounts.get_mut(&account) else { return Step::Go };
        if !account.waiting.iter().any(|waiting| waiting.ticket == ticket) {
            return Step::Displaced;
        }
        let next = *account.next.get_or_insert(now + pause);
        if now < next {
            return Step::At(next);
        }
        let first = account.waiting.iter().min_by(|a, b| a.tried.total_cmp(&b.tried).then(a.ticket.cmp(&b.ticket)));
        if first.is_some_and(|first| first.ticket == ticket) {
            account.next = Some(now + pause);
            account.waiting.retain(|waiting| waiting.ticket != ticket);
            Step::Go
        } else {
            Step::At(now + LOOK)
        }
    }
}

#[cfg(test)]
mod tests;
