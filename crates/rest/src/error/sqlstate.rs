//! Maps PostgreSQL's errors to HTTP.
//!
//! Two SQLSTATEs let functions define the response: `PTnnn` is the status nnn, and `PGRST` has code, message, details
//! and hint as JSON in MESSAGE, and status and headers as JSON in DETAIL.

use std::borrow::Cow;
use std::collections::BTreeMap;

use http::header::{HeaderName, HeaderValue};
use http::{HeaderMap, StatusCode};
use pg::DbError;
use serde::Deserialize;

use super::{Error, RaiseProblem};

/// The SQLSTATE of errors with JSON in MESSAGE and DETAIL.
pub(crate) const RAISE: &str = "PGRST";

#[derive(Deserialize)]
struct RaisedMessage {
    code: String,
    message: String,
    details: Option<String>,
    hint: Option<String>,
}

#[derive(Deserialize)]
struct RaisedDetail {
    status: u16,
    /// DEVIATION (missing): the reason phrase of the status line is always the standard one; PostgREST sends `status_text` of
    /// `RAISE SQLSTATE 'PGRST'`, or the message of `PTnnn`.
    #[serde(rename = "status_text")]
    _status_text: Option<String>,
    headers: BTreeMap<String, String>,
}

type Raised = Result<(RaisedMessage, RaisedDetail), RaiseProblem>;

/// The JSON of a `PGRST` error; `None` for other errors.
fn raised(error: &DbError) -> Option<Raised> {
    if error.code != RAISE {
        return None;
    }
    let message = || object(&error.message).ok_or_else(|| RaiseProblem::Message(error.message.clone()));
    let detail = || {
        let text = error.detail.as_ref().ok_or(RaiseProblem::NoDetail)?;
        object(text).ok_or_else(|| RaiseProblem::Detail(text.clone()))
    };
    Some(message().and_then(|message| Ok((message, detail()?))))
}

/// Deserializes a JSON object. (serde would also accept an array for a struct.)
fn object<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    serde_json::from_value(object.into()).ok()
}

/// The code of the body.
pub(crate) fn code(error: &DbError) -> Cow<'static, str> {
    match raised(error) {
        Some(Ok((message, _))) => Cow::Owned(message.code),
        Some(Err(problem)) => Error::RaiseFormat(problem).code(),
        None => Cow::Owned(error.code.clone()),
    }
}

/// The message of the body.
pub(crate) fn message(error: &DbError) -> String {
    match raised(error) {
        Some(Ok((message, _))) => message.message,
        Some(Err(problem)) => Error::RaiseFormat(problem).message(),
        None => error.message.clone(),
    }
}

/// The details of the body.
pub(crate) fn details(error: &DbError) -> Option<String> {
    match raised(error) {
        Some(Ok((message, _))) => message.details,
        Some(Err(problem)) => Error::RaiseFormat(problem).details()?.as_str().map(str::to_owned),
        None => error.detail.clone(),
    }
}

/// The hint of the body.
pub(crate) fn hint(error: &DbError) -> Option<String> {
    match raised(error) {
        Some(Ok((message, _))) => message.hint,
        Some(Err(problem)) => Error::RaiseFormat(problem).hint(),
        None => error.hint.clone(),
    }
}

/// The headers of a `PGRST` error.
pub(crate) fn raised_headers(error: &DbError) -> HeaderMap {
    let Some(Ok((_, detail))) = raised(error) else { return HeaderMap::new() };
    detail
        .headers
        .into_iter()
        .filter_map(|(name, value)| Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?)))
        .collect()
}

/// The status. `authenticated`: the caller has a role other than the anonymous one.
pub fn status(error: &DbError, authenticated: bool) -> StatusCode {
    let number = |code: u16| StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    match raised(error) {
        Some(Ok((_, detail))) => return number(detail.status),
        Some(Err(problem)) => return Error::RaiseFormat(problem).status(),
        None => {}
    }
    if let Some(custom) = error.code.strip_prefix("PT") {
        return number(custom.parse().unwrap_or(500));
    }
    number(match error.code.as_str() {
        "23503" | "23505" => 409,
        "25006" => 405,
        // The library pg-safeupdate refuses a write without conditions.
        "21000" if error.message.ends_with("requires a WHERE clause") => 400,
        "21000" => 500,
        "22023" if error.message.starts_with("role") && error.message.ends_with("does not exist") => 401,
        "53400" | "42P17" => 500,
        "57P01" => 503,
        "P0001" => 400,
        "42883" if error.message.starts_with("function xmlagg(") => 406,
        "42883" | "42P01" => 404,
        "42501" if authenticated => 403,
        "42501" => 401,
        code => by_class(code),
    })
}

fn by_class(code: &str) -> u16 {
    match code.get(..2).unwrap_or_default() {
        "08" | "53" => 503,
        "0L" | "0P" | "28" => 403,
        "09" | "25" | "2D" | "38" | "39" | "3B" | "40" | "54" | "55" | "57" | "58" | "F0" | "HV" | "P0" | "XX" => 500,
        _ => 400,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: &str, message: &str, detail: Option<&str>) -> DbError {
        DbError { code: code.into(), message: message.into(), detail: detail.map(Into::into), ..DbError::default() }
    }

    #[test]
    fn statuses() {
        for (code, message, anonymous, authenticated) in [
            ("08006", "", 503, 503),
            ("09000", "", 500, 500),
            ("0A000", "", 400, 400),
            ("0L000", "", 403, 403),
            ("0P000", "", 403, 403),
            ("21000", "DELETE requires a WHERE clause", 400, 400),
            ("21000", "more than one row", 500, 500),
            ("22P02", "", 400, 400),
            ("22023", "role \"x\" does not exist", 401, 401),
            ("22023", "other", 400, 400),
            ("23502", "", 400, 400),
            ("23503", "", 409, 409),
            ("23505", "", 409, 409),
            ("25006", "", 405, 405),
            ("25001", "", 500, 500),
            ("28000", "", 403, 403),
            ("2D000", "", 500, 500),
            ("38000", "", 500, 500),
            ("39000", "", 500, 500),
            ("3B000", "", 500, 500),
            ("40001", "", 500, 500),
            ("42501", "", 401, 403),
            ("42601", "", 400, 400),
            ("42883", "function f() does not exist", 404, 404),
            ("42883", "function xmlagg(text) does not exist", 406, 406),
            ("42P01", "", 404, 404),
            ("42P17", "", 500, 500),
            ("53300", "", 503, 503),
            ("53400", "", 500, 500),
            ("54001", "", 500, 500),
            ("55000", "", 500, 500),
            ("57014", "", 500, 500),
            ("57P01", "", 503, 503),
            ("58000", "", 500, 500),
            ("F0000", "", 500, 500),
            ("HV000", "", 500, 500),
            ("P0001", "", 400, 400),
            ("P0002", "", 500, 500),
            ("PT402", "Payment Required", 402, 402),
            ("PTabc", "", 500, 500),
            ("PT000", "", 500, 500),
            ("XX000", "", 500, 500),
            ("zz", "", 400, 400),
            ("", "", 400, 400),
        ] {
            let error = error(code, message, None);
            assert_eq!(status(&error, false), anonymous, "{code}");
            assert_eq!(status(&error, true), authenticated, "{code}");
        }
    }

    #[test]
    fn raised_json_decides_everything() {
        let good = error(
            RAISE,
            r#"{"code":"123","message":"ABC","details":"DEF","hint":"XYZ"}"#,
            Some(r#"{"status":332,"headers":{"X-Header":"str"}}"#),
        );
        assert_eq!(status(&good, true), 332);
        assert_eq!((&*code(&good), message(&good).as_str()), ("123", "ABC"));
        assert_eq!(raised_headers(&good)["x-header"], "str");
        let bad = error(RAISE, "INVALID", Some("{}"));
        assert_eq!((status(&bad, true).as_u16(), &*code(&bad)), (500, "PGRST121"));
        assert_eq!(details(&bad).unwrap(), "Invalid JSON value for MESSAGE: 'INVALID'");
        let missing = error(RAISE, r#"{"code":"1","message":"m"}"#, None);
        assert_eq!(details(&missing).unwrap(), "DETAIL is missing in the RAISE statement");
    }
}
