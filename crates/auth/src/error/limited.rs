//! Why a request has to wait.

/// A request over a rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limited {
    /// The value of `Retry-After`.
    pub(crate) seconds: i64,
    /// The name of the limit, for the log.
    pub(crate) class: &'static str,
}
