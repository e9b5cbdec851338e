//! A request before it is parsed.

use bytes::Bytes;
use http::{HeaderMap, Method};

/// A request as received: everything that later stages may read.
#[derive(Clone, Copy)]
pub struct Incoming<'a> {
    /// The method.
    pub method: &'a Method,
    /// The path below the mount point, percent-encoded, with a leading `/`.
    pub path: &'a str,
    /// The query string without its `?`.
    pub query: &'a str,
    /// The headers.
    pub headers: &'a HeaderMap,
    /// The complete body.
    pub body: &'a Bytes,
}

/// The value of a header; the first one if there are several.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
}
