//! What a request's transaction is told about the request: role, claims, headers.

use pg::{Ident, Session};
use serde_json::{Map, Value};

use crate::State;
use crate::plan::DbPlan;
use crate::request::{ApiRequest, Incoming};

/// Who makes the request.
#[derive(Clone, Copy, Debug)]
pub struct Who<'a> {
    /// The database role.
    pub role: &'a str,
    /// What the token says.
    pub claims: &'a Map<String, Value>,
}

/// Role and settings, as SQL finds them by `current_setting('request.…')`.
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
    let mut claims = who.claims.clone();
    claims.insert("role".to_owned(), who.role.into());
    session.set("request.jwt.claims", Value::Object(claims).to_string());
    session.set("request.method", incoming.method.as_str());
    session.set("request.path", incoming.path);
    let (headers, cookies) = headers(incoming);
    session.set("request.headers", Value::Object(headers).to_string());
    session.set("request.cookies", Value::Object(cookies).to_string());
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

/// Headers by name in lower case, and the cookies apart from them.
fn headers(incoming: Incoming<'_>) -> (Map<String, Value>, Map<String, Value>) {
    let mut headers = Map::new();
    let mut cookies = Map::new();
    for (name, value) in incoming.headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        if name == http::header::COOKIE {
            for pair in value.split(';') {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                cookies.insert(name.trim_start().to_owned(), value.into());
            }
        } else {
            headers.insert(name.as_str().to_owned(), value.into());
        }
    }
    (headers, cookies)
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
        let (headers, cookies) = headers(incoming);
        assert_eq!(Value::Object(headers).to_string(), r#"{"x-custom":"v"}"#);
        assert_eq!(Value::Object(cookies).to_string(), r#"{"a":"1","b":"x=y","c":""}"#);
    }
}
