//! How often something happens: averages over a minute, as upstream counts.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const BUCKETS: usize = 12;
const BUCKET: Duration = Duration::from_secs(5);

/// A count per second, averaged over the last minute. It takes little memory until it has counted something: every socket has two.
#[derive(Debug)]
pub(crate) struct Meter {
    started: Instant,
    counts: Mutex<Option<Box<Counts>>>,
}

#[derive(Debug, Default)]
struct Counts {
    /// The bucket that is being counted in, since the start.
    current: u64,
    buckets: [u64; BUCKETS],
}

impl Default for Meter {
    fn default() -> Self {
        Meter { started: Instant::now(), counts: Mutex::default() }
    }
}

impl Meter {
    /// Counts `number` events.
    pub(crate) fn add(&self, number: u64) {
        self.count(self.started.elapsed(), number);
    }

    /// Whether there were more than `limit` a second; 0 is no limit.
    pub(crate) fn is_over(&self, limit: u64) -> bool {
        limit > 0 && self.count(self.started.elapsed(), 0) > limit.saturating_mul(BUCKET.as_secs() * BUCKETS as u64)
    }

    /// The average of a second.
    pub(crate) fn average(&self) -> u64 {
        self.count(self.started.elapsed(), 0) / (BUCKET.as_secs() * BUCKETS as u64)
    }

    /// Adds to the current bucket and returns the sum of all.
    #[allow(clippy::cast_possible_truncation)]
    fn count(&self, elapsed: Duration, number: u64) -> u64 {
        let now = elapsed.as_secs() / BUCKET.as_secs();
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.is_none() && number == 0 {
            return 0;
        }
        let counts = counts.get_or_insert_default();
        for passed in (counts.current + 1..=now).take(BUCKETS) {
            counts.buckets[passed as usize % BUCKETS] = 0;
        }
        if now > counts.current + BUCKETS as u64 {
            counts.buckets = [0; BUCKETS];
        }
        counts.current = counts.current.max(now);
        let current = counts.current as usize % BUCKETS;
        counts.buckets[current] += number;
        counts.buckets.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_count_for_a_minute() {
        let meter = Meter::default();
        let at = |seconds, number| meter.count(Duration::from_secs(seconds), number);
        assert_eq!(at(0, 10), 10);
        assert_eq!(at(30, 5), 15);
        assert_eq!(at(59, 0), 15);
        assert_eq!(at(60, 0), 5, "the first bucket is over");
        assert_eq!(at(89, 0), 5);
        assert_eq!(at(90, 0), 0);
        assert_eq!(at(10_000, 1), 1);
    }

    #[test]
    fn a_limit_is_what_may_be_reached() {
        let meter = Meter::default();
        meter.add(60 * 7);
        assert!(!meter.is_over(7) && meter.is_over(6) && !meter.is_over(0));
        assert_eq!(meter.average(), 7);
    }
}
