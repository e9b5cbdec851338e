//! What sockets and handlers share.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gateway::Clock;

use crate::changes::Changes;
use crate::config::Config;
use crate::hub::{Hub, Key};
use crate::protocol::message::Message;
use crate::protocol::presence::MemberId;

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
    /// The server stops: no channel is joined any more.
    pub(crate) stopping: AtomicBool,
}

impl State {
    pub(crate) fn new(shared: Shared) -> Self {
        State(Arc::new(shared))
    }
}

impl State {
    /// Sends a message to everybody on a topic but `except`.
    pub(crate) fn publish(&self, key: &Key, message: &Message, except: Option<MemberId>) {
        self.hub.broadcast(key, message, except);
    }
}

impl Deref for State {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
