//! Removes values that differ between two servers: ids, times, tokens and codes. Ids are numbered, so that equal ids
//! stay equal.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::kit::Answer;

/// Headers that are part of the protocol.
const HEADERS: &[&str] = &[
    "allow",
    "cache-control",
    "content-type",
    "link",
    "location",
    "sb-auth-refresh-token-counter",
    "sb-auth-refresh-token-reuse",
    "sb-auth-refresh-token-reuse-cause",
    "sb-auth-refresh-token-rotated",
    "sb-auth-session-id",
    "sb-auth-user-id",
    "x-sb-error-code",
    "x-supabase-api-version",
    "x-total-count",
];

/// Names whose value is a secret, a code or a time; only its length is kept, if that is fixed.
const SECRETS: &[&str] = &[
    "action_link",
    "authorization_id",
    "challenge",
    "client_secret",
    "code",
    "email_otp",
    "hashed_token",
    "qr_code",
    "refresh_token",
    "secret",
    "token",
    "token_hash",
    "token_hash_new",
    "token_new",
    "uri",
];
const TIMES: &[&str] = &["auth_time", "exp", "expires_at", "iat", "timestamp"];

/// An answer without the values that differ between servers.
#[derive(Debug, PartialEq)]
pub(super) struct Seen(BTreeMap<&'static str, Value>);

/// The ids of one server in the order of appearance.
#[derive(Default)]
pub(super) struct Redaction(Vec<Uuid>);

impl Redaction {
    pub(super) fn see(&mut self, answer: &Answer, letters: &[Value]) -> Seen {
        let mut seen = BTreeMap::from([("status", json!(answer.status))]);
        for name in HEADERS.iter().filter(|name| answer.headers.contains_key(**name)) {
            let all = answer.headers.get_all(*name).iter().map(|value| value.to_str().unwrap());
            let mut all: Vec<&str> = all.collect();
            all.sort_unstable();
            seen.insert(name, self.text(name, &all.join(", ")));
        }
        let is_redirect = (300..400).contains(&answer.status);
        let body = answer.body_json().map(|body| self.value("", body));
        // The text of Go's library for browsers that do not follow redirects.
        seen.insert("body", body.unwrap_or_else(|| json!(if is_redirect { "" } else { &answer.body })));
        if is_redirect {
            seen.remove("content-type");
        }
        let letters = letters.iter().map(|letter| self.value("", letter["email_data"].clone())).collect();
        seen.insert("letters", Value::Array(letters));
        Seen(seen)
    }

    fn value(&mut self, name: &str, value: Value) -> Value {
        match value {
            Value::Object(fields) => {
                // In the same order on both sides, because ids are numbered by appearance.
                let fields: BTreeMap<String, Value> = fields.into_iter().collect();
                let fields = fields.into_iter().map(|(name, value)| {
                    let value = self.value(&name, value);
                    (name, value)
                });
                Value::Object(fields.collect())
            }
            Value::Array(mut items) => {
                match name {
                    // Independent of the order of rows.
                    "identities" => items.sort_by_key(|item| item["provider"].to_string()),
                    // GoTrue orders them by seconds, so their order within a second is undefined.
                    "amr" => items.sort_by_key(|item| item["method"].to_string()),
                    _ => {}
                }
                items.into_iter().map(|item| self.value(name, item)).collect()
            }
            Value::String(text) => self.text(name, &text),
            Value::Number(_) if TIMES.contains(&name) => json!("[time]"),
            other => other,
        }
    }

    fn text(&mut self, name: &str, text: &str) -> Value {
        if matches!(name, "error_id" | "version") {
            return json!(format!("[{name}]"));
        }
        if let Some(claims) = decoded(text) {
            return self.value("jwt", claims);
        }
        if name == "location" || text.starts_with("http") && text.contains(['?', '#']) {
            return self.address(text);
        }
        if SECRETS.contains(&name) && text.len() > 3 {
            // Two random variants of the same value.
            let length = if name == "qr_code" { String::new() } else { format!(" of {}", text.len()) };
            return json!(format!("[{name}{length}]"));
        }
        // The placeholder of a deleted user's address or number.
        if is_hash(text) || matches!(name, "phone" | "new_phone") && text.chars().any(|letter| !letter.is_ascii_digit())
        {
            return json!(format!("[hash of {}]", text.len()));
        }
        if chrono::DateTime::parse_from_rfc3339(text).is_ok() {
            return json!("[time]");
        }
        json!(self.numbered(text))
    }

    /// An address with its query and fragment parsed.
    fn address(&mut self, text: &str) -> Value {
        let mut parts = text.split(['?', '#']);
        let base = parts.next().unwrap_or_default();
        let mut address = Map::from_iter([("address".to_owned(), json!(base))]);
        for (index, part) in parts.enumerate() {
            let pairs: BTreeMap<String, String> = crate::auth::pairs(part);
            let pairs = pairs.into_iter().map(|(name, value)| {
                let value = match name.as_str() {
                    "state" => json!("[state]"),
                    "redirect_to" => json!(value),
                    _ => self.text(&name, &value),
                };
                (name, value)
            });
            address.insert(format!("part {index}"), Value::Object(pairs.collect()));
        }
        Value::Object(address)
    }

    /// Replaces ids by their numbers.
    fn numbered(&mut self, text: &str) -> String {
        const LENGTH: usize = 36;
        let (mut rest, mut out) = (text, String::new());
        while let Some(first) = rest.chars().next() {
            match rest.get(..LENGTH).and_then(|part| Uuid::try_parse(part).ok()) {
                Some(id) => {
                    let known = self.0.iter().position(|known| *known == id);
                    let number = known.unwrap_or_else(|| {
                        self.0.push(id);
                        self.0.len() - 1
                    });
                    out.push_str(&format!("[id {number}]"));
                    rest = &rest[LENGTH..];
                }
                None => {
                    out.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        out
    }
}

/// Header and claims of a token.
fn decoded(text: &str) -> Option<Value> {
    let parts: Vec<&str> = text.split('.').collect();
    let [header, claims, _] = parts[..] else { return None };
    let part = |part: &str| serde_json::from_slice::<Value>(&BASE64_URL_SAFE_NO_PAD.decode(part).ok()?).ok();
    Some(json!({ "header": part(header)?, "claims": part(claims)? }))
}

/// SHA-256 in base64url.
fn is_hash(text: &str) -> bool {
    text.len() == 43 && BASE64_URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == 32)
}

/// Every difference, with GoTrue's value and ours.
pub(super) fn difference(theirs: &Seen, ours: &Seen) -> String {
    let mut lines = String::new();
    for name in theirs.0.keys().chain(ours.0.keys().filter(|name| !theirs.0.contains_key(*name))) {
        compare(name, theirs.0.get(name), ours.0.get(name), &mut lines);
    }
    lines
}

fn compare(place: &str, theirs: Option<&Value>, ours: Option<&Value>, lines: &mut String) {
    match (theirs, ours) {
        (one, other) if one == other => {}
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            for name in one.keys().chain(other.keys().filter(|name| !one.contains_key(*name))) {
                compare(&format!("{place}/{name}"), one.get(name), other.get(name), lines);
            }
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            for index in 0..one.len().max(other.len()) {
                compare(&format!("{place}/{index}"), one.get(index), other.get(index), lines);
            }
        }
        _ => {
            let text = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
            lines.push_str(&format!("  {place}\n    GoTrue {}\n    ours   {}\n", text(theirs), text(ours)));
        }
    }
}
