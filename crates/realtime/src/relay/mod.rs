//! Several instances on one database: broadcasts and presence travel by NOTIFY, or through NATS if it is configured.
//!
//! Changes of tables and broadcasts from the database need no relay: every instance reads the WAL through its own replication
//! slot. So no instance has to take over work from one that has stopped.

mod bus;
mod hear;
mod peers;
mod post;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pg::Pool;
use pg::error::Error;
use pg::listen::{Event, Listener};
use serde_json::{Map, Value};
use tokio::sync::{Notify, OwnedSemaphorePermit, mpsc};
use tokio::time::MissedTickBehavior;
use uuid::Uuid;

use self::bus::Bus;
use self::hear::hear;
use self::peers::Peers;
use self::post::{Place, Post, Presence};
use crate::hub::{Hub, Key};
use crate::protocol::message::Message;
use crate::room::Room;
use crate::store::relay as store;

pub(crate) use self::bus::Servers;

/// The NOTIFY channel of all instances.
const CHANNEL: &str = "dugout_realtime";

/// How often an instance greets the others.
const HELLO: Duration = Duration::from_secs(5);

/// How long saying goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);

/// Pause between two full accounts of presence, because many instances may ask for one at once.
const ACCOUNTS: Duration = Duration::from_millis(200);

/// NOTIFY takes payloads below 8000 bytes; longer ones are put into a table.
const INLINE: usize = 7_900;

/// Posts that may wait to be sent. Further ones are lost, as broadcasts are while the database is unreachable.
const WAITING: usize = 10_000;

/// Bytes of posts that may wait to be sent.
const ROOM: usize = 64 * 1024 * 1024;

/// Posts that are sent in one statement, at most.
const AT_ONCE: usize = 256;

/// The link to the other instances.
#[derive(Debug)]
pub(crate) struct Relay {
    instance: String,
    posts: mpsc::Sender<Waiting>,
    room: Room,
    peers: Mutex<Peers>,
    /// The number of the last change of presence. Held locked while a change is queued, so that numbers are sent in order.
    said: Mutex<u64>,
    /// Signals that another instance asked for everything that is present here.
    account: Notify,
    bus: Option<Bus>,
}

/// The path of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Database,
    Bus,
}

/// The queue of posts to send.
pub(crate) struct Posts(mpsc::Receiver<Waiting>);

/// A post with its share of the queue's bytes.
#[derive(Debug)]
struct Waiting {
    post: Post,
    _room: OwnedSemaphorePermit,
}

impl Relay {
    /// A link and the queue that [`run`] sends, through NATS if `servers` is given.
    pub(crate) fn new(servers: Option<Servers>) -> (Arc<Self>, Posts) {
        let (posts, waiting) = mpsc::channel(WAITING);
        let instance = Uuid::new_v4().simple().to_string();
        let relay = Relay {
            bus: servers.map(|servers| Bus::new(servers, instance.clone())),
            instance,
            posts,
            room: Room::new(ROOM),
            peers: Mutex::default(),
            said: Mutex::default(),
            account: Notify::new(),
        };
        (Arc::new(relay), Posts(waiting))
    }

    /// Passes a broadcast on.
    pub(crate) fn broadcast(&self, key: &Key, message: &Message) {
        if !self.peers().is_empty() {
            self.post(Post::broadcast(key, message));
        }
    }

    /// Passes on who is present.
    pub(crate) fn track(&self, key: &Key, member: u64, name: &str, reference: &str, meta: Map<String, Value>) {
        self.change(|number| Post::Track(number, Presence::of(key, member, name, reference, meta)));
    }

    /// Passes on who is no longer present.
    pub(crate) fn untrack(&self, key: &Key, member: u64) {
        self.change(|number| Post::Untrack(number, Place::of(key, member)));
    }

    /// Tells the others that this instance stops.
    pub(crate) async fn goodbye(&self, pool: &Pool) {
        if self.peers().is_empty() {
            return;
        }
        let by_bus = async {
            if let Some(bus) = self.bus.as_ref().filter(|bus| bus.is_on()) {
                bus.publish(self.enveloped(&Post::Bye)).await;
                bus.flush().await;
            }
        };
        // Both at once: a NATS connection that hangs must not hold up the goodbye through the database.
        let bye = async { tokio::join!(by_bus, self.notify(pool, &[&Post::Bye])) };
        // An instance that misses the goodbye notices after 20 seconds of silence.
        let _ = tokio::time::timeout(GOODBYE, bye).await;
    }

    fn is_on_bus(&self) -> bool {
        self.bus.as_ref().is_some_and(Bus::is_on)
    }

    fn change(&self, post: impl FnOnce(u64) -> Post) {
        if self.peers().is_empty() {
            return;
        }
        let mut said = lock(&self.said);
        *said += 1;
        // If the post is lost, the other instances notice the gap in the numbers.
        self.post(post(*said));
    }

    fn post(&self, post: Post) {
        let waiting = self.room.try_take(post.size()).map(|_room| Waiting { post, _room });
        if waiting.is_none_or(|waiting| self.posts.try_send(waiting).is_err()) {
            tracing::warn!(
                event = "realtime_relay",
                detail = "the queue to the other instances is full; a message is lost"
            );
        }
    }

    /// Schedules a full account of presence for the other instances.
    fn account_for_presence(&self) {
        self.account.notify_one();
    }

    /// Queues a full account of presence. The lock keeps changes waiting, so that none is sent before an account that lacks it.
    fn post_account(&self, hub: &Hub) {
        let said = lock(&self.said);
        self.post(Post::present(*said, hub));
    }

    fn peers(&self) -> MutexGuard<'_, Peers> {
        lock(&self.peers)
    }

    fn greeting(&self) -> Post {
        Post::Hello(*lock(&self.said))
    }

    /// Sends posts in order: through NATS while all instances are on the bus, otherwise by NOTIFY.
    async fn send(&self, pool: &Pool, posts: &[&Post]) -> Result<(), Error> {
        let mut rest = posts;
        if let Some(bus) = self.bus.as_ref().filter(|bus| bus.is_on() && self.peers().are_on_bus(Instant::now())) {
            while let Some((post, others)) = rest.split_first() {
                let is_done = match self.short(pool, post, bus.longest()).await {
                    Ok(text) => bus.publish(text).await,
                    // Only this post is lost: it is too long for NATS, and the database could not store it.
                    Err(error) => {
                        tracing::warn!(event = "realtime_relay", detail = %error);
                        true
                    }
                };
                if !is_done {
                    break;
                }
                rest = others;
            }
        }
        if rest.is_empty() { Ok(()) } else { self.notify(pool, rest).await }
    }

    async fn notify(&self, pool: &Pool, posts: &[&Post]) -> Result<(), Error> {
        let mut notified = Vec::with_capacity(posts.len());
        for post in posts {
            notified.push(self.short(pool, post, INLINE).await?);
        }
        store::notify(&pool.get().await?, CHANNEL, &notified).await
    }

    /// The post as a message of at most `longest` bytes. A longer one is stored in a table, and the message holds its id.
    async fn short(&self, pool: &Pool, post: &Post, longest: usize) -> Result<String, Error> {
        let text = self.enveloped(post);
        if text.len() <= longest {
            return Ok(text);
        }
        let id = Uuid::new_v4();
        store::keep(&pool.get().await?, id, &text).await?;
        Ok(self.enveloped(&Post::Stored(id)))
    }

    fn enveloped(&self, post: &Post) -> String {
        // All parts have a JSON form, so this cannot fail.
        serde_json::json!({ "from": self.instance, "on_bus": self.is_on_bus(), "post": post }).to_string()
    }
}

/// Sends and receives for as long as it is polled.
pub(crate) async fn run(relay: Arc<Relay>, pool: Pool, hub: Arc<Hub>, listener: Listener, posts: Posts) {
    let (sender, mut heard) = mpsc::channel(AT_ONCE);
    let on_bus = async {
        if let Some(bus) = &relay.bus {
            bus.keep(&pool, || relay.enveloped(&relay.greeting()), sender).await;
        }
    };
    let listen_on_bus = async {
        while let Some(payload) = heard.recv().await {
            hear(&relay, &pool, &hub, &payload, Way::Bus).await;
        }
    };
    tokio::join!(
        send(&relay, &pool, posts.0),
        listen(&relay, &pool, &hub, listener),
        greet(&relay, &pool, &hub),
        on_bus,
        listen_on_bus
    );
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

async fn listen(relay: &Relay, pool: &Pool, hub: &Hub, listener: Listener) {
    let mut heard = listener.subscribe(CHANNEL);
    loop {
        match heard.next().await {
            Event::Notification { payload } => hear(relay, pool, hub, payload.as_bytes(), Way::Database).await,
            // Notifications from before were missed.
            Event::Connected | Event::Reconnected => {
                relay.post(Post::Ask);
                relay.account_for_presence();
            }
            Event::Ended { .. } => {}
        }
    }
}

/// Greets the other instances regularly, and sends a full account of presence when one asks for it.
async fn greet(relay: &Relay, pool: &Pool, hub: &Hub) {
    let mut hello = tokio::time::interval(HELLO);
    hello.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        // An instance that is alone need not greet: a new instance asks.
        let is_due = relay.peers().is_anybody_expected(Instant::now());
        tokio::select! {
            () = relay.account.notified() => {
                relay.post_account(hub);
                tokio::time::sleep(ACCOUNTS).await;
            }
            () = changed(&relay.bus) => {
                tell_where_we_are(relay, pool).await;
                if !relay.is_on_bus() {
                    // Messages published since NATS was lost did not arrive.
                    relay.post(Post::Ask);
                    relay.account_for_presence();
                }
            }
            _ = hello.tick(), if is_due => round(relay, pool, hub).await,
        }
    }
}

/// Waits until the bus changes. Without a bus it never returns.
async fn changed(bus: &Option<Bus>) {
    match bus {
        Some(bus) => bus.changed().await,
        None => std::future::pending().await,
    }
}

async fn tell_where_we_are(relay: &Relay, pool: &Pool) {
    if let Err(error) = relay.notify(pool, &[&relay.greeting()]).await {
        tracing::warn!(event = "realtime_relay", detail = %error);
    }
}

/// Greets the other instances, and forgets those that have been silent.
async fn round(relay: &Relay, pool: &Pool, hub: &Hub) {
    if let Some(bus) = &relay.bus {
        bus.greet(relay.enveloped(&relay.greeting())).await;
    }
    tell_where_we_are(relay, pool).await;
    let gone = relay.peers().forget_gone(Instant::now());
    for instance in gone {
        hub.keep_only(&instance, &std::collections::HashSet::new());
    }
    if let Ok(connection) = pool.get().await {
        // The next round tries again.
        let _ = store::clean(&connection).await;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_bounded_by_its_bytes() {
        let (relay, mut posts) = Relay::new(None);
        relay.peers().meet("other", Some(false), Instant::now());
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
