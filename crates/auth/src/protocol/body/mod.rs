//! Request bodies, read as GoTrue reads them: JSON whatever the content type says, unknown fields ignored, names
//! compared without case, `null` the same as absent, and Go's own words for what is wrong.

mod document;
mod surrogates;
mod syntax;

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::Bytes;
use actix_web::{Error, FromRequest, HttpRequest};
use document::Document;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::error::AuthError;

/// The bytes of a request's body, not yet looked at: some endpoints refuse for other reasons first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    bytes: Bytes,
    is_form: bool,
}

/// What an endpoint takes from a body.
pub(crate) trait Params: Default {
    /// What GoTrue calls it; part of its error messages.
    const NAME: &'static str;

    /// The place of the field of this exact name.
    fn field(&mut self, name: &str) -> Option<Field<'_>>;

    /// The names of all fields.
    const FIELDS: &'static [&'static str];
}

/// Where a field's value goes, and with that its type.
pub(crate) enum Field<'a> {
    /// A string; empty when absent.
    Text(&'a mut String),
    /// A string that may be absent.
    OptionalText(&'a mut Option<String>),
    /// An object that may be absent.
    Object(&'a mut Option<Map<String, Value>>),
    /// A list of strings that may be absent.
    Texts(&'a mut Option<Vec<String>>),
    /// A switch; as it was when absent.
    Flag(&'a mut bool),
    /// A switch that may be absent.
    OptionalFlag(&'a mut Option<bool>),
    /// Whatever it is, also `null`.
    Raw(&'a mut Option<Value>),
    /// An id that may be absent.
    Id(&'a mut Option<Uuid>),
}

/// Why a value does not fit its field.
enum Unfit {
    /// Go would have wanted this type.
    Type(&'static str),
    /// Go found this in a list, and would have wanted the other type.
    Item(&'static str, &'static str),
    /// In the words of the type itself.
    Own(String),
}

impl Field<'_> {
    /// Takes the value, or says what Go has against it.
    fn take(self, value: Value) -> Result<(), Unfit> {
        match (self, value) {
            (Field::Raw(place), value) => {
                *place = Some(value);
                Ok(())
            }
            (_, Value::Null) => Ok(()),
            (Field::Text(place), Value::String(text)) => {
                *place = text;
                Ok(())
            }
            (Field::OptionalText(place), Value::String(text)) => {
                *place = Some(text);
                Ok(())
            }
            (Field::Object(place), Value::Object(map)) => {
                place.get_or_insert_default().extend(map);
                Ok(())
            }
            (Field::Texts(place), Value::Array(items)) => {
                let texts = items.into_iter().map(|item| match item {
                    Value::String(text) => Ok(text),
                    Value::Null => Ok(String::new()),
                    other => Err(Unfit::Item(kind(&other), "string")),
                });
                *place = Some(texts.collect::<Result<_, _>>()?);
                Ok(())
            }
            (Field::Flag(place), Value::Bool(flag)) => {
                *place = flag;
                Ok(())
            }
            (Field::Id(place), Value::String(text)) => {
                *place = Some(id(&text)?);
                Ok(())
            }
            (Field::OptionalFlag(place), Value::Bool(flag)) => {
                *place = Some(flag);
                Ok(())
            }
            (Field::Texts(_), _) => Err(Unfit::Type("[]string")),
            (Field::Flag(_) | Field::OptionalFlag(_), _) => Err(Unfit::Type("bool")),
            (Field::Text(_) | Field::OptionalText(_), _) => Err(Unfit::Type("string")),
            (Field::Object(_), _) => Err(Unfit::Type("map[string]interface {}")),
            (Field::Id(_), _) => Err(Unfit::Type("uuid.UUID")),
        }
    }
}

/// An id in one of the forms that Go's gofrs/uuid reads, which are those of the crate.
fn id(text: &str) -> Result<Uuid, Unfit> {
    Uuid::parse_str(text).map_err(|_| {
        let fault = if matches!(text.len(), 32 | 34 | 36 | 38 | 41 | 45) {
            "incorrect UUID format".to_owned()
        } else {
            format!("incorrect UUID length {}", text.len())
        };
        Unfit::Own(format!("uuid: {fault} in string {text:?}"))
    })
}

/// The name of a field as JSON has it, without the mark by which Rust knows it from a keyword.
pub(crate) const fn plain(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}

/// Lists the fields of a parameter struct once.
macro_rules! params {
    ($type:ty as $name:literal { $($field:ident: $kind:ident),* $(,)? }) => {
        impl $crate::protocol::body::Params for $type {
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] = &[$($crate::protocol::body::plain(stringify!($field))),*];

            fn field(&mut self, name: &str) -> Option<$crate::protocol::body::Field<'_>> {
                $(if name == $crate::protocol::body::plain(stringify!($field)) {
                    return Some($crate::protocol::body::Field::$kind(&mut self.$field));
                })*
                None
            }
        }
    };
}
pub(crate) use params;

impl Body {
    /// Whether the client calls it a form; such a body is never read.
    pub(crate) fn is_form(&self) -> bool {
        self.is_form
    }

    /// A body that an endpoint has read itself.
    pub(crate) fn of_json(bytes: Bytes) -> Self {
        Body { bytes, is_form: false }
    }

    /// Whether there is none; a form counts as none.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Reads the body as `P`.
    ///
    /// # Errors
    /// [`AuthError::BadJson`] with the message of Go's `encoding/json`, [`AuthError::NulCharacter`].
    pub(crate) fn parse<P: Params>(&self) -> Result<P, AuthError> {
        syntax::check(&self.bytes).map_err(AuthError::BadJson)?;
        parsed(&self.bytes)
    }

    /// Reads the first value of the body as `P`, and nothing of what may come after it, as some endpoints of GoTrue's do.
    ///
    /// # Errors
    /// [`AuthError::BadJson`] with the message of Go's `json.Decoder`, [`AuthError::NulCharacter`].
    pub(crate) fn parse_first<P: Params>(&self) -> Result<P, AuthError> {
        parsed(syntax::first(&self.bytes).map_err(AuthError::BadJson)?)
    }
}

fn parsed<P: Params>(bytes: &[u8]) -> Result<P, AuthError> {
    let document = Document::read(bytes).map_err(AuthError::BadJson)?;
    if document.has_nul() {
        return Err(AuthError::NulCharacter);
    }
    read(document).map_err(AuthError::BadJson)
}

fn read<P: Params>(document: Document) -> Result<P, String> {
    let mut params = P::default();
    let fields = match document {
        Document::Object(fields) => fields,
        Document::Other(Value::Null) => return Ok(params),
        Document::Other(other) => {
            return Err(format!("json: cannot unmarshal {} into Go value of type api.{}", kind(&other), P::NAME));
        }
    };
    let mut wrong = None;
    for (key, value) in fields {
        let Some(name) = known::<P>(&key) else { continue };
        let found = kind(&value);
        let Some(field) = params.field(name) else { continue };
        let (found, expected) = match field.take(value) {
            Ok(()) => continue,
            Err(Unfit::Own(words)) => return Err(words),
            Err(Unfit::Type(expected)) => (found, expected),
            Err(Unfit::Item(found, expected)) => (found, expected),
        };
        // Go reads on and reports the first.
        wrong.get_or_insert_with(|| {
            format!("json: cannot unmarshal {found} into Go struct field {}.{name} of type {expected}", P::NAME)
        });
    }
    wrong.map_or(Ok(params), Err)
}

fn known<P: Params>(key: &str) -> Option<&'static str> {
    let exact = P::FIELDS.iter().find(|name| **name == key);
    exact.or_else(|| P::FIELDS.iter().find(|name| name.eq_ignore_ascii_case(key))).copied()
}

/// What Go calls such a value.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether the client calls its body a form. GoTrue's logging reads such a body before the endpoint can: the endpoint
/// then finds nothing.
fn is_form(request: &HttpRequest) -> bool {
    let declared = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// DEVIATION: a body of more than 1 MiB is a 413 wherever one is sent; GoTrue answers 400 at some routes, and does not mind at those
/// that read none.
impl FromRequest for Body {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let mut payload = payload.take();
        Box::pin(async move {
            let bytes = gateway::body::read(&request, &mut payload)
                .await
                .map_err(|refusal| gateway::wire::refuse(&request, refusal))?
                .into_bytes();
            Ok(if is_form(&request) {
                Body { bytes: Bytes::new(), is_form: true }
            } else {
                Body { bytes, is_form: false }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq)]
    struct Sample {
        email: String,
        password: Option<String>,
        data: Option<Map<String, Value>>,
        roles: Option<Vec<String>>,
    }
    params!(Sample as "SampleParams" { email: Text, password: OptionalText, data: Object, roles: Texts });

    #[test]
    fn bodies_are_read_as_go_reads_them() {
        let read = |text: &str| match Body::of_json(Bytes::copy_from_slice(text.as_bytes())).parse::<Sample>() {
            Err(AuthError::BadJson(message)) => Err(message),
            other => Ok(other.unwrap()),
        };
        let sample = read(r#"{"EMAIL":"a","password":null,"data":{"x":1},"more":[1]}"#).unwrap();
        assert_eq!((sample.email.as_str(), sample.password), ("a", None));
        assert_eq!(sample.data.unwrap().len(), 1);
        assert_eq!(read("null").unwrap(), Sample::default());
        // A name that comes again counts again.
        let sample = read(r#"{"email":"a","Email":"b","data":{"x":1},"data":{"y":2}}"#).unwrap();
        assert_eq!((sample.email.as_str(), sample.data.unwrap().len()), ("b", 2));
        assert_eq!(read(r#"{"email":"half \ud83d of one"}"#).unwrap().email, "half \u{fffd} of one");
        for (text, message) in [
            ("", "unexpected end of JSON input"),
            (
                r#"{"email":7,"email":"a"}"#,
                "json: cannot unmarshal number into Go struct field SampleParams.email of type string",
            ),
            ("[]", "json: cannot unmarshal array into Go value of type api.SampleParams"),
            (
                r#"{"password":1,"email":true}"#,
                "json: cannot unmarshal number into Go struct field SampleParams.password of type string",
            ),
            (
                r#"{"roles":["a",1]}"#,
                "json: cannot unmarshal number into Go struct field SampleParams.roles of type string",
            ),
            (
                r#"{"data":[]}"#,
                "json: cannot unmarshal array into Go struct field SampleParams.data of type map[string]interface {}",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), message, "{text}");
        }
        let nul = Body { bytes: Bytes::from_static(b"{\"data\":{\"a\":[\"\\u0000\"]}}"), is_form: false };
        assert!(matches!(nul.parse::<Sample>(), Err(AuthError::NulCharacter)));
        let deep = format!("{{\"data\":{}{}}}", "[".repeat(9000), "]".repeat(9000));
        assert_eq!(read(&deep).unwrap_err(), "exceeded max depth");
    }
}
