//! A request before it is parsed.

use bytes::Bytes;
use http::{HeaderMap, Method};

/// A request as it came in: everything the later stages may look at.
#[derive(Clone, Copy)]
pub struct Incoming<'a> {
    /// The verb.
    pub method: &'a Method,
    /// The path below the mount point, still percent-encoded, beginning with `/`.
    pub path: &'a str,
    /// The query string without its `?`.
    pub query: &'a str,
    /// The headers.
    pub headers: &'a HeaderMap,
    /// The body, whole.
    pub body: &'a Bytes,
}

/// A header's value, the first one where it was sent several times.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
}
