//! Role and settings of a request's transaction: claims, headers, path.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gateway::Claims;
use pg::{Ident, Session};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::state::State;
use crate::plan::DbPlan;
use crate::request::{ApiRequest, Incoming};

/// The caller of a request.
#[derive(Clone, Copy, Debug)]
pub struct Who<'a> {
    /// The database role.
    pub role: &'a str,
    /// The claims of the token.
    pub claims: &'a Claims,
    /// How long verifying the token took.
    pub took: std::time::Duration,
}

/// Role and settings; SQL reads them with `current_setting('request.…')`.
pub(crate) fn session(
    state: &State,
    incoming: Incoming<'_>,
    request: &ApiRequest,
    plan: Option<&DbPlan>,
    who: Who<'_>,
) -> Session {
    let mut session = Session::new(who.role);
    let path = std::iter::once(&request.schema).chain(&state.config.db_extra_search_path);
    let path: Vec<String> = path.map(|schema| Ident::new(schema).to_string()).collect();
    session.set("search_path", path.join(", "));
    for (name, value) in state.roles.of(who.role) {
        session.set(name.clone(), value);
    }
    session.set("request.jwt.claims", claims(who));
    session.set("request.method", incoming.method.as_str());
    session.set("request.path", incoming.path);
    session.set("request.headers", headers(incoming));
    session.set("request.cookies", cookies(incoming));
    if let Some(timezone) = &request.prefer.timezone {
        session.set("timezone", timezone);
    }
    if let Some(routine) = plan.and_then(DbPlan::routine) {
        for (name, value) in routine.settings.iter().filter(|(name, _)| name != "default_transaction_isolation") {
            session.set(name.clone(), value);
        }
    }
    for (name, value) in &state.config.app_settings {
        session.set(name.clone(), value);
    }
    session
}

/// The claims, with `role` set to the current role. If the token has that role, the claims are passed on as they were
/// signed.
fn claims(who: Who<'_>) -> String {
    if who.claims.get("role").and_then(Value::as_str) == Some(who.role) {
        return who.claims.text().to_owned();
    }
    // The other claims keep their text: a number may have more digits than `f64` or `i64` can represent.
    let mut claims: BTreeMap<Cow<'_, str>, &RawValue> = serde_json::from_str(who.claims.text()).unwrap_or_default();
    let role = to_raw_value(who.role).unwrap_or_default();
    claims.insert("role".into(), &role);
    serde_json::to_string(&claims).unwrap_or_default()
}

/// Headers as a JSON object: lower-case names, the last of duplicate headers, without cookies.
fn headers(incoming: Incoming<'_>) -> String {
    let mut json = String::with_capacity(1024);
    for name in incoming.headers.keys().filter(|name| *name != http::header::COOKIE) {
        let Some(value) = incoming.headers.get_all(name).iter().next_back() else { continue };
        json.push(if json.is_empty() { '{' } else { ',' });
        push_json(&mut json, name.as_str());
        json.push(':');
        match std::str::from_utf8(value.as_bytes()) {
            Ok(text) => push_json(&mut json, text),
            Err(_) => push_json(&mut json, &String::from_utf8_lossy(value.as_bytes())),
        }
    }
    json.push_str(if json.is_empty() { "{}" } else { "}" });
    json
}

/// Appends a string as JSON. Most headers need no escapes.
fn push_json(json: &mut String, text: &str) {
    // A loop without an early exit can be vectorised.
    let escapes = |any, byte| any | matches!(byte, b'"' | b'\\' | 0..=0x1f);
    if text.bytes().fold(false, escapes) {
        json.push_str(&Value::from(text).to_string());
    } else {
        json.push('"');
        json.push_str(text);
        json.push('"');
    }
}

/// The cookies as a JSON object.
fn cookies(incoming: Incoming<'_>) -> String {
    let mut cookies = Map::new();
    for value in incoming.headers.get_all(http::header::COOKIE) {
        for pair in String::from_utf8_lossy(value.as_bytes()).split(';') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            cookies.insert(name.trim().to_owned(), value.trim().into());
        }
    }
    Value::Object(cookies).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_apart() {
        let mut all = http::HeaderMap::new();
        all.insert("cookie", "a=1; b=x=y; c".parse().unwrap());
        all.insert("X-Custom", "v".parse().unwrap());
        let incoming =
            Incoming { method: &http::Method::GET, path: "/", query: "", headers: &all, body: &bytes::Bytes::new() };
        assert_eq!(headers(incoming), r#"{"x-custom":"v"}"#);
        assert_eq!(cookies(incoming), r#"{"a":"1","b":"x=y","c":""}"#);
    }

    #[test]
    fn headers_are_json_whatever_is_in_them() {
        let mut all = http::HeaderMap::new();
        for value in ["first", "a \"quoted\" \\ one\tand a tab"] {
            all.append("x-custom", value.parse().unwrap());
        }
        all.insert("x-bytes", http::HeaderValue::from_bytes(b"\xff\xc3\xa4").unwrap());
        let none = http::HeaderMap::new();
        let incoming =
            Incoming { method: &http::Method::GET, path: "/", query: "", headers: &all, body: &bytes::Bytes::new() };
        let found: Value = serde_json::from_str(&headers(incoming)).unwrap();
        assert_eq!(found, serde_json::json!({"x-custom": "a \"quoted\" \\ one\tand a tab", "x-bytes": "\u{fffd}ä"}));
        let incoming = Incoming { headers: &none, ..incoming };
        assert_eq!((headers(incoming).as_str(), cookies(incoming).as_str()), ("{}", "{}"));
    }

    #[test]
    fn the_role_in_force_is_among_the_claims() {
        let signed = Claims::parse(r#"{ "n": 1.50, "role": "ana" }"#).unwrap();
        assert_eq!(
            claims(Who { role: "ana", claims: &signed, took: std::time::Duration::ZERO }),
            r#"{ "n": 1.50, "role": "ana" }"#
        );
        for (signed, written) in [
            (r#"{ "n": 1.50, "role": "ana" }"#, r#"{"n":1.50,"role":"anon"}"#),
            (
                r#"{"n": 12345678901234567890.5, "o": [1e30]}"#,
                r#"{"n":12345678901234567890.5,"o":[1e30],"role":"anon"}"#,
            ),
            (r#"{"a\"b": "\u00e4", "a": 1, "a": 2}"#, r#"{"a":2,"a\"b":"\u00e4","role":"anon"}"#),
        ] {
            let signed = Claims::parse(signed).unwrap();
            assert_eq!(claims(Who { role: "anon", claims: &signed, took: std::time::Duration::ZERO }), written);
        }
    }
}
