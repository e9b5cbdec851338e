//! How long the start of the embedded cluster took.

use std::time::Duration;

/// How long the stages of a start took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Finding the binaries, the lock, leftovers of an earlier run, the settings.
    pub prepare: Duration,
    /// Making a new cluster; `None` if there was one.
    pub initdb: Option<Duration>,
    /// From the spawn of the postmaster until it takes connections.
    pub ready: Duration,
}
