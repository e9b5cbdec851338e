//! Rows of `realtime.messages`: broadcasts from the database.

use std::collections::{HashSet, VecDeque};

use bytes::Bytes;
use pg::replication::{Change, Kind, Relation};
use serde_json::json;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::hub::{Hub, Key};
use crate::protocol::frame::Encoding;
use crate::protocol::message::Message;
use crate::store::messages::Stored;

/// Whether a relation is the table or one of its partitions.
pub(super) fn is_messages(relation: &Relation) -> bool {
    relation.schema == "realtime" && (relation.name == "messages" || relation.name.starts_with("messages_"))
}

/// Ids of messages that are remembered, at most.
const REMEMBERED: usize = 20_000;

/// The messages that were sent last: after a lost stream, those that are stored are looked at again.
#[derive(Debug, Default)]
pub(super) struct Recent {
    order: VecDeque<Uuid>,
    known: HashSet<Uuid>,
}

impl Recent {
    /// Remembers a message; `false` if it is known.
    fn is_new(&mut self, id: Uuid) -> bool {
        if !self.known.insert(id) {
            return false;
        }
        self.order.push_back(id);
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

/// Sends a row to everybody on its topic. What lacks a topic, an event or `private`, or is too large, is left out.
pub(super) fn send(hub: &Hub, recent: &mut Recent, change: &Change, max_payload: usize) {
    if change.kind != Kind::Insert {
        return;
    }
    let text = |name: &str| {
        let at = change.relation.columns.iter().position(|column| column.name == name)?;
        change.new.get(at)?.text()
    };
    if text("extension") != Some("broadcast") {
        return;
    }
    let id = text("id").and_then(|id| Uuid::parse_str(id).ok());
    let (Some(topic), Some(event), Some(private), Some(id)) = (text("topic"), text("event"), text("private"), id)
    else {
        return tracing::debug!(event = "realtime_message", detail = "a row lacks its topic, event or private");
    };
    let stored = Stored {
        id,
        event: event.to_owned(),
        payload: text("payload").map(str::to_owned),
        binary_payload: text("binary_payload").and_then(bytes),
    };
    send_stored(hub, recent, &Key::of_sub_topic(topic, private == "t"), stored, max_payload);
}

/// Sends a stored message to everybody on its topic, unless that was done already.
pub(super) fn send_stored(hub: &Hub, recent: &mut Recent, key: &Key, stored: Stored, max_payload: usize) {
    let Stored { id, event, payload, binary_payload } = stored;
    if !recent.is_new(id) {
        return;
    }
    let id = id.to_string();
    let (encoding, payload) = match (payload, binary_payload) {
        (None, Some(bytes)) => (Encoding::Binary, Bytes::from(bytes)),
        (payload, _) => (Encoding::Json, Bytes::from(payload.unwrap_or_else(|| "null".to_owned()))),
    };
    if payload.len() > max_payload {
        return tracing::warn!(event = "realtime_message", id, detail = "its payload is too large");
    }
    let meta = Some(json!({ "id": id }).to_string());
    hub.broadcast_stored(key, &Message::User { event, meta, encoding, payload }, &id);
}

/// `\x00ff`
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("\\x")?.as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

/// A stored message, as it is sent again to a channel that joins.
pub(crate) fn replayed(id: &str, event: &str, payload: Option<&str>, bytes: Option<Vec<u8>>) -> Option<Message> {
    let meta = json!({ "replayed": true, "id": id });
    if let Some(bytes) = bytes {
        let (event, meta) = (event.to_owned(), Some(meta.to_string()));
        return Some(Message::User { event, meta, encoding: Encoding::Binary, payload: bytes.into() });
    }
    let payload: &RawValue = serde_json::from_str(payload.unwrap_or("null")).ok()?;
    let payload = json!({ "type": "broadcast", "event": event, "payload": payload, "meta": meta });
    Some(Message::Text { event: "broadcast", payload: payload.to_string() })
}

/// The name of a slot of this process: two instances on one database each have their own.
pub(super) fn slot_name() -> String {
    format!("supabase_realtime_dugout_{}", Uuid::new_v4().simple())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_hexadecimal() {
        assert_eq!(bytes("\\x00fF"), Some(vec![0, 255]));
        assert_eq!(bytes("\\x"), Some(Vec::new()));
        for text in ["00", "\\x0", "\\xzz", "\\x+1"] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }

    #[test]
    fn the_last_messages_are_remembered() {
        let mut recent = Recent::default();
        let ids: Vec<Uuid> = (0..=REMEMBERED).map(|_| Uuid::new_v4()).collect();
        assert!(ids.iter().all(|id| recent.is_new(*id)));
        assert!(!recent.is_new(ids[REMEMBERED]) && !recent.is_new(ids[1]), "the last ones");
        assert!(recent.is_new(ids[0]), "the first one is forgotten");
    }

    #[test]
    fn names_of_slots_are_valid() {
        let name = slot_name();
        assert!(name.len() <= 63, "{name}");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'), "{name}");
        assert_ne!(name, slot_name());
    }
}
