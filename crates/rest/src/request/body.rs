//! The body: JSON, CSV or a form, and which keys it has.

use std::collections::BTreeSet;
use std::fmt;

use bytes::Bytes;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::csv;
use super::media::MediaType;
use super::query::pairs;
use super::resource::{Action, Invoke, Mutation};
use crate::error::Error;

/// What the client sent, as the database will get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// JSON text: one object, or an array of objects with the same keys.
    Json(Bytes),
    /// A form sent to a function: names and values.
    Form(Vec<(String, String)>),
    /// The only argument of a function, untouched.
    Raw(Bytes),
}

impl Payload {
    /// The bytes that go to the database as one value.
    pub(crate) fn bytes(&self) -> Bytes {
        match self {
            Payload::Json(bytes) | Payload::Raw(bytes) => bytes.clone(),
            Payload::Form(pairs) => object_of(pairs),
        }
    }
}

/// Payload and keys. Methods without a body have neither.
pub(crate) fn payload(
    body: &Bytes,
    content_type: &MediaType,
    columns: Option<&BTreeSet<String>>,
    action: &Action,
) -> Result<(Option<Payload>, BTreeSet<String>), Error> {
    let (is_call, takes_columns) = match action {
        Action::Call { invoke: Invoke::Post, .. } => (true, true),
        Action::Mutate { mutation: Mutation::Create | Mutation::Update, .. } => (false, true),
        Action::Mutate { mutation: Mutation::SingleUpsert, .. } => (false, false),
        _ => return Ok((None, BTreeSet::new())),
    };
    let columns = columns.filter(|_| takes_columns);
    let (payload, keys) = match (content_type, is_call) {
        // With `columns` nobody needs the keys: the body is not even looked at.
        (MediaType::Json, _) if columns.is_some() => (Payload::Json(body.clone()), BTreeSet::new()),
        (MediaType::Json, true) if body.is_empty() => (Payload::Json(Bytes::from_static(b"{}")), BTreeSet::new()),
        (MediaType::Json, _) => json(body)?,
        (MediaType::Csv, _) => csv_rows(body)?,
        (MediaType::UrlEncoded, is_call) => form(body, is_call),
        (MediaType::Text | MediaType::Xml | MediaType::OctetStream, true) => {
            (Payload::Raw(body.clone()), BTreeSet::new())
        }
        (other, _) => return Err(Error::InvalidBody(format!("Content-Type not acceptable: {}", other.mime()))),
    };
    // A raw body has no keys to choose from.
    let keys = match (&payload, columns, content_type) {
        (Payload::Json(_), Some(columns), MediaType::Json) => columns.clone(),
        _ => keys,
    };
    Ok((Some(payload), keys))
}

fn form(body: &Bytes, is_call: bool) -> (Payload, BTreeSet<String>) {
    let text = String::from_utf8_lossy(body);
    let pairs: Vec<(String, String)> = pairs(text.strip_prefix('?').unwrap_or(&text))
        .into_iter()
        .map(|(key, value)| (key, value.unwrap_or_default()))
        .collect();
    let keys = pairs.iter().map(|(key, _)| key.clone()).collect();
    if is_call { (Payload::Form(pairs), keys) } else { (Payload::Json(object_of(&pairs)), keys) }
}

fn object_of(pairs: &[(String, String)]) -> Bytes {
    let object: serde_json::Map<String, serde_json::Value> =
        pairs.iter().map(|(key, value)| (key.clone(), value.as_str().into())).collect();
    serde_json::Value::Object(object).to_string().into()
}

fn json(body: &Bytes) -> Result<(Payload, BTreeSet<String>), Error> {
    let invalid = || Error::InvalidBody("Empty or invalid json".to_owned());
    // The shape is found without reading the values, so nobody else looks at their encoding.
    let text = std::str::from_utf8(body).map_err(|_| invalid())?;
    let shape: Shape = serde_json::from_str(text).map_err(|_| invalid())?;
    match shape {
        Shape::Object(keys) | Shape::Array(Some(keys)) => Ok((Payload::Json(body.clone()), keys)),
        // Everything that is no object counts as no rows.
        Shape::Array(None) | Shape::Scalar => Ok((Payload::Json(Bytes::from_static(b"[]")), BTreeSet::new())),
        Shape::Uneven => Err(Error::InvalidBody("All object keys must match".to_owned())),
    }
}

/// Each row as an object. A row may be shorter than the line of names, if all are.
fn csv_rows(body: &Bytes) -> Result<(Payload, BTreeSet<String>), Error> {
    let text = std::str::from_utf8(body).map_err(|error| Error::InvalidBody(error.to_string()))?;
    let (names, rows) = csv::read(text).map_err(Error::InvalidBody)?;
    let columns = rows.first().map_or(0, |row| row.len().min(names.len()));
    let mut objects = Vec::with_capacity(rows.len());
    for row in rows {
        if row.len().min(names.len()) != columns {
            return Err(Error::InvalidBody("All lines must have same number of fields".to_owned()));
        }
        let member = |(name, value): (&String, String)| {
            (name.clone(), if value == "NULL" { serde_json::Value::Null } else { value.into() })
        };
        objects.push(serde_json::Value::Object(names.iter().zip(row).map(member).collect()));
    }
    let keys = names.into_iter().take(columns).collect();
    Ok((Payload::Json(serde_json::Value::Array(objects).to_string().into()), keys))
}

/// What matters of a JSON text, found without keeping its values.
#[derive(Debug, PartialEq, Eq)]
enum Shape {
    Object(BTreeSet<String>),
    /// Objects with these keys; `None` for an empty array.
    Array(Option<BTreeSet<String>>),
    /// An array of anything else.
    Uneven,
    Scalar,
}

impl<'de> serde::Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShapeVisitor)
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = Shape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Shape, A::Error> {
        keys_of(map).map(Shape::Object)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Shape, A::Error> {
        let Some(first) = items.next_element::<Element>()? else { return Ok(Shape::Array(None)) };
        let Element(Some(keys)) = first else {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Shape::Uneven);
        };
        let mut even = true;
        while let Some(Element(others)) = items.next_element()? {
            even &= others.as_ref() == Some(&keys);
        }
        Ok(if even { Shape::Array(Some(keys)) } else { Shape::Uneven })
    }

    fn visit_bool<E>(self, _: bool) -> Result<Shape, E> {
        Ok(Shape::Scalar)
    }
    fn visit_i64<E>(self, _: i64) -> Result<Shape, E> {
        Ok(Shape::Scalar)
    }
    fn visit_u64<E>(self, _: u64) -> Result<Shape, E> {
        Ok(Shape::Scalar)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Shape, E> {
        Ok(Shape::Scalar)
    }
    fn visit_str<E>(self, _: &str) -> Result<Shape, E> {
        Ok(Shape::Scalar)
    }
    fn visit_unit<E>(self) -> Result<Shape, E> {
        Ok(Shape::Scalar)
    }
}

fn keys_of<'de, A: MapAccess<'de>>(mut map: A) -> Result<BTreeSet<String>, A::Error> {
    let mut keys = BTreeSet::new();
    while let Some((key, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
        keys.insert(key);
    }
    Ok(keys)
}

/// The keys of an object; `None` for anything else.
struct Element(Option<BTreeSet<String>>);

impl<'de> serde::Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Element(match Shape::deserialize(deserializer)? {
            Shape::Object(keys) => Some(keys),
            _ => None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(body: &'static str, content_type: MediaType) -> Result<(Option<Payload>, BTreeSet<String>), String> {
        let action = Action::Mutate { relation: "t".into(), mutation: Mutation::Create };
        payload(&Bytes::from_static(body.as_bytes()), &content_type, None, &action).map_err(|error| error.message())
    }

    #[test]
    fn keys_must_match() {
        for (body, keys) in [
            (r#"{"a":1,"b":{"c":[1]}}"#, Ok(vec!["a", "b"])),
            (r#"[{"a":1},{"a":[]}]"#, Ok(vec!["a"])),
            ("[]", Ok(vec![])),
            ("7", Ok(vec![])),
            (r#"[{"a":1},{"b":1}]"#, Err("All object keys must match")),
            ("[1]", Err("All object keys must match")),
            (r#"[{"a":1},2]"#, Err("All object keys must match")),
            ("", Err("Empty or invalid json")),
            ("{\"a\":1} x", Err("Empty or invalid json")),
            ("{", Err("Empty or invalid json")),
        ] {
            let found = post(body, MediaType::Json).map(|(_, keys)| keys.into_iter().collect::<Vec<_>>());
            assert_eq!(
                found,
                keys.map(|k| k.into_iter().map(str::to_owned).collect()).map_err(str::to_owned),
                "{body}"
            );
        }
    }

    #[test]
    fn a_body_that_is_no_text_is_no_json() {
        let action = Action::Mutate { relation: "t".into(), mutation: Mutation::Create };
        let body = Bytes::from_static(b"{\"a\":\"\xff\"}");
        let error = payload(&body, &MediaType::Json, None, &action).unwrap_err();
        assert_eq!(error.message(), "Empty or invalid json");
    }

    #[test]
    fn csv_becomes_json() {
        let (payload, keys) = post("a,b\n1,NULL\n\"x,y\",\n", MediaType::Csv).unwrap();
        assert_eq!(payload.unwrap().bytes(), r#"[{"a":"1","b":null},{"a":"x,y","b":""}]"#);
        assert_eq!(keys.len(), 2);
        assert_eq!(post("a,b\n1\n1,2\n", MediaType::Csv).unwrap_err(), "All lines must have same number of fields");
        let (payload, keys) = post("a,b\n1\n2\n", MediaType::Csv).unwrap();
        assert_eq!(payload.unwrap().bytes(), r#"[{"a":"1"},{"a":"2"}]"#);
        assert_eq!(keys.into_iter().collect::<Vec<_>>(), ["a"]);
        assert_eq!(post("a,b\n", MediaType::Csv).unwrap().0.unwrap().bytes(), "[]");
    }

    #[test]
    fn forms_become_objects_and_other_types_are_refused() {
        let (payload, _) = post("a=1&b=x+y", MediaType::UrlEncoded).unwrap();
        assert_eq!(payload.unwrap().bytes(), r#"{"a":"1","b":"x y"}"#);
        let (payload, _) = post("?a=1;b=2&a=3&c", MediaType::UrlEncoded).unwrap();
        assert_eq!(payload.unwrap().bytes(), r#"{"a":"3","b":"2","c":""}"#);
        assert_eq!(post("x", MediaType::Text).unwrap_err(), "Content-Type not acceptable: text/plain");
    }
}
