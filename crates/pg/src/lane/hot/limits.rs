//! Limits of the hot lane.

use std::time::Duration;

/// `statement_timeout` of this lane, in milliseconds. A read that takes longer is restarted on the exclusive lane.
pub(super) const TIMEOUT_MS: &str = "100";
/// How long the next request may have waited behind a slow statement; then it and those behind it move to the exclusive lane.
const MAX_WAIT: Duration = Duration::from_millis(100);
/// From this duration on a statement is slow.
const SLOW: Duration = Duration::from_millis(20);
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

/// Whether requests have to leave the connection, after a statement that took so long, when the next has waited for so long.
/// They must not wait for others for long, and those behind a slow statement may be slow as well. If all statements are fast,
/// a long wait means that the machine is busy: new connections would only add to its work.
pub(super) fn is_stuck(took: Duration, waited: Duration) -> bool {
    took >= SLOW && waited > MAX_WAIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_leave_slow_statements_and_not_a_busy_machine() {
        let milliseconds = Duration::from_millis;
        for (took, waited, expected) in [(80, 101, true), (20, 101, true), (80, 100, false), (19, 2000, false)] {
            assert_eq!(is_stuck(milliseconds(took), milliseconds(waited)), expected, "{took} {waited}");
        }
    }
}
