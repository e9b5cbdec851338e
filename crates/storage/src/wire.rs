//! The wire format: answers to the gateway's refusals, and JSON bodies.

use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use gateway::{Refusal, Wire, body};
use serde_json::{Map, Value};

use crate::error::StorageError;
use crate::refusal::refused;

/// Storage's wire format.
///
/// DEVIATION (words): JSON is `application/json` without a `charset`, which RFC 8259 does not know.
pub(crate) struct StorageWire;

impl Wire for StorageWire {
    fn refuse(&self, request: &HttpRequest, refusal: Refusal) -> HttpResponse {
        refused(request, refusal).error_response()
    }
}

/// A JSON body. With `empty`, an empty body is accepted, as upstream accepts it on some routes.
pub(crate) async fn json(request: &HttpRequest, payload: &mut Payload, empty: bool) -> Result<Fields, StorageError> {
    let bytes = bytes(request, payload).await?;
    if bytes.is_empty() && empty {
        return Ok(Fields(Map::new()));
    }
    match parsed(request, &bytes)? {
        Some(Value::Object(fields)) => Ok(Fields(fields)),
        _ => Err(StorageError::validation("body must be object")),
    }
}

/// Reads the body, up to the limit of its route.
pub(crate) async fn bytes(request: &HttpRequest, payload: &mut Payload) -> Result<body::Held, StorageError> {
    body::read(request, payload).await.map_err(|refusal| refused(request, refusal))
}

/// The JSON of a body, of any kind; null without one.
pub(crate) fn value(request: &HttpRequest, bytes: &[u8]) -> Result<Value, StorageError> {
    Ok(parsed(request, bytes)?.unwrap_or_default())
}

/// JSON; `None` for nothing.
///
/// DEVIATION (words): a body that is no JSON by its type is refused for that; upstream says that it is no object.
fn parsed(request: &HttpRequest, bytes: &[u8]) -> Result<Option<Value>, StorageError> {
    let content_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_json = content_type.to_ascii_lowercase().starts_with("application/json");
    if bytes.is_empty() && is_json {
        let message = "Body cannot be empty when content-type is set to 'application/json'";
        return Err(StorageError::new(400, "FastifyError", "InvalidRequest", message));
    }
    if !is_json && !bytes.is_empty() {
        return Err(StorageError::new(415, "invalid_mime_type", "InvalidMimeType", "Invalid Content-Type header"));
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    let message = "Body is not valid JSON but content-type is set to 'application/json'";
    let wrong = |_| StorageError::new(400, "FastifyError", "InvalidRequest", message);
    serde_json::from_slice(bytes).map(Some).map_err(wrong)
}

/// The members of a JSON body, coerced as upstream's validator does: numbers in strings count as numbers, and so on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// A required string.
    ///
    /// # Errors
    /// If it is missing.
    pub(crate) fn required(&self, name: &str) -> Result<String, StorageError> {
        let missing = || StorageError::validation(format!("body must have required property '{name}'"));
        self.text(name)?.ok_or_else(missing)
    }

    /// An optional string.
    ///
    /// DEVIATION (stricter): a list with one text is no text; upstream takes the text out of the list.
    ///
    /// # Errors
    /// If the value cannot be converted to a string.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, StorageError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Null) => Ok(Some(String::new())),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(value.to_string())),
            Some(_) => Err(StorageError::validation(format!("body/{name} must be string"))),
        }
    }

    /// An optional boolean.
    ///
    /// # Errors
    /// If the value cannot be converted to a boolean.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, StorageError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::Null) => Ok(Some(false)),
            Some(Value::String(text)) if text == "true" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" => Ok(Some(false)),
            Some(Value::Number(number)) if number.as_i64() == Some(1) => Ok(Some(true)),
            Some(Value::Number(number)) if number.as_i64() == Some(0) => Ok(Some(false)),
            Some(_) => Err(StorageError::validation(format!("body/{name} must be boolean"))),
        }
    }

    /// An optional integer.
    ///
    /// # Errors
    /// If the value is not an integer of at least `least`.
    pub(crate) fn integer(&self, name: &str, least: i64) -> Result<Option<i64>, StorageError> {
        let found = match self.get(name) {
            None => return Ok(None),
            Some(Value::Null) => Some(0),
            Some(Value::Bool(flag)) => Some(i64::from(*flag)),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(Value::Number(number)) => whole(number),
            Some(_) => None,
        };
        match found {
            None => Err(StorageError::validation(format!("body/{name} must be integer"))),
            Some(number) if number < least => Err(StorageError::validation(format!("body/{name} must be >= {least}"))),
            number => Ok(number),
        }
    }

    /// An optional list of strings.
    ///
    /// # Errors
    /// If the value is not a list of strings.
    pub(crate) fn texts(&self, name: &str) -> Result<Option<Vec<String>>, StorageError> {
        let Some(found) = self.get(name) else { return Ok(None) };
        let Value::Array(items) = found else {
            // The validator turns a single value into a list.
            return self.text(name).map(|text| text.map(|text| vec![text]));
        };
        let text = |(at, item): (usize, &Value)| match item {
            Value::String(text) => Ok(text.clone()),
            Value::Number(_) | Value::Bool(_) => Ok(item.to_string()),
            Value::Null => Ok(String::new()),
            _ => Err(StorageError::validation(format!("body/{name}/{at} must be string"))),
        };
        items.iter().enumerate().map(text).collect::<Result<_, _>>().map(Some)
    }

    /// An optional object.
    ///
    /// # Errors
    /// If the value is not an object.
    pub(crate) fn object(&self, name: &str) -> Result<Option<Fields>, StorageError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(Fields(fields.clone()))),
            Some(_) => Err(StorageError::validation(format!("body/{name} must be object"))),
        }
    }
}

/// An integer, even if it is written with a fraction of zero.
fn whole(number: &serde_json::Number) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "a double below 2^53 without a fraction")]
    let of_double = |double: f64| (double.fract() == 0.0 && double.abs() < 9e15).then_some(double as i64);
    number.as_i64().or_else(|| number.as_f64().and_then(of_double))
}
