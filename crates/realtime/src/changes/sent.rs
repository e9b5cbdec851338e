//! Rows of `realtime.messages`: broadcasts from the database.

use bytes::Bytes;
use pg::replication::{Change, Kind, Relation};
use serde_json::json;
use serde_json::value::RawValue;

use crate::hub::{Hub, Key};
use crate::protocol::frame::Encoding;
use crate::protocol::message::Message;

/// Whether a relation is the table or one of its partitions.
pub(super) fn is_messages(relation: &Relation) -> bool {
    relation.schema == "realtime" && (relation.name == "messages" || relation.name.starts_with("messages_"))
}

/// Sends a row to everybody on its topic. What lacks a topic, an event or `private`, or is too large, is left out.
pub(super) fn send(hub: &Hub, change: &Change, max_payload: usize) {
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
    let (Some(topic), Some(event), Some(private), Some(id)) =
        (text("topic"), text("event"), text("private"), text("id"))
    else {
        return tracing::debug!(event = "realtime_message", detail = "a row lacks its topic, event or private");
    };
    let (encoding, payload) = match (text("payload"), text("binary_payload").and_then(bytes)) {
        (None, Some(bytes)) => (Encoding::Binary, bytes),
        (payload, _) => (Encoding::Json, Bytes::copy_from_slice(payload.unwrap_or("null").as_bytes())),
    };
    if payload.len() > max_payload {
        return tracing::warn!(event = "realtime_message", id, detail = "its payload is too large");
    }
    let meta = Some(json!({ "id": id }).to_string());
    let message = Message::User { event: event.to_owned(), meta, encoding, payload };
    hub.broadcast_stored(&Key::of_sub_topic(topic, private == "t"), &message, id);
}

/// `\x00ff`
fn bytes(text: &str) -> Option<Bytes> {
    let digits = text.strip_prefix("\\x")?.as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect::<Option<Vec<u8>>>().map(Bytes::from)
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
    format!("supabase_realtime_dugout_{}", uuid::Uuid::new_v4().simple())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_hexadecimal() {
        assert_eq!(bytes("\\x00fF"), Some(Bytes::from_static(&[0, 255])));
        assert_eq!(bytes("\\x"), Some(Bytes::new()));
        for text in ["00", "\\x0", "\\xzz", "\\x+1"] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }

    #[test]
    fn names_of_slots_are_valid() {
        let name = slot_name();
        assert!(name.len() <= 63, "{name}");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'), "{name}");
        assert_ne!(name, slot_name());
    }
}
