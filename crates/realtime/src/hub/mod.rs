//! The topics of this process and who has joined them.

mod held;
mod outbox;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use uuid::Uuid;

use crate::meter::Meter;
use crate::protocol::message::{Frame, Message};
use crate::protocol::presence::{Diff, MemberId, Owner, Presence, Tracked};

use held::Held;
pub(crate) use outbox::{Outbox, Parcel};

/// A topic. Private and public channels of one name are different topics.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// The name with `realtime:`, as clients know it.
    pub(crate) topic: Arc<str>,
    pub(crate) private: bool,
}

impl Key {
    /// The key of a topic named without `realtime:`.
    pub(crate) fn of_sub_topic(topic: &str, private: bool) -> Self {
        Key { topic: format!("realtime:{topic}").into(), private }
    }
}

/// What a socket is told from outside.
#[derive(Clone, Debug)]
pub(crate) enum Control {
    /// The server stops.
    Restart,
    /// Which sessions its channels belong to is asked.
    Sessions(UnboundedSender<Uuid>),
    /// A session has ended.
    SessionEnded(Uuid),
    /// A channel has to close.
    Shut {
        /// Its topic and its id.
        channel: (Arc<str>, u64),
        /// As its client is told.
        why: &'static str,
    },
}

/// A channel that has joined a topic.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) id: MemberId,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) reads_broadcasts: bool,
    pub(crate) reads_presence: bool,
    /// The ids of messages that it has had already, because they were replayed.
    pub(crate) replayed: Arc<[String]>,
    /// What arrives before its replay is complete; boxed, because most members have no replay.
    pub(crate) held: Option<Box<Held>>,
}

#[derive(Debug, Default)]
struct Topic {
    members: Vec<Member>,
    presence: Presence,
}

/// Topics and sockets.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    topics: Mutex<HashMap<Key, Arc<Mutex<Topic>>>>,
    sockets: Mutex<HashMap<u64, Arc<Outbox>>>,
    ids: AtomicU64,
    /// Somebody has joined a topic.
    joined: Notify,
    /// When somebody first did since this was last looked at.
    first_join: Mutex<Option<Instant>>,
    /// Messages that clients sent or received.
    pub(crate) events: Meter,
    /// Messages by HTTP about which the database was asked and which it refused, by the role of their sender.
    refused: Mutex<HashMap<String, Arc<Meter>>>,
    /// Joins and opened sockets.
    pub(crate) joins: Meter,
    /// Presence messages.
    pub(crate) presences: Meter,
}

impl Hub {
    /// A number that was not given out before.
    pub(crate) fn next_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Counts a socket in; `false` if there are `limit` already. 0 is no limit.
    pub(crate) fn open(&self, id: u64, outbox: Arc<Outbox>, limit: usize) -> bool {
        let mut sockets = lock(&self.sockets);
        if limit > 0 && sockets.len() >= limit {
            return false;
        }
        sockets.insert(id, outbox);
        true
    }

    /// A socket is gone.
    pub(crate) fn closed(&self, id: u64) {
        if let Some(outbox) = lock(&self.sockets).remove(&id) {
            outbox.close_controls();
        }
    }

    /// Open sockets.
    pub(crate) fn sockets(&self) -> usize {
        lock(&self.sockets).len()
    }

    /// Topics that somebody has joined here.
    pub(crate) fn topics(&self) -> usize {
        lock(&self.topics).values().filter(|topic| !lock(topic).members.is_empty()).count()
    }

    /// Tells every socket.
    pub(crate) fn tell(&self, control: &Control) {
        for outbox in lock(&self.sockets).values() {
            outbox.tell(control.clone());
        }
    }

    /// Adds a member.
    pub(crate) fn join(&self, key: &Key, member: Member) {
        let mut topics = lock(&self.topics);
        let topic = topics.entry(key.clone()).or_default();
        lock(topic).members.push(member);
        lock(&self.first_join).get_or_insert_with(Instant::now);
        self.joined.notify_one();
    }

    /// Waits until somebody joins a topic.
    pub(crate) async fn joined(&self) {
        self.joined.notified().await;
    }

    /// When somebody first joined a topic since the last call.
    pub(crate) fn take_first_join(&self) -> Option<Instant> {
        lock(&self.first_join).take()
    }

    /// How often messages of a role were refused. Roles are those of verified tokens, so that they are few.
    ///
    /// DEVIATION (stricter): refused messages are limited, too, because the database is asked about them: those by HTTP for each
    /// role, which is then answered 429 for private topics, and those on a socket for that socket, whose channel is closed.
    pub(crate) fn refused(&self, role: &str) -> Arc<Meter> {
        let mut refused = lock(&self.refused);
        match refused.get(role) {
            Some(meter) => Arc::clone(meter),
            None => Arc::clone(refused.entry(role.to_owned()).or_default()),
        }
    }

    /// The sessions that channels here belong to.
    pub(crate) async fn sessions(&self) -> HashSet<Uuid> {
        let (sender, mut collected) = unbounded_channel();
        self.tell(&Control::Sessions(sender));
        let mut sessions = HashSet::new();
        // It ends when all sockets have answered or are gone.
        while let Some(session) = collected.recv().await {
            sessions.insert(session);
        }
        sessions
    }

    /// Changes what a member may read.
    pub(crate) fn allow(&self, key: &Key, id: MemberId, reads_broadcasts: bool, reads_presence: bool) {
        let Some(topic) = self.topic(key) else { return };
        if let Some(member) = lock(&topic).members.iter_mut().find(|member| member.id == id) {
            (member.reads_broadcasts, member.reads_presence) = (reads_broadcasts, reads_presence);
        }
    }

    /// The replay of a member is complete: it gets what was held meanwhile, but for what was replayed.
    pub(crate) fn release(&self, key: &Key, id: MemberId, replayed: Arc<[String]>) {
        let Some(topic) = self.topic(key) else { return };
        let mut topic = lock(&topic);
        let Some(member) = topic.members.iter_mut().find(|member| member.id == id) else { return };
        if let Some(held) = member.held.take() {
            held.release(&member.outbox, &replayed);
        }
        member.replayed = replayed;
    }

    /// The names, without `realtime:`, of the topics that somebody has joined here.
    pub(crate) fn joined_topics(&self) -> Vec<String> {
        let topics = lock(&self.topics);
        let joined = topics.iter().filter(|(_, topic)| !lock(topic).members.is_empty());
        joined.filter_map(|(key, _)| key.topic.strip_prefix("realtime:").map(str::to_owned)).collect()
    }

    /// Removes a member and its presence.
    pub(crate) fn leave(&self, key: &Key, id: MemberId) -> Diff {
        let mut topics = lock(&self.topics);
        let Some(topic) = topics.get(key).cloned() else { return Diff::default() };
        let mut topic = lock(&topic);
        topic.members.retain(|member| member.id != id);
        let diff = topic.presence.untrack(&Owner::here(id));
        self.announce(&mut topic, key, &diff);
        if topic.members.is_empty() && topic.presence.is_empty() {
            topics.remove(key);
        }
        diff
    }

    /// Sends a message to everybody on a topic but `except`. Returns how many it was given to.
    pub(crate) fn broadcast(&self, key: &Key, message: &Message, except: Option<MemberId>) -> u64 {
        let Some(topic) = self.topic(key) else { return 0 };
        let mut topic = lock(&topic);
        let to = topic.members.iter_mut().filter(|member| member.reads_broadcasts && Some(member.id) != except);
        self.deliver(key, message, None, to)
    }

    /// Sends a stored message to everybody on a topic that has not had it.
    pub(crate) fn broadcast_stored(&self, key: &Key, message: &Message, id: &str) {
        let Some(topic) = self.topic(key) else { return };
        let mut topic = lock(&topic);
        let to = topic
            .members
            .iter_mut()
            .filter(|member| member.reads_broadcasts && !member.replayed.iter().any(|own| own == id));
        self.deliver(key, message, Some(id), to);
    }

    /// Adds or replaces a presence and tells everybody of the difference.
    pub(crate) fn track(&self, key: &Key, owner: Owner, name: &str, reference: &str, meta: Map<String, Value>) -> Diff {
        let mut topics = lock(&self.topics);
        let topic = Arc::clone(topics.entry(key.clone()).or_default());
        let mut topic = lock(&topic);
        drop(topics);
        let diff = topic.presence.track(owner, name, meta, reference);
        self.announce(&mut topic, key, &diff);
        diff
    }

    /// Removes a presence and tells everybody.
    pub(crate) fn untrack(&self, key: &Key, owner: &Owner) -> Diff {
        self.remove(key, |own| own == owner)
    }

    /// Removes the presences of another instance but for those of `owners`.
    pub(crate) fn keep_only(&self, instance: &str, owners: &HashSet<Owner>) {
        let keys: Vec<Key> = lock(&self.topics).keys().cloned().collect();
        for key in keys {
            self.remove(&key, |own| own.instance == instance && !owners.contains(own));
        }
    }

    /// What members of this instance track, by topic.
    pub(crate) fn present_here(&self) -> Vec<(Key, Vec<Tracked>)> {
        let topics: Vec<_> = lock(&self.topics).iter().map(|(key, topic)| (key.clone(), Arc::clone(topic))).collect();
        topics.into_iter().map(|(key, topic)| (key, lock(&topic).presence.here())).collect()
    }

    fn remove(&self, key: &Key, gone: impl Fn(&Owner) -> bool) -> Diff {
        let mut topics = lock(&self.topics);
        let Some(topic) = topics.get(key).cloned() else { return Diff::default() };
        let mut topic = lock(&topic);
        let diff = topic.presence.remove(gone);
        self.announce(&mut topic, key, &diff);
        if topic.members.is_empty() && topic.presence.is_empty() {
            topics.remove(key);
        }
        diff
    }

    /// The state of a topic's presence as JSON. `then` runs before anything else happens on the topic.
    pub(crate) fn with_presence(&self, key: &Key, then: impl FnOnce(&str)) {
        match self.topic(key) {
            Some(topic) => then(&lock(&topic).presence.state()),
            None => then("{}"),
        }
    }

    fn topic(&self, key: &Key) -> Option<Arc<Mutex<Topic>>> {
        lock(&self.topics).get(key).cloned()
    }

    fn announce(&self, topic: &mut Topic, key: &Key, diff: &Diff) {
        if diff.is_empty() {
            return;
        }
        let message = Message::Text { event: "presence_diff", payload: diff.json() };
        let to = topic.members.iter_mut().filter(|member| member.reads_presence);
        let number = self.deliver(key, &message, None, to);
        self.presences.add(number);
    }

    /// `id` is that of a stored message.
    fn deliver<'m>(
        &self,
        key: &Key,
        message: &Message,
        id: Option<&str>,
        to: impl Iterator<Item = &'m mut Member>,
    ) -> u64 {
        // Made once for each version, when the first member has it.
        let mut frames: [Option<Option<Frame>>; 2] = [None, None];
        let mut number = 0;
        for member in to {
            let version = member.outbox.version();
            let frame = frames[version as usize].get_or_insert_with(|| message.frame(version, &key.topic));
            let Some(frame) = frame else { continue };
            match &mut member.held {
                Some(held) => held.keep(&member.outbox, id, frame.clone()),
                None => member.outbox.push(frame.clone()),
            }
            number += 1;
        }
        self.events.add(number);
        number
    }
}

/// A reference of a presence, unique in the topic.
pub(crate) fn reference() -> String {
    use base64::Engine;
    base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(&Uuid::new_v4().as_bytes()[..12])
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
