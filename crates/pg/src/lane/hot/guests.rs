//! The share of guests in the hot lane: all of it while they are alone, a part of it while others use it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use super::limits::MAX_IN_FLIGHT;

/// How long guests leave room for others after the last read of another request.
const OTHERS_STAY: Duration = Duration::from_secs(60);
/// How many responses a connection may owe while guests and others use the lane.
const MAX_WITH_GUESTS: usize = MAX_IN_FLIGHT / 2;

/// Remembers when a request that is not a guest last used the lane.
pub(super) struct Guests {
    /// How many connections guests may use while others use the lane.
    connections: usize,
    begun: Instant,
    /// Until when guests leave room, in milliseconds since `begun`; 0 before the first read of others.
    room_until: AtomicU64,
}

/// The part of the lane that one request may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// The number of connections, counted from the first.
    pub(super) connections: usize,
    /// The maximum number of responses that a connection may owe.
    pub(super) in_flight: usize,
}

impl Reach {
    const ALL: Reach = Reach { connections: usize::MAX, in_flight: MAX_IN_FLIGHT };
}

impl Guests {
    /// While others use the lane, guests may use `connections`: all for `usize::MAX`, otherwise at least one.
    pub(super) fn new(connections: usize) -> Self {
        Guests { connections: connections.max(1), begun: Instant::now(), room_until: AtomicU64::new(0) }
    }

    /// The part that a request may use `now`. A request that is not a guest limits guests for a while.
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
