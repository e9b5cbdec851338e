//! Whether requests that are not guests use a lane: only then do guests have to leave room for them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// How long guests leave room for others after the last request of another.
const STAY: Duration = Duration::from_secs(60);

/// Remembers when a request that is not a guest last used the lane.
pub(super) struct Others {
    begun: Instant,
    /// Until when guests leave room, in milliseconds since `begun`; 0 before the first request of others.
    until: AtomicU64,
}

impl Others {
    pub(super) fn new() -> Self {
        Others { begun: Instant::now(), until: AtomicU64::new(0) }
    }

    /// A request that is not a guest uses the lane.
    pub(super) fn came(&self, now: Instant) {
        let until = now.saturating_duration_since(self.begun) + STAY;
        self.until.store(u64::try_from(until.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Whether guests have to leave room.
    pub(super) fn are_here(&self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.begun);
        passed.as_millis() < u128::from(self.until.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_stay_for_a_minute() {
        let others = Others::new();
        let at = |seconds| others.begun + Duration::from_secs(seconds);
        assert!(!others.are_here(at(0)));
        others.came(at(10));
        assert!(others.are_here(at(10)) && others.are_here(at(69)));
        assert!(!others.are_here(at(70)));
    }
}
