//! What guests may use of the hot lane: all of it while they are alone, a part of it while others read there.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use super::limits::MAX_IN_FLIGHT;

/// How long after a read of somebody else guests leave room for the next one.
const OTHERS_STAY: Duration = Duration::from_secs(60);
/// Answers that a connection may owe while guests ask there and others do too.
const MAX_WITH_GUESTS: usize = MAX_IN_FLIGHT / 2;

/// Knows how long ago somebody who is no guest read on the lane.
pub(super) struct Guests {
    /// Connections that they may use while others read.
    connections: usize,
    begun: Instant,
    /// Milliseconds from `begun` to the end of the time for which guests leave room. 0 where nobody else has read yet.
    room_until: AtomicU64,
}

/// What one request may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// The first so many connections.
    pub(super) connections: usize,
    /// Where fewer answers than this are owed.
    pub(super) in_flight: usize,
}

impl Reach {
    const ALL: Reach = Reach { connections: usize::MAX, in_flight: MAX_IN_FLIGHT };
}

impl Guests {
    /// Guests may use `connections` while others read: all of them for `usize::MAX`, otherwise one at least.
    pub(super) fn new(connections: usize) -> Self {
        Guests { connections: connections.max(1), begun: Instant::now(), room_until: AtomicU64::new(0) }
    }

    /// What a request that comes `now` may use. One of somebody else keeps guests off for a while.
    pub(super) fn reach(&self, is_guest: bool, now: Instant) -> Reach {
        if self.connections == usize::MAX {
            return Reach::ALL;
        }
        let passed = now.saturating_duration_since(self.begun);
        if !is_guest {
            let until = u64::try_from((passed + OTHERS_STAY).as_millis()).unwrap_or(u64::MAX);
            self.room_until.store(until, Ordering::Relaxed);
            return Reach::ALL;
        }
        if passed.as_millis() < u128::from(self.room_until.load(Ordering::Relaxed)) {
            Reach { connections: self.connections, in_flight: MAX_WITH_GUESTS }
        } else {
            Reach::ALL
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_leave_room_while_others_read() {
        let guests = Guests::new(1);
        let at = |seconds| guests.begun + Duration::from_secs(seconds);
        let part = Reach { connections: 1, in_flight: MAX_WITH_GUESTS };
        for (is_guest, seconds, expected) in [
            (true, 0, Reach::ALL),
            (false, 10, Reach::ALL),
            (true, 10, part),
            (false, 50, Reach::ALL),
            (true, 109, part),
            (true, 110, Reach::ALL),
        ] {
            assert_eq!(guests.reach(is_guest, at(seconds)), expected, "guest: {is_guest}, second {seconds}");
        }
    }

    #[test]
    fn guests_have_one_connection_at_least_and_all_without_a_limit() {
        for (limit, connections) in [(0, 1), (2, 2), (usize::MAX, usize::MAX)] {
            let guests = Guests::new(limit);
            guests.reach(false, guests.begun);
            assert_eq!(guests.reach(true, guests.begun).connections, connections);
        }
    }
}
