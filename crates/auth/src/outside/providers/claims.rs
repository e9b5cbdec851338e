//! A provider's claims about a user, named as in OpenID Connect. They become the identity's data.
//!
//! Source: supabase/auth, `internal/api/provider/provider.go`, and OpenID Connect Core section 5.1.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};

use crate::model::account::Metadata;

/// The type of a claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Flag,
    /// RFC 3339, or seconds since 1970.
    Time,
    /// One audience or a list of them; stored as a list.
    Audience,
    Object,
}

/// The claims that are kept; others are dropped unless they are requested by name.
const CLAIMS: [(&str, Kind); 29] = [
    ("iss", Kind::Text),
    ("sub", Kind::Text),
    ("aud", Kind::Audience),
    ("iat", Kind::Number),
    ("exp", Kind::Number),
    ("name", Kind::Text),
    ("family_name", Kind::Text),
    ("given_name", Kind::Text),
    ("middle_name", Kind::Text),
    ("nickname", Kind::Text),
    ("preferred_username", Kind::Text),
    ("profile", Kind::Text),
    ("picture", Kind::Text),
    ("website", Kind::Text),
    ("gender", Kind::Text),
    ("birthdate", Kind::Text),
    ("zoneinfo", Kind::Text),
    ("locale", Kind::Text),
    ("updated_at", Kind::Time),
    ("email", Kind::Text),
    ("email_verified", Kind::Flag),
    ("phone", Kind::Text),
    ("phone_verified", Kind::Flag),
    (CUSTOM, Kind::Object),
    // Names from the first versions of the API.
    ("full_name", Kind::Text),
    ("avatar_url", Kind::Text),
    ("slug", Kind::Text),
    ("provider_id", Kind::Text),
    ("user_name", Kind::Text),
];

/// The key that holds provider-specific claims.
const CUSTOM: &str = "custom_claims";

/// Claims by name. Contains no empty values, no unknown names and no wrong types.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Claims(Map<String, Value>);

/// A claim of the wrong type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the claim {0} has a value of another type than it should")]
pub(crate) struct WrongType(&'static str);

impl Claims {
    /// Keeps the known claims of `raw`.
    ///
    /// # Errors
    /// [`WrongType`]
    pub(crate) fn read(raw: &Map<String, Value>) -> Result<Self, WrongType> {
        let mut claims = Map::new();
        for (name, kind) in CLAIMS {
            let Some(value) = raw.get(name) else { continue };
            if let Some(value) = kind.read(value).map_err(|()| WrongType(name))? {
                claims.insert(name.to_owned(), value);
            }
        }
        Ok(Claims(claims))
    }

    /// True if the claim is kept.
    pub(crate) fn knows(name: &str) -> bool {
        CLAIMS.iter().any(|(known, _)| *known == name)
    }

    /// Builds claims from strings; empty ones are left out.
    pub(crate) fn of<'a>(texts: impl IntoIterator<Item = (&'static str, &'a str)>) -> Self {
        let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
        Claims(texts.map(|(name, text)| (name.to_owned(), json!(text))).collect())
    }

    /// Adds provider-specific claims, if there are any.
    pub(crate) fn with_custom(mut self, custom: Map<String, Value>) -> Self {
        if !custom.is_empty() {
            self.0.insert(CUSTOM.to_owned(), Value::Object(custom));
        }
        self
    }

    /// Adds one provider-specific claim.
    pub(crate) fn add_custom(&mut self, name: &str, value: Value) {
        let custom = self.0.entry(CUSTOM).or_insert_with(|| json!({}));
        if let Value::Object(custom) = custom {
            custom.insert(name.to_owned(), value);
        }
    }

    /// Sets a string; an empty one removes the claim.
    pub(crate) fn set(&mut self, name: &str, text: &str) {
        match text {
            "" => self.0.shift_remove(name),
            _ => self.0.insert(name.to_owned(), json!(text)),
        };
    }

    /// Sets the primary address, and whether the provider has verified it.
    pub(crate) fn set_email(&mut self, address: &str, verified: bool) {
        self.set("email", address);
        self.0.insert("email_verified".to_owned(), json!(verified));
    }

    /// The user's id at the provider; empty if there is none.
    pub(crate) fn subject(&self) -> &str {
        self.text("sub")
    }

    /// A string; empty if absent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// A boolean; false if absent.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// All claims, for a mapping.
    pub(crate) fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The claims as stored: the address in lower case, and the verification flags always present.
    pub(crate) fn into_identity_data(self) -> Metadata {
        let mut data = self.0;
        if let Some(Value::String(email)) = data.get_mut("email") {
            *email = email.to_lowercase();
        }
        for name in ["email_verified", "phone_verified"] {
            data.entry(name).or_insert(json!(false));
        }
        data
    }
}

impl Kind {
    /// The value to keep; `None` for an empty one.
    fn read(self, value: &Value) -> Result<Option<Value>, ()> {
        let text = |text: &str| (!text.is_empty()).then(|| json!(text));
        Ok(match (self, value) {
            (_, Value::Null) => None,
            (Kind::Text, Value::String(value)) => text(value),
            (Kind::Number, Value::Number(number)) => (number.as_f64() != Some(0.0)).then(|| value.clone()),
            (Kind::Flag, Value::Bool(flag)) => flag.then(|| value.clone()),
            (Kind::Object, Value::Object(object)) => (!object.is_empty()).then(|| value.clone()),
            (Kind::Audience, Value::String(one)) => Some(json!([one])),
            (Kind::Audience, Value::Array(many)) if many.iter().all(Value::is_string) => {
                (!many.is_empty()).then(|| value.clone())
            }
            (Kind::Time, Value::Number(seconds)) => {
                // Truncated: seconds since 1970 may have decimals.
                let seconds = seconds.as_f64().map(|seconds| seconds as i64);
                Some(time(seconds.and_then(|seconds| DateTime::from_timestamp(seconds, 0)).ok_or(())?))
            }
            (Kind::Time, Value::String(written)) if written.is_empty() => None,
            (Kind::Time, Value::String(written)) => {
                Some(time(DateTime::parse_from_rfc3339(written).map_err(|_| ())?.to_utc()))
            }
            _ => return Err(()),
        })
    }
}

fn time(time: DateTime<Utc>) -> Value {
    json!(time.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: Value) -> Result<Claims, WrongType> {
        Claims::read(raw.as_object().unwrap())
    }

    #[test]
    fn known_claims_of_the_right_type_are_kept() {
        let claims = read(json!({
            "sub": "1", "aud": "us", "iat": 1700000000, "exp": 0, "name": "", "nickname": null, "groups": ["admin"],
            "updated_at": 1700000000.9, "email": "A@X.test", "email_verified": true, "custom_claims": {"a": 1},
        }));
        let data = Value::Object(claims.unwrap().into_identity_data());
        assert_eq!(
            data,
            json!({
                "sub": "1", "aud": ["us"], "iat": 1700000000, "updated_at": "2023-11-14T22:13:20Z", "email": "a@x.test",
                "email_verified": true, "custom_claims": {"a": 1}, "phone_verified": false,
            })
        );
        assert_eq!(
            read(json!({ "updated_at": "2024-01-02T03:04:05+01:00" })).unwrap().text("updated_at"),
            "2024-01-02T02:04:05Z"
        );
    }

    #[test]
    fn claims_of_other_types_are_refused() {
        for (name, raw) in [
            ("sub", json!({ "sub": 1 })),
            ("email_verified", json!({ "email_verified": "true" })),
            ("aud", json!({ "aud": [1] })),
            ("updated_at", json!({ "updated_at": "yesterday" })),
            ("custom_claims", json!({ "custom_claims": [] })),
        ] {
            assert_eq!(read(raw), Err(WrongType(name)));
        }
    }

    #[test]
    fn texts_that_say_nothing_are_left_out() {
        let mut claims = Claims::of([("sub", "1"), ("name", "")]);
        claims.set("full_name", "Ana");
        claims.set_email("", false);
        assert_eq!(claims.as_map().len(), 3);
        claims.set("full_name", "");
        claims.add_custom("hd", json!("x.test"));
        assert_eq!(claims.into_identity_data()["custom_claims"], json!({ "hd": "x.test" }));
    }
}
