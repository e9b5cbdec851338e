//! Handles messages from other instances.

use std::collections::HashSet;
use std::time::Instant;

use pg::Pool;

use super::peers::{Change, Met};
use super::post::{self, Envelope, Post, Presence};
use super::{Relay, Way};
use crate::hub::Hub;
use crate::protocol::presence::Owner;
use crate::store::relay as store;

/// Handles a message. Ignores messages that cannot be parsed.
pub(super) async fn hear(relay: &Relay, pool: &Pool, hub: &Hub, payload: &[u8], way: Way) {
    let Some(Envelope { from, on_bus, post }) = Envelope::parse(payload) else {
        return tracing::debug!(event = "realtime_relay", detail = "ignored a malformed message");
    };
    if from == relay.instance {
        return;
    }
    // A message through NATS may be older than the last one through the database, so its `on_bus` does not count.
    let on_bus = (way == Way::Database).then_some(on_bus);
    match relay.peers().meet(&from, on_bus, Instant::now()) {
        Met::New => relay.account_for_presence(),
        Met::Known => {}
        Met::Ignored => return,
    }
    let post = match post {
        Post::Stored(id) => {
            let stored = async { store::stored(&pool.get().await?, id).await };
            let Ok(Some(text)) = stored.await else { return };
            match Envelope::parse(text.as_bytes()) {
                Some(Envelope { post, .. }) => post,
                None => return,
            }
        }
        post => post,
    };
    obey(relay, hub, from, post);
}

fn obey(relay: &Relay, hub: &Hub, from: String, post: Post) {
    match post {
        Post::Stored(_) => {}
        Post::Hello(number) => {
            if relay.peers().is_ahead(&from, number) {
                relay.post(Post::Ask);
            }
        }
        Post::Ask => relay.account_for_presence(),
        Post::Bye => {
            relay.peers().leave(&from);
            hub.keep_only(&from, &HashSet::new());
        }
        Post::Present(number, all) => {
            if relay.peers().account(&from, number) {
                let owner = |own: &Presence| Owner { instance: from.clone(), member: own.at.member };
                hub.keep_only(&from, &all.iter().map(owner).collect());
                all.into_iter().for_each(|own| track(hub, &from, own));
            }
        }
        Post::Track(number, own) => {
            if relay.takes(&from, number) {
                track(hub, &from, own);
            }
        }
        Post::Untrack(number, at) => {
            if relay.takes(&from, number) {
                hub.untrack(&at.key(), &Owner { instance: from, member: at.member });
            }
        }
        Post::Broadcast { at, event, text, user } => {
            if let Some(message) = post::message(event, text, user) {
                hub.broadcast(&at.key(), &message, None);
            }
        }
    }
}

impl Relay {
    /// Whether to apply a change of presence. After a gap, asks all instances for their full presence.
    fn takes(&self, from: &str, number: u64) -> bool {
        let change = self.peers().change(from, number);
        if change == Change::AfterGap {
            self.post(Post::Ask);
        }
        change != Change::Old
    }
}

fn track(hub: &Hub, from: &str, own: Presence) {
    let owner = Owner { instance: from.to_owned(), member: own.at.member };
    hub.track(&own.at.key(), owner, &own.name, &own.reference, own.meta);
}
