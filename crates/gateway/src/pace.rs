//! Minimum transfer speeds.

use std::time::{Duration, Instant};

/// The minimum speed: `bytes_a_second`, after a `grace` period without any data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// How long no data may arrive. Earlier speed does not extend it.
    pub grace: Duration,
    /// The required speed beyond that.
    pub bytes_a_second: u32,
}

/// The minimum speed of a request body.
pub const BODY: Pace = Pace { grace: Duration::from_secs(10), bytes_a_second: 1024 };
/// The minimum speed at which a client must take a response. The kernel drains its buffer in steps of up to a megabyte.
pub const ANSWER: Pace = Pace { grace: Duration::from_secs(30), bytes_a_second: 1024 };

/// The remaining grace period of one transfer. Only time spent waiting for the peer counts.
#[derive(Debug)]
pub struct Patience {
    pace: Pace,
    left: Duration,
    waiting_since: Option<Instant>,
}

impl Patience {
    /// A new transfer.
    pub fn new(pace: Pace) -> Self {
        Patience { pace, left: pace.grace, waiting_since: None }
    }

    /// Starts waiting for the peer; returns the deadline.
    pub fn wait(&mut self) -> Instant {
        *self.waiting_since.get_or_insert_with(Instant::now) + self.left
    }

    /// The peer sent or took this many bytes.
    pub fn moved(&mut self, bytes: usize) {
        if let Some(since) = self.waiting_since.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        let earned = Duration::from_secs_f64(bytes as f64 / f64::from(self.pace.bytes_a_second));
        self.left = (self.left + earned).min(self.pace.grace);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_earlier_buys_no_stall_later() {
        let pace = Pace { grace: Duration::from_secs(10), bytes_a_second: 1024 };
        let mut patience = Patience::new(pace);
        patience.moved(60 << 20);
        assert!(patience.wait() <= Instant::now() + pace.grace);
        patience.left = Duration::from_secs(2);
        patience.moved(3 * 1024);
        assert!(patience.left > Duration::from_secs(4) && patience.left <= Duration::from_secs(5));
    }
}
