//! Changes of tables: who wants to know of them, and how they are told.
//!
//! One task reads the stream of changes ([`stream`]); broadcasts from the database go out at once, changes of tables in batches
//! ([`batch`]): what was committed while the last batch was being worked on is the next one.
//!
//! DEVIATION: subscriptions are kept in memory, and `realtime.subscription` stays empty; upstream has a row for each.
//!
//! DEVIATION (more): messages about changes of tables do not count as messages per second, and are not dropped when there are many.

mod ask;
mod batch;
mod begin;
mod delivery;
mod findings;
mod look;
mod places;
mod sent;
mod sql;
pub(crate) mod stream;
mod values;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pg::Snippet;
use pg::error::Error;
use pg::pool::Connection;
use pg::replication::Relation;
use serde_json::json;
use tokio::sync::{Semaphore, SemaphorePermit, watch};

use crate::hub::Outbox;
use crate::protocol::filter::{Binding, Filter};
use crate::protocol::frame::Ref;
use crate::protocol::message::{self, Frame};
use crate::store::catalog::Column;

pub(crate) use sent::replayed;

/// On whose behalf changes are looked at. Subscribers with equal claims share what is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Who {
    pub(crate) role: String,
    /// As JSON.
    pub(crate) claims: Arc<str>,
    pub(crate) subject: String,
}

/// A channel that wants to know of changes.
#[derive(Clone, Debug)]
pub(crate) struct Subscriber {
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) join_ref: Ref,
    /// With `realtime:`.
    pub(crate) topic: Arc<str>,
    /// Events are named after the kind of change, as before there were configurations.
    pub(crate) is_legacy: bool,
    pub(crate) who: Arc<Who>,
    pub(crate) bindings: Arc<Vec<Binding>>,
}

/// How the stream is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Nobody needs it, or it is being opened.
    Closed,
    /// Changes arrive.
    Open,
    /// It could not be opened, or was lost; it is tried again.
    Failed(String),
}

/// The subscribers, and the condition of the stream.
#[derive(Debug)]
pub(crate) struct Changes {
    subscribers: Mutex<HashMap<u64, Entry>>,
    condition: watch::Sender<Condition>,
    /// Checks that may hold a connection at once.
    checks: Semaphore,
}

#[derive(Debug)]
enum Entry {
    /// Being checked; holds whom its token stands for by now.
    Expected(Arc<Who>),
    Ready(Subscriber),
}

/// What became of a subscriber that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    Yes,
    /// The channel has left meanwhile.
    Left,
    /// The channel has a token of another role, which was not checked.
    OtherRole,
}

impl Changes {
    /// No subscribers; their checks leave one of `connections` to everybody else.
    pub(crate) fn new(connections: usize) -> Self {
        let checks = Semaphore::new(connections.saturating_sub(1).max(1));
        Changes { subscribers: Mutex::default(), condition: watch::Sender::new(Condition::Closed), checks }
    }

    /// Waits until a channel may be checked, which it may while the permit is kept.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // It is never closed.
        self.checks.acquire().await.ok()
    }

    /// A channel is about to subscribe.
    pub(crate) fn expect(&self, channel: u64, who: Arc<Who>) {
        self.subscribers().insert(channel, Entry::Expected(who));
    }

    /// Whom the token of a channel stands for that is about to subscribe; `None` if it has left.
    pub(crate) fn expected(&self, channel: u64) -> Option<Arc<Who>> {
        match self.subscribers().get(&channel)? {
            Entry::Expected(who) => Some(Arc::clone(who)),
            Entry::Ready(_) => None,
        }
    }

    /// Adds a channel that was checked, with the token that it has by now.
    pub(crate) fn subscribe(&self, channel: u64, subscriber: Subscriber) -> Added {
        let mut subscribers = self.subscribers();
        let Some(entry) = subscribers.get_mut(&channel) else { return Added::Left };
        let who = match entry {
            Entry::Expected(who) if who.role != subscriber.who.role => return Added::OtherRole,
            Entry::Expected(who) => Arc::clone(who),
            Entry::Ready(_) => return Added::Left,
        };
        *entry = Entry::Ready(Subscriber { who, ..subscriber });
        Added::Yes
    }

    /// Removes a channel.
    pub(crate) fn unsubscribe(&self, channel: u64) {
        self.subscribers().remove(&channel);
    }

    /// A channel has another token.
    pub(crate) fn reclaim(&self, channel: u64, who: Who) {
        match self.subscribers().get_mut(&channel) {
            Some(Entry::Ready(subscriber)) => subscriber.who = Arc::new(who),
            Some(Entry::Expected(expected)) => *expected = Arc::new(who),
            None => {}
        }
    }

    /// Ends the subscriptions of a role that look at a table with filters which take too long.
    fn end(&self, role: &str, relation: &Relation, filters: &[Filter]) {
        self.subscribers().retain(|_, entry| {
            let Entry::Ready(subscriber) = entry else { return true };
            let mut bindings = subscriber.bindings.iter().filter(|_| subscriber.who.role == role);
            let slow = bindings.find(|own| own.filters == filters && own.is_about(&relation.schema, &relation.name));
            if let Some(binding) = slow {
                subscriber.system("error", &format!("Unsubscribed from changes: the filter takes too long: {binding}"));
            }
            slow.is_none()
        });
    }

    /// The condition of the stream, and its changes.
    pub(crate) fn condition(&self) -> watch::Receiver<Condition> {
        self.condition.subscribe()
    }

    /// Whether anybody wants to know of changes of a table.
    fn is_wanted(&self, schema: &str, table: &str) -> bool {
        self.subscribers().values().any(|entry| match entry {
            Entry::Ready(subscriber) => subscriber.bindings.iter().any(|own| own.is_about(schema, table)),
            Entry::Expected(_) => false,
        })
    }

    /// The subscribers of a table.
    fn of_table(&self, schema: &str, table: &str) -> Vec<Subscriber> {
        let subscribers = self.subscribers();
        let ready = subscribers.values().filter_map(|entry| match entry {
            Entry::Ready(subscriber) => Some(subscriber),
            Entry::Expected(_) => None,
        });
        let is_about = |subscriber: &&Subscriber| subscriber.bindings.iter().any(|own| own.is_about(schema, table));
        ready.filter(is_about).cloned().collect()
    }

    /// Tells all subscribers how the stream is.
    fn announce(&self, status: &str, text: &str) {
        for subscriber in self.subscribers().values() {
            if let Entry::Ready(subscriber) = subscriber {
                subscriber.system(status, text);
            }
        }
    }

    fn subscribers(&self) -> MutexGuard<'_, HashMap<u64, Entry>> {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long trying one filter may take; a pattern may be expensive to read.
const TRIED: &str = "set local statement_timeout = '250ms'; ";

/// Tries a filter on an empty text, or a NULL of its column's type, as a role.
///
/// # Errors
/// Those of PostgreSQL: the value is none of that type, the type does not have the operator, or it takes too long.
pub(crate) async fn try_filter(
    connection: &mut Connection,
    filter: &Filter,
    column: &Column,
    role: &str,
) -> Result<(), Error> {
    let who = Who { role: role.to_owned(), claims: "{}".into(), subject: String::new() };
    // A pattern is read only where there is something to match.
    let value = (column.category == b'S').then_some("");
    let statement = sql::passing(&[(filter, column)], &[column], &[(0, vec![value])]);
    let transaction = connection.transaction().await?;
    let mut script = Snippet::raw(TRIED);
    script.append(who.role_session().literal()).push("; ").append(statement);
    let (_, tried) = transaction.answers(&script).await;
    transaction.rollback().await?;
    tried
}

impl Subscriber {
    /// Sends a `system` message about its changes.
    pub(crate) fn system(&self, status: &str, text: &str) {
        let channel = self.topic.strip_prefix("realtime:").unwrap_or(&self.topic);
        let payload = json!({ "extension": "postgres_changes", "status": status, "message": text, "channel": channel });
        self.push("system", &payload.to_string());
    }

    fn push(&self, event: &str, payload: &str) {
        self.outbox.push(self.frame(event, payload));
    }

    fn frame(&self, event: &str, payload: &str) -> Frame {
        message::push(self.outbox.version(), &self.join_ref, &self.topic, event, payload)
    }
}
