//! The JSON of a body before it is mapped to parameters.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::surrogates;

/// The content of a body.
#[derive(Debug)]
pub(super) enum Document {
    /// An object with all fields in order, duplicates included.
    Object(Vec<(String, Value)>),
    /// Any other value.
    Other(Value),
}

impl Document {
    /// Parses bytes that are JSON by Go's grammar.
    ///
    /// DEVIATION (stricter): a body that contains a number beyond the range of a double is refused with 400; GoTrue
    /// refuses it only in a field that it reads.
    ///
    /// # Errors
    /// What serde_json refuses although Go's grammar allows it.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        // Like Go, replace invalid UTF-8 in strings, and unpaired surrogates.
        let text = String::from_utf8_lossy(bytes);
        serde_json::from_str(&surrogates::replaced(&text)).map_err(|error| {
            let text = error.to_string();
            if text.starts_with("recursion") { "exceeded max depth".to_owned() } else { text }
        })
    }

    /// True if any string or key contains U+0000, which PostgreSQL cannot store.
    ///
    /// DEVIATION (words): a body that contains U+0000 is refused with 400; GoTrue answers 500.
    pub(super) fn has_nul(&self) -> bool {
        match self {
            Document::Object(fields) => fields.iter().any(|(key, value)| key.contains('\0') || holds_nul(value)),
            Document::Other(value) => holds_nul(value),
        }
    }
}

fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(holds_nul),
        Value::Object(map) => map.iter().any(|(key, value)| key.contains('\0') || holds_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Document;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Document, M::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Document::Object(fields))
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Document, S::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Document::Other(Value::Array(all)))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Document, E> {
        Ok(Document::Other(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Document, E> {
        Ok(Document::Other(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Document, E> {
        Ok(Document::Other(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Document, E> {
        Ok(Document::Other(value.into()))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Document, E> {
        Ok(Document::Other(value.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<Document, E> {
        Ok(Document::Other(Value::Null))
    }
}
