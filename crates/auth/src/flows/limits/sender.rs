//! Limits how many mails and messages the project sends in total.
//!
//! Source: supabase/auth, `internal/ratelimit/`.

use gateway::limits::{Rate, Seconds};
use std::sync::{Mutex, PoisonError};

use crate::config::Allowance;

const HOUR: Seconds = 3600.0;

/// The rest of an allowance.
#[derive(Debug)]
pub(super) struct Sender {
    allowance: Allowance,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    /// Start of the current hour.
    began: Option<Seconds>,
    count: u64,
    /// When the bucket is full again.
    full_at: Option<Seconds>,
}

impl Sender {
    pub(super) fn new(allowance: Allowance) -> Self {
        Sender { allowance, spent: Mutex::default() }
    }

    /// Counts one mail or message.
    ///
    /// # Errors
    /// The seconds to wait.
    pub(super) fn take(&self, now: Seconds) -> Result<(), Seconds> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        match self.allowance {
            Allowance::Hourly(count) => {
                let began = *spent.began.get_or_insert(now);
                if now < began || now - began >= HOUR {
                    // Hours are counted from the first one.
                    let hours = if now < began { 0.0 } else { ((now - began) / HOUR).floor() };
                    spent.began = Some(if now < began { now } else { began + hours * HOUR });
                    spent.count = 0;
                }
                if spent.count >= count {
                    return Err(spent.began.unwrap_or(now) + HOUR - now);
                }
                spent.count += 1;
                Ok(())
            }
            Allowance::Bucket(count, every) => {
                // Allowances are too small for the cast to lose precision.
                #[allow(clippy::cast_precision_loss)]
                let burst = count as f64;
                let rate = Rate { burst, interval: every.as_secs_f64() };
                spent.full_at = Some(rate.take(spent.full_at, now)?);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn hours_and_buckets() {
        let hourly = Sender::new(Allowance::Hourly(2));
        for (now, outcome) in [
            (0.0, Ok(())),
            (10.0, Ok(())),
            (20.0, Err(3580.0)),
            (3599.0, Err(1.0)),
            (3600.0, Ok(())),
            (7300.0, Ok(())),
            (7300.0, Ok(())),
            (7300.0, Err(3500.0)),
        ] {
            assert_eq!(hourly.take(now), outcome, "{now}");
        }
        let bucket = Sender::new(Allowance::Bucket(2, Duration::from_secs(20)));
        let waits = |now: f64| bucket.take(now).err().map_or(0.0, f64::round);
        assert_eq!([0.0, 0.0, 0.0, 20.0, 20.0].map(waits), [0.0, 0.0, 20.0, 0.0, 20.0]);
        assert!(Sender::new(Allowance::Hourly(0)).take(0.0).is_err());
    }
}
