//! How long the start of the embedded cluster took.

use std::time::Duration;

/// How long the stages of a start took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Finding the binaries, locking, ending processes of an earlier run, writing the settings.
    pub prepare: Duration,
    /// Creating a new cluster; `None` if there was one.
    pub initdb: Option<Duration>,
    /// From spawning the postmaster until it accepts connections.
    pub ready: Duration,
}
