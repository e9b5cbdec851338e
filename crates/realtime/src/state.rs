//! What sockets and handlers share.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gateway::Clock;
use serde_json::{Map, Value};

use crate::changes::Changes;
use crate::config::Config;
use crate::hub::{self, Hub, Key};
use crate::protocol::message::Message;
use crate::protocol::presence::{MemberId, Owner};
use crate::relay::Relay;

/// State shared by all workers. Cheap to clone.
#[derive(Clone)]
pub(crate) struct State(Arc<Shared>);

/// See [`State`].
pub(crate) struct Shared {
    pub(crate) pool: pg::Pool,
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    pub(crate) hub: Arc<Hub>,
    pub(crate) changes: Arc<Changes>,
    pub(crate) relay: Arc<Relay>,
    /// The server stops: no channel is joined any more.
    pub(crate) stopping: AtomicBool,
}

impl State {
    pub(crate) fn new(shared: Shared) -> Self {
        State(Arc::new(shared))
    }
}

impl State {
    /// Sends a message to everybody on a topic but `except`, on all instances.
    pub(crate) fn publish(&self, key: &Key, message: &Message, except: Option<MemberId>) {
        self.hub.broadcast(key, message, except);
        self.relay.broadcast(key, message);
    }

    /// Adds or replaces the presence of a member of this instance.
    pub(crate) fn track(&self, key: &Key, member: MemberId, name: &str, meta: Map<String, Value>) {
        let reference = hub::reference();
        let diff = self.hub.track(key, Owner::here(member), name, &reference, meta.clone());
        if !diff.is_empty() {
            self.relay.track(key, member, name, &reference, meta);
        }
    }

    /// Removes the presence of a member of this instance.
    pub(crate) fn untrack(&self, key: &Key, member: MemberId) {
        if !self.hub.untrack(key, &Owner::here(member)).is_empty() {
            self.relay.untrack(key, member);
        }
    }

    /// A channel leaves its topic.
    pub(crate) fn leave(&self, key: &Key, member: MemberId) {
        self.changes.unsubscribe(member);
        if !self.hub.leave(key, member).is_empty() {
            self.relay.untrack(key, member);
        }
    }
}

impl Deref for State {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
