//! Limits of the hot lane.

use std::time::Duration;

/// `statement_timeout` of this lane, in milliseconds. A read that takes longer begins anew on the exclusive lane.
pub(super) const TIMEOUT_MS: &str = "100";
/// How long a request may have waited for others when it is next; then it and those behind it go elsewhere.
pub(super) const MAX_WAIT: Duration = Duration::from_millis(100);
/// An answer with more bytes than this is not held here.
pub(super) const MAX_ANSWER: usize = 256 * 1024;
/// How long the server may be silent while it owes answers.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Requests a connection may owe answers to; more go to the exclusive lane.
pub(super) const MAX_IN_FLIGHT: usize = 32;
/// Values of a request, in bytes: reading larger ones would keep the others waiting.
pub(super) const MAX_VALUES: usize = 16 * 1024;
/// How long to wait before a connection that could not be made, or had to be given up, is made again.
pub(super) const RETRY_AFTER: Duration = Duration::from_millis(500);
/// The same where the database's own defaults make these connections unfit.
pub(super) const UNFIT_FOR: Duration = Duration::from_secs(300);
