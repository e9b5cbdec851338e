//! Request bodies, parsed as in GoTrue: as JSON whatever the content type says, unknown fields ignored, names compared
//! case-insensitively, `null` equal to absent, and Go's error messages.

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

/// The unparsed bytes of a request body: some endpoints check other things first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    bytes: Bytes,
    is_form: bool,
}

/// The parameters of an endpoint.
pub(crate) trait Params: Default {
    /// The name of GoTrue's struct; part of its error messages.
    const NAME: &'static str;

    /// The field with exactly this name.
    fn field(&mut self, name: &str) -> Option<Field<'_>>;

    /// The names of all fields.
    const FIELDS: &'static [&'static str];
}

/// The target of a field's value, which determines its type.
pub(crate) enum Field<'a> {
    /// A string; empty if absent.
    Text(&'a mut String),
    /// An optional string.
    OptionalText(&'a mut Option<String>),
    /// An optional object.
    Object(&'a mut Option<Map<String, Value>>),
    /// An optional list of strings.
    Texts(&'a mut Option<Vec<String>>),
    /// A boolean; keeps its default if absent.
    Flag(&'a mut bool),
    /// An optional boolean.
    OptionalFlag(&'a mut Option<bool>),
    /// Any value, including `null`.
    Raw(&'a mut Option<Value>),
    /// An optional UUID.
    Id(&'a mut Option<Uuid>),
}

/// Why a value does not fit its field.
enum Unfit {
    /// Go expected this type.
    Type(&'static str),
    /// Go found this type in a list, and expected the other one.
    Item(&'static str, &'static str),
    /// The message of the type itself.
    Own(String),
}

impl Field<'_> {
    /// Stores the value, or returns Go's error.
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

/// A UUID in one of the forms that Go's gofrs/uuid accepts, which are those of the uuid crate.
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

/// The JSON name of a field: without the prefix of a raw identifier.
pub(crate) const fn plain(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}

/// Declares the fields of a parameter struct.
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
    /// True if the content type is a form; such a body is never parsed.
    pub(crate) fn is_form(&self) -> bool {
        self.is_form
    }

    /// A body that an endpoint has read itself.
    pub(crate) fn of_json(bytes: Bytes) -> Self {
        Body { bytes, is_form: false }
    }

    /// True if there is no body; a form counts as none.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Parses the body as `P`.
    ///
    /// # Errors
    /// [`AuthError::BadJson`] with the message of Go's `encoding/json`, [`AuthError::NulCharacter`].
    pub(crate) fn parse<P: Params>(&self) -> Result<P, AuthError> {
        syntax::check(&self.bytes).map_err(AuthError::BadJson)?;
        parsed(&self.bytes)
    }

    /// Parses the first value of the body as `P` and ignores what follows, as some of GoTrue's endpoints do.
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
        // Go reads all fields and reports the first error.
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

/// Go's name for the type of a value.
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

/// True if the content type is a form. GoTrue's logging consumes such a body, so the endpoint finds it empty.
fn is_form(request: &HttpRequest) -> bool {
    let declared = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// DEVIATION (words): a body of more than 1 MiB always answers 413; on some routes GoTrue answers 400, and routes that
/// read no body accept it.
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
        // The last duplicate key wins.
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
