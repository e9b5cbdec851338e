//! The share of guests in the hot lane: all of it while they are alone, a part of it while others use it.

use tokio::time::Instant;

use super::limits::MAX_IN_FLIGHT;
use crate::lane::others::Others;

/// How many responses a connection may owe while guests and others use the lane.
const MAX_WITH_GUESTS: usize = MAX_IN_FLIGHT / 2;

/// What guests may use of the lane.
pub(super) struct Guests {
    /// How many connections guests may use while others use the lane.
    connections: usize,
    others: Others,
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
        Guests { connections: connections.max(1), others: Others::new() }
    }

    /// The part that a request may use `now`. A request that is not a guest limits guests for a while.
    pub(super) fn reach(&self, is_guest: bool, now: Instant) -> Reach {
        if self.connections == usize::MAX {
            return Reach::ALL;
        }
        if !is_guest {
            self.others.came(now);
            return Reach::ALL;
        }
        if self.others.are_here(now) {
            Reach { connections: self.connections, in_flight: MAX_WITH_GUESTS }
        } else {
            Reach::ALL
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn guests_leave_room_while_others_read() {
        let (guests, begun) = (Guests::new(1), Instant::now());
        let at = |seconds| begun + Duration::from_secs(seconds);
        let part = Reach { connections: 1, in_flight: MAX_WITH_GUESTS };
        for (is_guest, seconds, expected) in [
            (true, 0, Reach::ALL),
            (false, 10, Reach::ALL),
            (true, 10, part),
            (false, 50, Reach::ALL),
            (true, 109, part),
            (true, 111, Reach::ALL),
        ] {
            assert_eq!(guests.reach(is_guest, at(seconds)), expected, "guest: {is_guest}, second {seconds}");
        }
    }

    #[test]
    fn guests_have_one_connection_at_least_and_all_without_a_limit() {
        for (limit, connections) in [(0, 1), (2, 2), (usize::MAX, usize::MAX)] {
            let guests = Guests::new(limit);
            guests.reach(false, Instant::now());
            assert_eq!(guests.reach(true, Instant::now()).connections, connections);
        }
    }
}
