//! Remembers how fast statements were, to decide which may share a connection.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lru::LruCache;

use super::work::Cost;

/// The number of remembered statements, each of a few dozen bytes.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(2048).expect("not zero");
/// The longest mean duration of a fast statement.
const FAST: Duration = Duration::from_millis(2);
/// How many fast runs in a row a statement of unknown cost needs before it may use the hot lane.
const PROBATION: u32 = 4;
/// The same for a statement that was slow on the hot lane.
const LONG_PROBATION: u32 = 64;
/// A larger response, in bytes, would delay those behind it.
const LARGE: usize = 64 * 1024;

/// Statistics of statements, by role and text.
pub(super) struct Shapes {
    seen: Mutex<LruCache<u64, Arc<Shape>>>,
    hasher: RandomState,
}

/// Statistics of one statement.
pub(super) struct Shape {
    /// How many fast runs it still needs before it may share a connection.
    probation: AtomicU32,
    /// The mean duration, in microseconds; recent runs weigh more.
    mean: AtomicU32,
}

impl Shapes {
    pub(super) fn new() -> Self {
        Shapes { seen: Mutex::new(LruCache::new(REMEMBERED)), hasher: RandomState::new() }
    }

    /// The statistics of a statement. Statements with equal hashes share them, which affects speed only.
    pub(super) fn of(&self, role: Option<&str>, text: &str, cost: Cost) -> Arc<Shape> {
        let hash = self.hasher.hash_one((role, text));
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get_or_insert(hash, || Arc::new(Shape::new(cost))).clone()
    }
}

impl Shape {
    fn new(cost: Cost) -> Self {
        let probation = if cost == Cost::ByKey { 0 } else { PROBATION };
        Shape { probation: AtomicU32::new(probation), mean: AtomicU32::new(0) }
    }

    /// Whether the statement may share a connection.
    pub(super) fn is_fast(&self) -> bool {
        self.probation.load(Ordering::Relaxed) == 0
    }

    /// Records a run that took `took` and returned `bytes`.
    pub(super) fn ran(&self, took: Duration, bytes: usize) {
        let took = u32::try_from(took.as_micros()).unwrap_or(u32::MAX).min(1_000_000);
        let mean = self.mean.load(Ordering::Relaxed);
        let mean = if mean == 0 { took } else { (mean / 8).saturating_mul(7).saturating_add(took / 8) };
        self.mean.store(mean, Ordering::Relaxed);
        let left = self.probation.load(Ordering::Relaxed);
        let is_slow = Duration::from_micros(mean.into()) >= FAST || bytes > LARGE;
        match (is_slow, left) {
            (true, 0) => self.probation.store(LONG_PROBATION, Ordering::Relaxed),
            (true, _) => self.probation.store(left.max(PROBATION), Ordering::Relaxed),
            (false, 0) => {}
            (false, _) => self.probation.store(left - 1, Ordering::Relaxed),
        }
    }

    /// Records a run that timed out.
    pub(super) fn timed_out(&self) {
        self.mean.store(1_000_000, Ordering::Relaxed);
        self.probation.store(LONG_PROBATION, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: Duration = Duration::from_micros(300);
    const SLOW: Duration = Duration::from_millis(50);

    #[test]
    fn unknown_statements_become_fast_and_slow_again() {
        let shapes = Shapes::new();
        let shape = shapes.of(Some("anon"), "select 1", Cost::Unknown);
        for _ in 0..PROBATION {
            assert!(!shape.is_fast());
            shape.ran(QUICK, 100);
        }
        assert!(shapes.of(Some("anon"), "select 1", Cost::Unknown).is_fast());
        assert!(!shapes.of(Some("authenticated"), "select 1", Cost::Unknown).is_fast());
        shape.ran(SLOW, 100);
        assert!(!shape.is_fast(), "one very slow run is enough");
        // The mean has to come down first, then the probation runs.
        let runs = (1..).find(|_| {
            shape.ran(QUICK, 100);
            shape.is_fast()
        });
        assert!(runs.unwrap() > LONG_PROBATION);
    }

    #[test]
    fn a_look_up_by_key_starts_fast_until_a_large_response_or_a_timeout() {
        let shape = |text| Shapes::new().of(None, text, Cost::ByKey);
        let key = shape("select 1");
        assert!(key.is_fast());
        key.ran(QUICK, LARGE);
        assert!(key.is_fast());
        key.ran(QUICK, LARGE + 1);
        assert!(!key.is_fast());
        let key = shape("select 2");
        key.timed_out();
        assert!(!key.is_fast());
    }
}
