//! Frames that clients receive.

use std::fmt::Write;

use bytes::{BufMut, Bytes, BytesMut};
use bytestring::ByteString;
use serde_json::Value;

use super::frame::{Encoding, Ref, Version};

/// A WebSocket message, ready to be sent. Cloning shares its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Text(ByteString),
    Binary(Bytes),
}

impl Frame {
    /// Its length in bytes.
    pub(crate) fn len(&self) -> usize {
        match self {
            Frame::Text(text) => text.len(),
            Frame::Binary(bytes) => bytes.len(),
        }
    }
}

/// A message for one channel of one client; `payload` is JSON. Version 1 has no `join_ref`.
pub(crate) fn push(version: Version, join_ref: &Ref, topic: &str, event: &str, payload: &str) -> Frame {
    frame(version, join_ref, &Ref::null(), topic, event, payload)
}

/// The message that ends a channel: its reference is that of the join, by which clients recognise it.
pub(crate) fn closing(version: Version, join_ref: &Ref, topic: &str, event: &str) -> Frame {
    frame(version, join_ref, join_ref, topic, event, "{}")
}

/// A reply to a message of the client; `response` is JSON.
pub(crate) fn reply(
    version: Version,
    (join_ref, reference): (&Ref, &Ref),
    topic: &str,
    status: Status,
    response: &str,
) -> Frame {
    let status = match status {
        Status::Ok => "ok",
        Status::Error => "error",
    };
    let payload = format!(r#"{{"status":"{status}","response":{response}}}"#);
    frame(version, join_ref, reference, topic, "phx_reply", &payload)
}

/// The status of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ok,
    Error,
}

fn frame(version: Version, join_ref: &Ref, reference: &Ref, topic: &str, event: &str, payload: &str) -> Frame {
    let mut text = String::with_capacity(payload.len() + topic.len() + event.len() + 64);
    let (topic, event) = (Value::from(topic), Value::from(event));
    // Writing to a String cannot fail.
    let _ = match version {
        Version::One => {
            write!(text, r#"{{"ref":{},"topic":{topic},"event":{event},"payload":{payload}}}"#, reference.json())
        }
        Version::Two => {
            write!(text, "[{},{},{topic},{event},{payload}]", join_ref.json(), reference.json())
        }
    };
    Frame::Text(text.into())
}

/// A message for everybody on a topic. It is encoded once for each version.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    /// A text frame with this event and JSON payload.
    Text { event: &'static str, payload: String },
    /// A broadcast whose sender did not use a text frame: binary for version 2, text for version 1.
    User { event: String, meta: Option<String>, encoding: Encoding, payload: Bytes },
}

impl Message {
    /// A broadcast as text; `payload` is JSON, and `id` that which its sender gave it.
    pub(crate) fn broadcast(event: &str, payload: &str, id: Option<&str>) -> Self {
        let meta = id.map(|id| format!(r#","meta":{{"id":{}}}"#, Value::from(id))).unwrap_or_default();
        let payload = format!(r#"{{"type":"broadcast","event":{},"payload":{payload}{meta}}}"#, Value::from(event));
        Message::Text { event: "broadcast", payload }
    }

    /// The frame for clients of a version; `None` if they cannot receive it.
    pub(crate) fn frame(&self, version: Version, topic: &str) -> Option<Frame> {
        let null = Ref::null();
        match (self, version) {
            (Message::Text { event, payload }, _) => Some(push(version, &null, topic, event, payload)),
            (Message::User { encoding: Encoding::Binary, .. }, Version::One) => None,
            (Message::User { event, meta, payload, .. }, Version::One) => {
                let payload = std::str::from_utf8(payload).ok()?;
                let meta = meta.as_ref().map(|meta| format!(r#","meta":{meta}"#)).unwrap_or_default();
                let event = Value::from(event.as_str());
                let payload = format!(r#"{{"event":{event},"payload":{payload},"type":"broadcast"{meta}}}"#);
                Some(push(version, &null, topic, "broadcast", &payload))
            }
            (Message::User { event, meta, encoding, payload }, Version::Two) => {
                user_broadcast(topic, event, meta.as_deref().unwrap_or_default(), *encoding, payload)
            }
        }
    }
}

/// Kind 4; `None` if a field is longer than its length byte can say.
fn user_broadcast(topic: &str, event: &str, meta: &str, encoding: Encoding, payload: &[u8]) -> Option<Frame> {
    const KIND: u8 = 4;
    let length = |text: &str| u8::try_from(text.len()).ok();
    let encoding = match encoding {
        Encoding::Binary => 0,
        Encoding::Json => 1,
    };
    let mut bytes = BytesMut::with_capacity(5 + topic.len() + event.len() + meta.len() + payload.len());
    bytes.put_slice(&[KIND, length(topic)?, length(event)?, length(meta)?, encoding]);
    for part in [topic.as_bytes(), event.as_bytes(), meta.as_bytes(), payload] {
        bytes.put_slice(part);
    }
    Some(Frame::Binary(bytes.freeze()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(frame: Option<Frame>) -> String {
        match frame {
            Some(Frame::Text(text)) => text.to_string(),
            Some(Frame::Binary(bytes)) => format!("{:?}", bytes),
            None => "nothing".to_owned(),
        }
    }

    #[test]
    fn a_broadcast_reaches_both_versions() {
        let json = Message::User {
            event: "e".to_owned(),
            meta: Some(r#"{"id":"x"}"#.to_owned()),
            encoding: Encoding::Json,
            payload: Bytes::from_static(b"{\"a\": 1.0}"),
        };
        assert_eq!(
            shown(json.frame(Version::One, "realtime:t")),
            r#"{"ref":null,"topic":"realtime:t","event":"broadcast","payload":{"event":"e","payload":{"a": 1.0},"type":"broadcast","meta":{"id":"x"}}}"#
        );
        assert_eq!(
            shown(json.frame(Version::Two, "realtime:t")),
            r#"b"\x04\n\x01\n\x01realtime:te{\"id\":\"x\"}{\"a\": 1.0}""#
        );
        let binary = Message::User {
            event: "e".to_owned(),
            meta: None,
            encoding: Encoding::Binary,
            payload: Bytes::from_static(b"\xff"),
        };
        assert_eq!(shown(binary.frame(Version::One, "t")), "nothing");
        assert_eq!(shown(binary.frame(Version::Two, "t")), r#"b"\x04\x01\x01\0\0te\xff""#);
        assert_eq!(shown(binary.frame(Version::Two, &"t".repeat(256))), "nothing", "its length does not fit");
        let text = Message::broadcast("e\"", "{}", None);
        assert_eq!(
            shown(text.frame(Version::Two, "t")),
            r#"[null,null,"t","broadcast",{"type":"broadcast","event":"e\"","payload":{}}]"#
        );
    }

    #[test]
    fn replies_carry_the_references() {
        let found = super::super::frame::text(Version::Two, r#"["3","7","t","e",{}]"#).unwrap();
        let refs = (&found.join_ref, &found.reference);
        let two = reply(Version::Two, refs, "t", Status::Ok, "{}");
        assert_eq!(shown(Some(two)), r#"["3","7","t","phx_reply",{"status":"ok","response":{}}]"#);
        let one = reply(Version::One, refs, "t", Status::Error, "{}");
        let expected = r#"{"ref":"7","topic":"t","event":"phx_reply","payload":{"status":"error","response":{}}}"#;
        assert_eq!(shown(Some(one)), expected);
    }
}
