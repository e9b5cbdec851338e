//! Why a request has to wait.

/// A request that came too soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limited {
    /// What `Retry-After` says.
    pub(crate) seconds: i64,
    /// Of which limit, for the log.
    pub(crate) class: &'static str,
}
