//! The payload of `phx_join`. Reading is lenient, as upstream is: what is malformed counts as absent.

use serde_json::{Map, Value};
use uuid::Uuid;

/// What a client wants of a channel.
#[derive(Debug)]
pub(crate) struct Join {
    /// Reply to each broadcast.
    pub(crate) ack: bool,
    /// Send broadcasts to their own channel, too.
    pub(crate) to_self: bool,
    /// Tell when broadcasts from the database arrive.
    pub(crate) replication_ready: bool,
    /// Send again what was broadcast from the database.
    pub(crate) replay: Option<Value>,
    pub(crate) presence_enabled: bool,
    /// The key of this client's presence.
    pub(crate) presence_key: String,
    pub(crate) private: bool,
    /// The subscriptions to changes, as they were sent.
    pub(crate) changes: Vec<Map<String, Value>>,
    /// The payload has no `config`: the topic itself says which changes are wanted.
    pub(crate) is_legacy: bool,
    /// The size of the payload without its token, in bytes.
    pub(crate) size: usize,
    /// The token, if the channel does not use that of the connection.
    pub(crate) token: Option<String>,
}

impl Join {
    /// Reads a payload; `sub_topic` is the topic without `realtime:`.
    pub(crate) fn parse(payload: &Value, sub_topic: &str) -> Self {
        let config = payload.get("config").filter(|config| config.is_object());
        let at = |section: &str, name: &str| config.and_then(|config| config.get(section)?.get(name));
        let changes = match config {
            Some(config) => config.get("postgres_changes").map(bindings).unwrap_or_default(),
            None => vec![legacy_binding(sub_topic)],
        };
        let key = at("presence", "key").and_then(Value::as_str).filter(|key| !key.is_empty());
        let token = ["user_token", "access_token"].iter().find_map(|name| payload.get(name)?.as_str());
        Join {
            ack: is_true(at("broadcast", "ack")),
            to_self: is_true(at("broadcast", "self")),
            replication_ready: is_true(at("broadcast", "replication_ready")),
            replay: at("broadcast", "replay").filter(|replay| !replay.is_null()).cloned(),
            presence_enabled: is_true(at("presence", "enabled")),
            presence_key: key.map_or_else(|| Uuid::new_v4().to_string(), str::to_owned),
            private: is_true(config.and_then(|config| config.get("private"))),
            changes,
            is_legacy: config.is_none(),
            size: config.map_or(0, |config| config.to_string().len()),
            token: token.filter(|token| !token.is_empty()).map(str::to_owned),
        }
    }
}

/// `true`, or `"true"` in any case.
fn is_true(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(value)) => *value,
        Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
        _ => false,
    }
}

fn bindings(list: &Value) -> Vec<Map<String, Value>> {
    list.as_array().into_iter().flatten().filter_map(Value::as_object).cloned().collect()
}

/// `schema`, `schema:table` or `schema:table:filter`.
fn legacy_binding(sub_topic: &str) -> Map<String, Value> {
    let mut parts = sub_topic.splitn(3, ':');
    let mut binding = Map::new();
    binding.insert("event".to_owned(), "*".into());
    for name in ["schema", "table", "filter"] {
        if let Some(part) = parts.next() {
            binding.insert(name.to_owned(), part.into());
        }
    }
    binding
}

/// The id of a subscription: a hash of its parameters in 27 bits, so that equal ones share it. The order of the parameters does
/// not matter.
pub(crate) fn binding_id(binding: &Map<String, Value>) -> u64 {
    let mut fields: Vec<String> = binding.iter().map(|(name, value)| format!("{name}={value}")).collect();
    fields.sort_unstable();
    // FNV-1a (RFC 9923): the id must be the same on every instance and after a restart.
    let hash = fields
        .join("\n")
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash ^ (hash >> 27)) & ((1 << 27) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_payload_is_read_leniently() {
        let join = Join::parse(
            &json!({ "config": {
                "broadcast": { "ack": "TRUE", "self": 1 }, "presence": { "key": "", "enabled": true }, "private": "yes",
                "postgres_changes": [null, { "event": "*", "schema": "public" }, 7] },
                "access_token": "a", "user_token": "b" }),
            "room",
        );
        assert!(join.ack && !join.to_self && join.presence_enabled && !join.private && !join.is_legacy);
        assert_eq!((join.changes.len(), join.token.as_deref()), (1, Some("b")));
        assert!(Uuid::parse_str(&join.presence_key).is_ok());
        let join = Join::parse(&json!(null), "public:players:id=eq.1:2");
        assert!(join.is_legacy);
        assert_eq!(
            Value::from(join.changes[0].clone()),
            json!({ "event": "*", "schema": "public", "table": "players", "filter": "id=eq.1:2" })
        );
    }

    #[test]
    fn equal_subscriptions_share_an_id() {
        let id = |value: Value| binding_id(value.as_object().unwrap());
        let one = id(json!({ "event": "*", "schema": "public" }));
        assert_eq!(one, id(json!({ "schema": "public", "event": "*" })));
        assert_ne!(one, id(json!({ "schema": "public", "event": "INSERT" })));
        assert!(one < 1 << 27);
    }
}
