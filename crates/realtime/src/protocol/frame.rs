//! Frames that clients send: text in both versions of the protocol, and binary ones in version 2.0.0.
//!
//! Source: Phoenix.Socket.V1.JSONSerializer, Phoenix.Socket.V2.JSONSerializer, and the kinds 3 and 4 of supabase/realtime,
//! lib/realtime_web/socket/user_broadcast.ex.

use std::sync::Arc;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::config::MAX_REF;

/// The version of the protocol, from the query parameter `vsn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Version {
    /// Frames are objects.
    One,
    /// Frames are arrays, and broadcasts may be binary.
    Two,
}

impl Version {
    /// `1.0.x` or `2.0.x`; without the parameter 1.0.0.
    pub(crate) fn parse(text: Option<&str>) -> Option<Self> {
        let Some(text) = text else { return Some(Version::One) };
        let (version, patch) = text.rsplit_once('.')?;
        let is_number = !patch.is_empty() && patch.bytes().all(|byte| byte.is_ascii_digit());
        match version {
            "1.0" if is_number => Some(Version::One),
            "2.0" if is_number => Some(Version::Two),
            _ => None,
        }
    }
}

/// A reference as the client wrote it, a JSON value: `"1"`, `1` or `null`. It is sent back unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ref(Arc<str>);

impl Ref {
    /// JSON's null.
    pub(crate) fn null() -> Self {
        Ref("null".into())
    }

    /// Whether the frame has no reference: JSON's null.
    pub(crate) fn is_null(&self) -> bool {
        &*self.0 == "null"
    }

    /// The value as JSON.
    pub(crate) fn json(&self) -> &str {
        &self.0
    }

    /// `None` if it is too long.
    fn of_json(value: Option<&RawValue>) -> Option<Self> {
        let Some(value) = value else { return Some(Ref::null()) };
        (value.get().len() <= MAX_REF).then(|| Ref(value.get().into()))
    }

    fn of_text(text: &str) -> Self {
        if text.is_empty() {
            return Ref::null();
        }
        Ref(serde_json::Value::from(text).to_string().into())
    }
}

/// A message from a client.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub(crate) join_ref: Ref,
    pub(crate) reference: Ref,
    pub(crate) topic: String,
    pub(crate) event: String,
    pub(crate) body: Body,
}

/// The content of a message.
#[derive(Debug)]
pub(crate) enum Body {
    /// JSON of a text frame.
    Json(Box<RawValue>),
    /// A broadcast as binary frame of kind 3.
    Broadcast(UserBroadcast),
}

/// The content of a binary broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UserBroadcast {
    pub(crate) event: String,
    pub(crate) encoding: Encoding,
    pub(crate) payload: Bytes,
}

/// The encoding of a payload in kinds 3 and 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// 0
    Binary,
    /// 1
    Json,
}

#[derive(Deserialize)]
struct One<'a> {
    topic: String,
    event: String,
    #[serde(borrow)]
    payload: &'a RawValue,
    #[serde(rename = "ref", borrow)]
    reference: &'a RawValue,
    #[serde(borrow)]
    join_ref: Option<&'a RawValue>,
}

/// Reads a text frame; `None` if it is malformed or a reference is too long.
pub(crate) fn text(version: Version, text: &str) -> Option<Incoming> {
    match version {
        Version::One => {
            let One { topic, event, payload, reference, join_ref } = serde_json::from_str(text).ok()?;
            let (join_ref, reference) = (Ref::of_json(join_ref)?, Ref::of_json(Some(reference))?);
            Some(Incoming { join_ref, reference, topic, event, body: Body::Json(payload.to_owned()) })
        }
        Version::Two => {
            let parts: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            let [join_ref, reference, topic, event, payload, ..] = parts[..] else { return None };
            Some(Incoming {
                join_ref: Ref::of_json(Some(join_ref))?,
                reference: Ref::of_json(Some(reference))?,
                topic: serde_json::from_str(topic.get()).ok()?,
                event: serde_json::from_str(event.get()).ok()?,
                body: Body::Json(payload.to_owned()),
            })
        }
    }
}

/// Reads a binary frame; `None` if it is malformed or of a kind that clients do not send. Kind 0, a push with binary content,
/// is none that a channel of realtime takes.
pub(crate) fn binary(frame: &Bytes) -> Option<Incoming> {
    const KIND: u8 = 3;
    let (header, mut rest) = (frame.get(..7)?, frame.get(7..)?);
    let [KIND, join_ref, reference, topic, event, meta, encoding] = *header else { return None };
    let mut field = |length: u8| {
        let (field, after) = rest.split_at_checked(usize::from(length))?;
        rest = after;
        std::str::from_utf8(field).ok()
    };
    let (join_ref, reference, topic) = (field(join_ref)?, field(reference)?, field(topic)?);
    let (event, _) = (field(event)?, field(meta)?);
    let encoding = if encoding == 0 { Encoding::Binary } else { Encoding::Json };
    let payload = frame.slice_ref(rest);
    if encoding == Encoding::Json {
        // What claims to be JSON is put into text frames of other clients unchanged.
        serde_json::from_slice::<&RawValue>(&payload).ok()?;
    }
    Some(Incoming {
        join_ref: Ref::of_text(join_ref),
        reference: Ref::of_text(reference),
        topic: topic.to_owned(),
        event: "broadcast".to_owned(),
        body: Body::Broadcast(UserBroadcast { event: event.to_owned(), encoding, payload }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_upstream() {
        for (text, version) in [
            (None, Some(Version::One)),
            (Some("1.0.0"), Some(Version::One)),
            (Some("1.0.12"), Some(Version::One)),
            (Some("2.0.0"), Some(Version::Two)),
            (Some("2.1.0"), None),
            (Some("2.0"), None),
            (Some("2.0."), None),
            (Some("3.0.0"), None),
            (Some(""), None),
        ] {
            assert_eq!(Version::parse(text), version, "{text:?}");
        }
    }

    #[test]
    fn text_frames_are_read_in_both_versions() {
        let one = r#"{"topic":"realtime:a","event":"phx_join","payload":{"b":1},"ref":"2"}"#;
        let found = text(Version::One, one).unwrap();
        assert_eq!((found.topic.as_str(), found.event.as_str()), ("realtime:a", "phx_join"));
        assert_eq!((found.reference.json(), found.join_ref.json()), ("\"2\"", "null"));
        let two = r#"["1", 2, "realtime:a", "x", {"b": 1.50}, "more"]"#;
        let found = text(Version::Two, two).unwrap();
        assert_eq!((found.join_ref.json(), found.reference.json()), ("\"1\"", "2"));
        let Body::Json(payload) = found.body else { panic!("no JSON") };
        assert_eq!(payload.get(), r#"{"b": 1.50}"#, "the payload stays as it was sent");
    }

    #[test]
    fn malformed_frames_are_none() {
        for frame in ["", "{}", "[]", "null", "1", r#"{"topic":"a","event":"b","payload":{}}"#, "[1,2,3,4]"] {
            assert!(text(Version::One, frame).is_none(), "{frame}");
        }
        for frame in ["", "{}", "[null,null,\"t\",\"e\"]", "[null,null,1,\"e\",{}]", "[null,null,\"t\",null,{}]"] {
            assert!(text(Version::Two, frame).is_none(), "{frame}");
        }
        let whole = b"\x03\x01\x01\x01\x01\x00\x0012tejunk";
        assert!(binary(&Bytes::from_static(whole)).is_some());
        for length in 0..11 {
            assert!(binary(&Bytes::copy_from_slice(&whole[..length])).is_none(), "{length} bytes");
        }
        assert!(binary(&Bytes::from_static(b"\x00\x01\x01\x01\x01\x00\x0012tejunk")).is_none(), "another kind");
        assert!(binary(&Bytes::from_static(b"\x03\x01\x01\x01\x01\x00\x0112tejunk")).is_none(), "no JSON");
        assert!(binary(&Bytes::from_static(b"\x03\x01\x01\x01\x01\x00\x0012\xffejunk")).is_none(), "no UTF-8");
    }

    #[test]
    fn references_are_short() {
        for (length, is_read) in [(MAX_REF, true), (MAX_REF + 1, false)] {
            let long = format!("\"{}\"", "x".repeat(length - 2));
            for frame in [format!("[{long},null,\"t\",\"e\",{{}}]"), format!("[null,{long},\"t\",\"e\",{{}}]")] {
                assert_eq!(text(Version::Two, &frame).is_some(), is_read, "{length} bytes");
            }
            let one = format!(r#"{{"topic":"t","event":"e","payload":{{}},"ref":"1","join_ref":{long}}}"#);
            assert_eq!(text(Version::One, &one).is_some(), is_read, "{length} bytes");
        }
    }

    #[test]
    fn a_broadcast_keeps_its_bytes() {
        let found = binary(&Bytes::from_static(b"\x03\x01\x02\x03\x01\x02\x01120abcE{} {\"a\": 1.0}")).unwrap();
        assert_eq!((found.join_ref.json(), found.reference.json()), ("\"1\"", "\"20\""));
        assert_eq!(found.topic, "abc");
        let Body::Broadcast(body) = found.body else { panic!("no broadcast") };
        assert_eq!(
            (body.event.as_str(), body.encoding, &body.payload[..]),
            ("E", Encoding::Json, &b" {\"a\": 1.0}"[..])
        );
    }
}
