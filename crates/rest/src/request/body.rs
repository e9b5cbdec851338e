//! Parses the body: JSON, CSV or a form, and its keys.

use std::collections::BTreeSet;

use bytes::Bytes;

use super::csv;
use super::media::MediaType;
use super::query::pairs;
use super::resource::{Action, Invoke, Mutation};
use super::shape::Shape;
use crate::error::Error;

/// A body as the database gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// JSON text: one object, or an array of objects with the same keys.
    Json(Bytes),
    /// A form sent to a function: names and values.
    Form(Vec<(String, String)>),
    /// The only argument of a function, verbatim.
    Raw(Bytes),
}

impl Payload {
    /// The bytes that the database gets as one value.
    pub(crate) fn bytes(&self) -> Bytes {
        match self {
            Payload::Json(bytes) | Payload::Raw(bytes) => bytes.clone(),
            Payload::Form(pairs) => object_of(pairs),
        }
    }
}

/// The payload and its keys. Methods without a body have neither.
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
        // With `columns` the keys are not needed, so the body is not parsed.
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
    // A raw body has no keys.
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

/// The keys of a JSON body that the database gets verbatim, and whether it is an array of objects; `None` for any other
/// body.
pub(crate) fn keys(body: &Bytes) -> Option<(BTreeSet<String>, bool)> {
    let Ok((Payload::Json(bytes), keys)) = json(body) else { return None };
    let is_array = body.trim_ascii_start().starts_with(b"[");
    (bytes == *body && !keys.is_empty()).then_some((keys, is_array))
}

fn json(body: &Bytes) -> Result<(Payload, BTreeSet<String>), Error> {
    let invalid = || Error::InvalidBody("Empty or invalid json".to_owned());
    // The parser skips values, so it does not check their encoding.
    let text = std::str::from_utf8(body).map_err(|_| invalid())?;
    let shape: Shape = serde_json::from_str(text).map_err(|_| invalid())?;
    if has_lone_surrogate(text) {
        return Err(invalid());
    }
    match shape {
        Shape::Object(keys) | Shape::Array(Some(keys)) => Ok((Payload::Json(body.clone()), keys)),
        // A value that is not an object counts as an empty array.
        Shape::Array(None) | Shape::Scalar => Ok((Payload::Json(Bytes::from_static(b"[]")), BTreeSet::new())),
        Shape::Uneven => Err(Error::InvalidBody("All object keys must match".to_owned())),
    }
}

/// Whether valid JSON escapes a lone surrogate, which is not a character. (`JSON.stringify` produces that.)
fn has_lone_surrogate(json: &str) -> bool {
    let unit = |text: &str| text.strip_prefix("\\u").and_then(|rest| u16::from_str_radix(rest.get(..4)?, 16).ok());
    let mut rest = json;
    while let Some(start) = rest.find('\\') {
        let escape = &rest[start..];
        let length = match unit(escape) {
            Some(0xD800..=0xDBFF) => match unit(&escape[6..]) {
                Some(0xDC00..=0xDFFF) => 12,
                _ => return true,
            },
            Some(0xDC00..=0xDFFF) => return true,
            Some(_) => 6,
            None => 2,
        };
        rest = &escape[length..];
    }
    false
}

/// Each row as an object, written while it is read. Rows may be shorter than the header line, if all are.
fn csv_rows(body: &Bytes) -> Result<(Payload, BTreeSet<String>), Error> {
    let text = std::str::from_utf8(body).map_err(|error| Error::InvalidBody(error.to_string()))?;
    let mut columns = None;
    let mut even = true;
    let mut json = vec![b'['];
    let names = csv::read(text, |names, row| {
        let fields = row.len().min(names.len());
        even &= *columns.get_or_insert(fields) == fields;
        if even {
            json.extend_from_slice(if json.len() > 1 { b",{" } else { b"{" });
            for (index, (name, value)) in names.iter().zip(row).enumerate() {
                json.extend_from_slice(if index > 0 { b"," } else { b"" });
                write_json(&mut json, name);
                json.push(b':');
                match value.as_ref() {
                    "NULL" => json.extend_from_slice(b"null"),
                    value => write_json(&mut json, value),
                }
            }
            json.push(b'}');
        }
    });
    let names = names.map_err(Error::InvalidBody)?;
    if !even {
        return Err(Error::InvalidBody("All lines must have same number of fields".to_owned()));
    }
    json.push(b']');
    let keys = names.into_iter().take(columns.unwrap_or(0)).collect();
    Ok((Payload::Json(json.into()), keys))
}

fn write_json(json: &mut Vec<u8>, text: &str) {
    // Writing to memory cannot fail, and neither can writing a string as JSON.
    let _ = serde_json::to_writer(json, text);
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
            (r#"{"a":"\ud83d\ude00 \\ud800 \n"}"#, Ok(vec!["a"])),
            (r#"{"a":"\ud83d"}"#, Err("Empty or invalid json")),
            (r#"[{"a":"\uDE00"}]"#, Err("Empty or invalid json")),
            (r#"{"a":"\ud83d\\ude00"}"#, Err("Empty or invalid json")),
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
