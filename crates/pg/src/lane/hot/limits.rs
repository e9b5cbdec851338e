//! Limits of the hot lane.

use std::time::Duration;

/// `statement_timeout` of this lane, in milliseconds. A read that takes longer is restarted on the exclusive lane.
pub(super) const TIMEOUT_MS: &str = "100";
/// How long the next request may have waited for others; then it and those behind it move to the exclusive lane.
pub(super) const MAX_WAIT: Duration = Duration::from_millis(100);
/// The largest response that is buffered here, in bytes.
pub(super) const MAX_ANSWER: usize = 256 * 1024;
/// How long the server may be silent while it owes responses.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// How many responses a connection may owe; further requests use the exclusive lane.
pub(super) const MAX_IN_FLIGHT: usize = 32;
/// The maximum size of a request's values, in bytes: reading larger ones would delay the other requests.
pub(super) const MAX_VALUES: usize = 16 * 1024;
/// The delay before reconnecting after a failure.
pub(super) const RETRY_AFTER: Duration = Duration::from_millis(500);
/// The delay if the database's defaults make these connections unsuitable.
pub(super) const UNFIT_FOR: Duration = Duration::from_secs(300);
