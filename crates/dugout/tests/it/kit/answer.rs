//! A response, and the form in which snapshots store it.

use reqwest::header::HeaderMap;
use serde_json::Value;

/// A response, read to the end.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

/// Headers of the protocol. The others vary between runs or belong to HTTP itself.
const SHOWN: &[&str] = &[
    "allow",
    "content-location",
    "content-range",
    "content-type",
    "location",
    "preference-applied",
    "retry-after",
    "www-authenticate",
    "x-sb-error-code",
    "x-supabase-api-version",
];

impl Answer {
    /// Asserts the status. The failure message shows the body.
    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }

    /// The body, parsed as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {}: {}", self.status, self.body))
    }

    /// The body, if it is JSON.
    pub fn body_json(&self) -> Option<Value> {
        serde_json::from_str(&self.body).ok()
    }

    /// The value of a header; empty if the header is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// Status, headers and body for a snapshot, with placeholders for ids, times and tokens.
    pub fn wire(&self) -> String {
        let mut text = format!("{}\n", self.status);
        for name in SHOWN.iter().filter(|name| self.headers.contains_key(**name)) {
            text.push_str(&format!("{name}: {}\n", self.header(name)));
        }
        let body = match serde_json::from_str(&self.body) {
            Ok(mut json) => {
                redact("", &mut json);
                serde_json::to_string_pretty(&json).unwrap()
            }
            Err(_) => self.body.clone(),
        };
        format!("{text}\n{body}")
    }
}

fn redact(key: &str, value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| redact(key, item)),
        Value::Object(fields) => fields.iter_mut().for_each(|(key, field)| redact(key, field)),
        Value::Number(_) if key == "expires_at" => *value = "[time]".into(),
        Value::String(text) => {
            let kind = if uuid::Uuid::parse_str(text).is_ok() {
                "[uuid]"
            } else if text.starts_with("eyJ") && text.matches('.').count() == 2 {
                "[jwt]"
            } else if key == "refresh_token" {
                "[token]"
            } else if text.len() >= 19
                && text.as_bytes()[10] == b'T'
                && text[..4].bytes().all(|byte| byte.is_ascii_digit())
            {
                "[time]"
            } else {
                return;
            };
            *value = kind.into();
        }
        _ => {}
    }
}
