//! Several instances on one database: broadcasts and presence travel by NOTIFY.
//!
//! Changes of tables and broadcasts from the database need no relay, because every instance reads the log of changes itself.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pg::Pool;
use pg::error::Error;
use pg::listen::{Event, Listener};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use uuid::Uuid;

use crate::hub::{Hub, Key};
use crate::protocol::frame::Encoding;
use crate::protocol::message::Message;
use crate::protocol::presence::{Owner, Tracked};
use crate::room::Room;
use crate::store::relay as store;

/// What instances listen to.
const CHANNEL: &str = "dugout_realtime";

/// How often an instance says that it is there.
const HELLO: Duration = Duration::from_secs(5);

/// An instance that was not heard of for this long is gone, and so are its presences.
const GONE: Duration = Duration::from_secs(20);

/// How long saying goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);

/// NOTIFY takes payloads below 8000 bytes; longer ones are put into a table.
const INLINE: usize = 7_900;

/// Posts that wait to be sent, at most: more are lost, as broadcasts are when the database is.
const WAITING: usize = 10_000;

/// The same in bytes.
const ROOM: usize = 64 * 1024 * 1024;

/// Posts that are sent in one statement, at most.
const AT_ONCE: usize = 256;

/// The link to the other instances.
#[derive(Debug)]
pub(crate) struct Relay {
    instance: String,
    posts: mpsc::Sender<Waiting>,
    room: Room,
    peers: Mutex<HashMap<String, Instant>>,
}

/// What waits to be sent.
pub(crate) struct Posts(mpsc::Receiver<Waiting>);

/// A post with its share of the room.
#[derive(Debug)]
struct Waiting {
    post: Post,
    _room: OwnedSemaphorePermit,
}

#[derive(Debug, Serialize, Deserialize)]
struct Envelope {
    from: String,
    post: Post,
}

#[derive(Debug, Serialize, Deserialize)]
enum Post {
    /// An instance is there.
    Hello,
    /// An instance is new, or has missed something: who is present elsewhere?
    Ask,
    /// An instance stops.
    Bye,
    /// Everything that is present on an instance.
    Present(Vec<Presence>),
    Track(Presence),
    Untrack(Place),
    Broadcast {
        at: Place,
        event: String,
        text: Option<String>,
        user: Option<User>,
    },
    /// A post that is in the table.
    Stored(Uuid),
}

#[derive(Debug, Serialize, Deserialize)]
struct Place {
    topic: String,
    private: bool,
    /// Whose presence it is; 0 for a broadcast.
    member: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Presence {
    at: Place,
    name: String,
    reference: String,
    meta: Map<String, Value>,
}

#[derive(Debug, Serialize, Deserialize)]
struct User {
    meta: Option<String>,
    json: bool,
    /// Base64.
    payload: String,
}

impl Post {
    /// About how much memory it takes, in bytes.
    fn size(&self) -> usize {
        let of = |own: &Presence| serde_json::to_string(&own.meta).map_or(0, |text| text.len());
        match self {
            Post::Broadcast { event, text, user, .. } => {
                let user = user.as_ref().map_or(0, |user| user.payload.len());
                event.len() + text.as_ref().map_or(0, String::len) + user
            }
            Post::Track(own) => of(own),
            Post::Present(all) => all.iter().map(of).sum(),
            Post::Hello | Post::Ask | Post::Bye | Post::Untrack(_) | Post::Stored(_) => 0,
        }
    }
}

impl Relay {
    /// A link, and the posts that [`run`] sends.
    pub(crate) fn new() -> (Arc<Self>, Posts) {
        let (posts, waiting) = mpsc::channel(WAITING);
        let instance = Uuid::new_v4().simple().to_string();
        (Arc::new(Relay { instance, posts, room: Room::new(ROOM), peers: Mutex::default() }), Posts(waiting))
    }

    /// Passes a broadcast on.
    pub(crate) fn broadcast(&self, key: &Key, message: &Message) {
        if self.is_alone() {
            return;
        }
        let at = Place { topic: key.topic.to_string(), private: key.private, member: 0 };
        self.post(match message {
            Message::Text { event, payload } => {
                Post::Broadcast { at, event: (*event).to_owned(), text: Some(payload.clone()), user: None }
            }
            Message::User { event, meta, encoding, payload } => {
                let payload = BASE64_STANDARD.encode(payload);
                let user = User { meta: meta.clone(), json: *encoding == Encoding::Json, payload };
                Post::Broadcast { at, event: event.clone(), text: None, user: Some(user) }
            }
        });
    }

    /// Passes on who is present.
    pub(crate) fn track(&self, key: &Key, member: u64, name: &str, reference: &str, meta: Map<String, Value>) {
        if !self.is_alone() {
            self.post(Post::Track(presence(key, member, name, reference, meta)));
        }
    }

    /// Passes on who is no longer present.
    pub(crate) fn untrack(&self, key: &Key, member: u64) {
        if !self.is_alone() {
            self.post(Post::Untrack(place(key, member)));
        }
    }

    /// Tells the others that this instance stops.
    pub(crate) async fn goodbye(&self, pool: &Pool) {
        if !self.is_alone() {
            // Those who do not hear it find out after a while.
            let _ = tokio::time::timeout(GOODBYE, self.send(pool, &[&Post::Bye])).await;
        }
    }

    fn is_alone(&self) -> bool {
        self.peers().is_empty()
    }

    fn post(&self, post: Post) {
        let waiting = self.room.try_take(post.size()).map(|_room| Waiting { post, _room });
        if waiting.is_none_or(|waiting| self.posts.try_send(waiting).is_err()) {
            tracing::warn!(
                event = "realtime_relay",
                detail = "too much waits for the other instances; a message is lost"
            );
        }
    }

    fn peers(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends posts; what is too long goes through the table.
    async fn send(&self, pool: &Pool, posts: &[&Post]) -> Result<(), Error> {
        let connection = pool.get().await?;
        let mut notified = Vec::with_capacity(posts.len());
        for post in posts {
            let text = self.enveloped(post);
            if text.len() <= INLINE {
                notified.push(text);
            } else {
                let id = Uuid::new_v4();
                store::keep(&connection, id, &text).await?;
                notified.push(self.enveloped(&Post::Stored(id)));
            }
        }
        store::notify(&connection, CHANNEL, &notified).await
    }

    fn enveloped(&self, post: &Post) -> String {
        // Its parts have no form that JSON does not have.
        serde_json::json!({ "from": self.instance, "post": post }).to_string()
    }
}

/// Sends and receives for as long as it is polled.
pub(crate) async fn run(relay: Arc<Relay>, pool: Pool, hub: Arc<Hub>, listener: Listener, posts: Posts) {
    tokio::join!(send(&relay, &pool, posts.0), receive(&relay, &pool, &hub, listener));
}

async fn send(relay: &Relay, pool: &Pool, mut waiting: mpsc::Receiver<Waiting>) {
    let mut some = Vec::new();
    while waiting.recv_many(&mut some, AT_ONCE).await > 0 {
        let posts: Vec<&Post> = some.iter().map(|waiting| &waiting.post).collect();
        if let Err(error) = relay.send(pool, &posts).await {
            tracing::warn!(event = "realtime_relay", detail = %error);
        }
        some.clear();
    }
}

async fn receive(relay: &Relay, pool: &Pool, hub: &Hub, listener: Listener) {
    let mut heard = listener.subscribe(CHANNEL);
    let mut hello = tokio::time::interval(HELLO);
    loop {
        tokio::select! {
            event = heard.next() => match event {
                Event::Notification { payload } => take(relay, pool, hub, &payload).await,
                // What was said before is unknown.
                Event::Connected | Event::Reconnected => {
                    relay.post(Post::Ask);
                    relay.post(present(hub));
                }
                Event::Ended { .. } => {}
            },
            // An instance that is alone has nobody to tell: a new one asks.
            _ = hello.tick(), if !relay.is_alone() => round(relay, pool, hub).await,
        }
    }
}

/// Says that this instance is there, and forgets those of which nothing was heard.
async fn round(relay: &Relay, pool: &Pool, hub: &Hub) {
    relay.post(Post::Hello);
    let gone: Vec<String> = {
        let peers = relay.peers();
        let old = peers.iter().filter(|(_, seen)| seen.elapsed() > GONE);
        old.map(|(name, _)| name.clone()).collect()
    };
    for instance in gone {
        forget(relay, hub, &instance);
    }
    if let Ok(connection) = pool.get().await {
        // The next round tries again.
        let _ = store::clean(&connection).await;
    }
}

async fn take(relay: &Relay, pool: &Pool, hub: &Hub, payload: &str) {
    let Ok(Envelope { from, post }) = serde_json::from_str::<Envelope>(payload) else { return };
    if from == relay.instance {
        return;
    }
    let is_new = relay.peers().insert(from.clone(), Instant::now()).is_none();
    if is_new {
        relay.post(present(hub));
    }
    let post = match post {
        Post::Stored(id) => {
            let stored = async { store::stored(&pool.get().await?, id).await };
            let Ok(Some(text)) = stored.await else { return };
            match serde_json::from_str::<Envelope>(&text) {
                Ok(Envelope { post, .. }) => post,
                Err(_) => return,
            }
        }
        post => post,
    };
    obey(relay, hub, from, post);
}

fn obey(relay: &Relay, hub: &Hub, from: String, post: Post) {
    match post {
        Post::Hello | Post::Stored(_) => {}
        Post::Ask => relay.post(present(hub)),
        Post::Bye => forget(relay, hub, &from),
        Post::Present(all) => {
            let owners: HashSet<Owner> =
                all.iter().map(|own| Owner { instance: from.clone(), member: own.at.member }).collect();
            hub.keep_only(&from, &owners);
            for own in all {
                track(hub, &from, own);
            }
        }
        Post::Track(own) => track(hub, &from, own),
        Post::Untrack(at) => {
            hub.untrack(&key(&at), &Owner { instance: from, member: at.member });
        }
        Post::Broadcast { at, event, text, user } => {
            if let Some(message) = message(event, text, user) {
                hub.broadcast(&key(&at), &message, None);
            }
        }
    }
}

fn message(event: String, text: Option<String>, user: Option<User>) -> Option<Message> {
    if let Some(payload) = text {
        // Every text message to all is a broadcast.
        return Some(Message::Text { event: "broadcast", payload });
    }
    let User { meta, json, payload } = user?;
    let encoding = if json { Encoding::Json } else { Encoding::Binary };
    Some(Message::User { event, meta, encoding, payload: BASE64_STANDARD.decode(payload).ok()?.into() })
}

fn forget(relay: &Relay, hub: &Hub, instance: &str) {
    relay.peers().remove(instance);
    hub.keep_only(instance, &HashSet::new());
}

fn track(hub: &Hub, from: &str, own: Presence) {
    let owner = Owner { instance: from.to_owned(), member: own.at.member };
    hub.track(&key(&own.at), owner, &own.name, &own.reference, own.meta);
}

/// What is present on this instance.
fn present(hub: &Hub) -> Post {
    let of = |(key, all): (Key, Vec<Tracked>)| {
        let presences = all.into_iter().map(|own| presence(&key, own.member, &own.key, &own.reference, own.payload));
        presences.collect::<Vec<_>>()
    };
    Post::Present(hub.present_here().into_iter().flat_map(of).collect())
}

fn presence(key: &Key, member: u64, name: &str, reference: &str, meta: Map<String, Value>) -> Presence {
    Presence { at: place(key, member), name: name.to_owned(), reference: reference.to_owned(), meta }
}

fn place(key: &Key, member: u64) -> Place {
    Place { topic: key.topic.to_string(), private: key.private, member }
}

fn key(at: &Place) -> Key {
    Key { topic: at.topic.as_str().into(), private: at.private }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_bounded_by_its_bytes() {
        let (relay, mut posts) = Relay::new();
        relay.peers().insert("other".to_owned(), Instant::now());
        let key = Key::of_sub_topic("room", false);
        let message = Message::Text { event: "broadcast", payload: "x".repeat(3_000_000) };
        for _ in 0..30 {
            relay.broadcast(&key, &message);
        }
        let mut waiting = 0;
        while posts.0.try_recv().is_ok() {
            waiting += 1;
        }
        assert_eq!(waiting, ROOM / 3_000_000, "the others are lost");
        relay.broadcast(&key, &message);
        assert!(posts.0.try_recv().is_ok(), "there is room again");
    }
}
