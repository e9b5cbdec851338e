//! A channel: what one socket has joined.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use crate::flows::authorize::Asker;
use crate::hub::Key;
use crate::protocol::frame::Ref;
use crate::protocol::reason::JoinFault;
use crate::protocol::token::Identity;
use crate::store::messages::Rights;

/// A joined channel.
pub(super) struct Channel {
    /// Its id in the hub.
    pub(super) id: u64,
    pub(super) key: Key,
    pub(super) join_ref: Ref,
    pub(super) identity: Arc<Identity>,
    /// Whether each broadcast is answered.
    pub(super) ack: bool,
    /// Whether broadcasts come back to this channel.
    pub(super) to_self: bool,
    pub(super) presence_key: String,
    pub(super) presence_enabled: bool,
    /// What it may read; everything on a public channel.
    pub(super) reads: Rights,
    /// What it may write, asked at the first message for as long as the token is the same.
    pub(super) writes: Option<Rights>,
    /// When it could not be found out last, and why; boxed, because that is rare.
    pub(super) write_fault: Option<Box<(Instant, JoinFault)>>,
    /// When track and untrack were called last.
    pub(super) presence_calls: VecDeque<Instant>,
}

impl Channel {
    /// The topic without `realtime:`.
    pub(super) fn sub_topic(&self) -> &str {
        sub_topic(&self.key.topic)
    }

    /// On whose behalf the database is asked.
    pub(super) fn asker<'a>(&'a self, headers: &'a str) -> Asker<'a> {
        asker(&self.identity, headers)
    }
}

/// On whose behalf the database is asked.
pub(super) fn asker<'a>(identity: &'a Identity, headers: &'a str) -> Asker<'a> {
    Asker { role: &identity.role, claims: &identity.claims, subject: &identity.subject, headers }
}

/// A topic without `realtime:`.
pub(super) fn sub_topic(topic: &str) -> &str {
    topic.strip_prefix("realtime:").unwrap_or(topic)
}
