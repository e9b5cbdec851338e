//! Token buckets, each stored as one number: the time at which it will be full again (the generic cell rate algorithm).

/// Seconds since 1970.
pub type Seconds = f64;

/// The size of a bucket and its refill rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Capacity in tokens.
    pub burst: f64,
    /// Seconds per token.
    pub interval: Seconds,
}

/// The interval of a bucket that never refills: ten years.
const NEVER: Seconds = 315_360_000.0;

impl Rate {
    /// `count` tokens per `period` seconds, with a capacity of `burst`.
    pub fn new(count: f64, period: Seconds, burst: f64) -> Self {
        Rate { burst, interval: if count > 0.0 { (period / count).min(NEVER) } else { NEVER } }
    }

    /// Takes one token from a bucket that is full at `full_at`; returns the new time at which it will be full.
    ///
    /// # Errors
    /// The seconds to wait if it is empty.
    pub fn take(self, full_at: Option<Seconds>, now: Seconds) -> Result<Seconds, Seconds> {
        let capacity = self.burst * self.interval;
        // If the clock was set back, the bucket counts as empty and no emptier.
        let full_at = full_at.unwrap_or(now).clamp(now, now + capacity);
        let next = full_at + self.interval;
        // Tolerates rounding errors.
        let missing = next - (now + capacity);
        if missing > self.interval * 1e-3 + 1e-6 { Err(missing) } else { Ok(next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_and_then_what_flows_in() {
        let rate = Rate::new(30.0, 300.0, 3.0);
        let begin = 1_700_000_000.0;
        let mut full_at = None;
        let mut take = |seconds: f64| match rate.take(full_at, begin + seconds) {
            Ok(next) => {
                full_at = Some(next);
                0.0
            }
            Err(wait) => wait.round(),
        };
        for (at, waits) in [
            (0.0, 0.0),
            (0.0, 0.0),
            (0.0, 0.0),
            (0.0, 10.0),
            (9.0, 1.0),
            (10.0, 0.0),
            (10.0, 10.0),
            // An hour refills the bucket, but not beyond its capacity.
            (3600.0, 0.0),
            (3600.0, 0.0),
            (3600.0, 0.0),
            (3600.0, 10.0),
            // The clock was set back: the bucket is empty, and no emptier than that.
            (0.0, 10.0),
        ] {
            assert_eq!(take(at), waits, "{at}");
        }
    }

    #[test]
    fn zero_never_fills() {
        let rate = Rate::new(0.0, 300.0, 1.0);
        let full_at = rate.take(None, 0.0).unwrap();
        assert!(rate.take(Some(full_at), 86_400.0 * 365.0).is_err());
    }
}
