//! The claims of a verified token.

use std::sync::Arc;

use serde_json::{Map, Value};
use uuid::Uuid;

/// Claims, kept both as the text that was signed and as a map.
///
/// The text goes to PostgreSQL as `request.jwt.claims`, so that numbers and order arrive as they were issued.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    text: Arc<str>,
    map: Arc<Map<String, Value>>,
}

impl Claims {
    /// Claims from the decoded payload of a token; `None` if it is not a JSON object.
    pub fn parse(text: &str) -> Option<Self> {
        let map: Map<String, Value> = serde_json::from_str(text).ok()?;
        Some(Claims { text: text.into(), map: Arc::new(map) })
    }

    /// Claims that we create ourselves, such as the role of an anonymous request.
    pub fn from_map(map: Map<String, Value>) -> Self {
        let text = Value::Object(map.clone()).to_string();
        Claims { text: text.into(), map: Arc::new(map) }
    }

    /// The text as signed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as signed, without the map.
    pub fn into_text(self) -> Arc<str> {
        self.text
    }

    /// All claims.
    pub fn map(&self) -> &Map<String, Value> {
        &self.map
    }

    /// A claim.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.map.get(name)
    }

    /// A claim that is a non-empty string.
    pub fn string(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// `sub`, if it is a UUID.
    pub fn subject(&self) -> Option<Uuid> {
        self.string("sub").and_then(|text| Uuid::parse_str(text).ok())
    }

    /// `session_id`, which GoTrue puts into every access token.
    pub fn session_id(&self) -> Option<Uuid> {
        self.string("session_id").and_then(|text| Uuid::parse_str(text).ok())
    }
}
