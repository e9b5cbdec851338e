//! A response, and responses that need no rows.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::error::{Error, Verbosity, WireForm};
use crate::execute::body::Body;

/// A response, without the headers of the HTTP server.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers, except Content-Length.
    pub headers: HeaderMap,
    /// The body; `None` for a response without Content-Length.
    pub body: Option<Body>,
}

impl Answer {
    pub(super) fn new(status: StatusCode, body: Option<Body>) -> Self {
        Answer { status, headers: HeaderMap::new(), body }
    }

    /// Sets a header, unless the value is not a valid one.
    pub(crate) fn set(&mut self, name: HeaderName, value: &str) {
        if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
            self.headers.insert(name, value);
        }
    }

    /// An error in PostgREST's format.
    pub(crate) fn of_error(error: &Error, verbosity: Verbosity) -> Self {
        let WireForm { status, headers, body } = WireForm::of(error, verbosity);
        Answer { status, headers, body: Some(body.into()) }
    }

    /// The response to OPTIONS.
    pub(crate) fn info(allow: &str) -> Self {
        let mut answer = Answer::new(StatusCode::OK, Some(Body::default()));
        answer.set(http::header::ALLOW, allow);
        answer.set(http::header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
        answer
    }
}
