//! The time, which tests can set.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};

/// The clock. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Milliseconds by which tests have moved the clock.
    offset: Arc<AtomicI64>,
}

impl Clock {
    /// Now.
    pub fn now(&self) -> DateTime<Utc> {
        Utc::now() + TimeDelta::milliseconds(self.offset.load(Ordering::Relaxed))
    }

    /// Seconds since 1970.
    pub fn unix(&self) -> i64 {
        self.now().timestamp()
    }

    /// Moves the clock, for tests of expiry.
    pub fn advance(&self, by: TimeDelta) {
        self.offset.fetch_add(by.num_milliseconds(), Ordering::Relaxed);
    }
}
