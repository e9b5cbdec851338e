//! An answer, and those that need no rows.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::error::{Error, Verbosity, WireForm};
use crate::execute::body::Body;

/// An answer, before the HTTP server's own headers.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers, without a length.
    pub headers: HeaderMap,
    /// The body; `None` is an answer without even a length.
    pub body: Option<Body>,
}

impl Answer {
    pub(super) fn new(status: StatusCode, body: Option<Body>) -> Self {
        Answer { status, headers: HeaderMap::new(), body }
    }

    /// Sets a header; a value that cannot be one is left out.
    pub(crate) fn set(&mut self, name: HeaderName, value: &str) {
        if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
            self.headers.insert(name, value);
        }
    }

    /// An error in PostgREST's shape.
    pub(crate) fn of_error(error: &Error, verbosity: Verbosity) -> Self {
        let WireForm { status, headers, body } = WireForm::of(error, verbosity);
        Answer { status, headers, body: Some(body.into()) }
    }

    /// OPTIONS.
    pub(crate) fn info(allow: &str) -> Self {
        let mut answer = Answer::new(StatusCode::OK, Some(Body::default()));
        answer.set(http::header::ALLOW, allow);
        answer.set(http::header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
        answer
    }
}
