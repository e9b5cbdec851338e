//! The messages between instances, as JSON.
//!
//! A role that may NOTIFY in the database, or a user that may publish in NATS, can forge such messages: [`Envelope::parse`]
//! accepts only those that an instance could have written.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::config::MAX_TOPIC;
use crate::hub::{Hub, Key};
use crate::protocol::frame::Encoding;
use crate::protocol::message::Message;
use crate::protocol::presence::Tracked;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Envelope {
    /// The instance that sends it, a UUID as 32 digits.
    pub(super) from: String,
    /// Whether that instance receives what is published in NATS.
    #[serde(default)]
    pub(super) on_bus: bool,
    pub(super) post: Post,
}

/// A message. Changes of presence are numbered, so that a receiver notices when it has missed one.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Post {
    /// A greeting, with the number of the sender's last change of presence.
    Hello(u64),
    /// Asks all instances for a full account, because the sender is new or has missed a change.
    Ask,
    /// The sender stops.
    Bye,
    /// A full account: everything that is present on the sender after the change of that number.
    Present(u64, Vec<Presence>),
    Track(u64, Presence),
    Untrack(u64, Place),
    Broadcast {
        at: Place,
        event: String,
        text: Option<String>,
        user: Option<User>,
    },
    /// The id of a post that is stored in the table, because it was too long.
    Stored(Uuid),
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Place {
    topic: String,
    private: bool,
    /// Whose presence it is; 0 for a broadcast.
    pub(super) member: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Presence {
    pub(super) at: Place,
    pub(super) name: String,
    pub(super) reference: String,
    pub(super) meta: Map<String, Value>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct User {
    meta: Option<String>,
    json: bool,
    /// Base64.
    payload: String,
}

impl Envelope {
    /// Reads a message of another instance; `None` for anything else.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let envelope: Envelope = serde_json::from_slice(text).ok()?;
        let is_named = envelope.from.len() == 32 && envelope.from.bytes().all(|digit| digit.is_ascii_hexdigit());
        (is_named && envelope.post.is_sound()).then_some(envelope)
    }
}

impl Post {
    pub(super) fn broadcast(key: &Key, message: &Message) -> Self {
        let at = Place::of(key, 0);
        match message {
            Message::Text { event, payload } => {
                Post::Broadcast { at, event: (*event).to_owned(), text: Some(payload.clone()), user: None }
            }
            Message::User { event, meta, encoding, payload } => {
                let payload = BASE64_STANDARD.encode(payload);
                let user = User { meta: meta.clone(), json: *encoding == Encoding::Json, payload };
                Post::Broadcast { at, event: event.clone(), text: None, user: Some(user) }
            }
        }
    }

    /// A full account of this instance after change number `said`. It may already hold later changes; applying one twice is
    /// harmless.
    pub(super) fn present(said: u64, hub: &Hub) -> Self {
        let of = |(key, all): (Key, Vec<Tracked>)| {
            let all = all.into_iter();
            all.map(|own| Presence::of(&key, own.member, &own.key, &own.reference, own.payload)).collect::<Vec<_>>()
        };
        Post::Present(said, hub.present_here().into_iter().flat_map(of).collect())
    }

    /// About how much memory it takes, in bytes.
    pub(super) fn size(&self) -> usize {
        let of = |own: &Presence| serde_json::to_string(&own.meta).map_or(0, |text| text.len());
        match self {
            Post::Broadcast { event, text, user, .. } => {
                let user = user.as_ref().map_or(0, |user| user.payload.len());
                event.len() + text.as_ref().map_or(0, String::len) + user
            }
            Post::Track(_, own) => of(own),
            Post::Present(_, all) => all.iter().map(of).sum(),
            Post::Hello(_) | Post::Ask | Post::Bye | Post::Untrack(..) | Post::Stored(_) => 0,
        }
    }

    /// Whether its texts are valid JSON, which clients get inside other JSON, and its topics valid.
    fn is_sound(&self) -> bool {
        match self {
            Post::Present(_, all) => all.iter().all(|own| own.at.is_sound()),
            Post::Track(_, own) => own.at.is_sound(),
            Post::Untrack(_, at) => at.is_sound(),
            Post::Broadcast { at, text, user, .. } => {
                let meta = user.as_ref().and_then(|user| user.meta.as_deref());
                at.is_sound() && text.as_deref().is_none_or(is_json) && meta.is_none_or(is_json)
            }
            Post::Hello(_) | Post::Ask | Post::Bye | Post::Stored(_) => true,
        }
    }
}

impl Place {
    pub(super) fn of(key: &Key, member: u64) -> Self {
        Place { topic: key.topic.to_string(), private: key.private, member }
    }

    pub(super) fn key(&self) -> Key {
        Key { topic: self.topic.as_str().into(), private: self.private }
    }

    fn is_sound(&self) -> bool {
        self.topic.len() <= MAX_TOPIC && self.topic.starts_with("realtime:")
    }
}

impl Presence {
    pub(super) fn of(key: &Key, member: u64, name: &str, reference: &str, meta: Map<String, Value>) -> Self {
        Presence { at: Place::of(key, member), name: name.to_owned(), reference: reference.to_owned(), meta }
    }
}

/// A broadcast's message; `None` if the envelope has neither text nor a readable payload.
pub(super) fn message(event: String, text: Option<String>, user: Option<User>) -> Option<Message> {
    if let Some(payload) = text {
        // Instances relay no other text message than broadcasts.
        return Some(Message::Text { event: "broadcast", payload });
    }
    let User { meta, json, payload } = user?;
    let payload = BASE64_STANDARD.decode(payload).ok()?;
    if json && serde_json::from_slice::<IgnoredAny>(&payload).is_err() {
        return None;
    }
    let encoding = if json { Encoding::Json } else { Encoding::Binary };
    Some(Message::User { event, meta, encoding, payload: payload.into() })
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn envelope(post: Value) -> Value {
        json!({ "from": "0123456789abcdef0123456789abcdef", "post": post })
    }

    fn parsed(envelope: &Value) -> Option<Envelope> {
        Envelope::parse(envelope.to_string().as_bytes())
    }

    #[test]
    fn strange_messages_are_none() {
        let at = |topic: &str| json!({ "topic": topic, "private": false, "member": 0 });
        let room = at("realtime:room");
        let text = |text: &str| json!({ "Broadcast": { "at": room, "event": "e", "text": text, "user": null } });
        for sound in [json!("Ask"), json!({ "Hello": 3 }), text("{}"), json!({ "Untrack": [1, room] })] {
            assert!(parsed(&envelope(sound.clone())).is_some(), "{sound}");
        }
        let long = at(&format!("realtime:{}", "x".repeat(MAX_TOPIC)));
        let strange = [
            json!("Leave"),
            json!({ "Hello": -1 }),
            text("{}]"),
            text("],[1"),
            json!({ "Untrack": [1, at("room")] }),
            json!({ "Untrack": [1, long] }),
            json!({ "Track": [1, { "at": room, "name": "n", "reference": "r", "meta": [] }] }),
        ];
        for post in strange {
            assert!(parsed(&envelope(post.clone())).is_none(), "{post}");
        }
        for from in ["", "x", "0123456789abcdef0123456789abcde\u{e9}"] {
            assert!(parsed(&json!({ "from": from, "post": "Ask" })).is_none(), "{from}");
        }
        let deep = "[".repeat(100_000);
        for bytes in [&b""[..], b"\0\xff", b"null", deep.as_bytes()] {
            assert!(Envelope::parse(bytes).is_none());
        }
    }

    #[test]
    fn a_payload_that_is_no_json_is_no_message() {
        let user = |payload: &str, json| Some(User { meta: None, json, payload: BASE64_STANDARD.encode(payload) });
        assert!(message("e".to_owned(), None, user("{}", true)).is_some());
        assert!(message("e".to_owned(), None, user("{", false)).is_some(), "bytes may be anything");
        assert!(message("e".to_owned(), None, user("{", true)).is_none());
        let odd = Some(User { meta: None, json: false, payload: "?".to_owned() });
        assert!(message("e".to_owned(), None, odd).is_none());
        assert!(message("e".to_owned(), None, None).is_none());
    }
}
