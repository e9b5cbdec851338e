//! One play line.

use smol_str::SmolStr;

use super::{PlayerId, Side};
use crate::notation::{Event, Pitches};

/// What happened during a plate appearance, or to one of the runners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// Inning, from 1.
    pub inning: u8,
    /// The team at bat.
    pub side: Side,
    /// The batter.
    pub batter: PlayerId,
    /// Balls and strikes when the play began.
    pub count: Count,
    /// The pitches so far.
    pub pitches: Pitches,
    /// What happened.
    pub event: Event,
}

impl Play {
    /// Forgets spellings of other programs: the play is printed in today's notation.
    pub fn respell(&mut self) {
        self.event.respell();
        if self.count.as_str().is_empty() {
            self.count = Count::unknown();
        }
    }
}

/// Balls and strikes as written: `32`, `??` or nothing for unknown, `3?` for half known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count(pub(crate) SmolStr);

impl Count {
    /// An unknown count.
    #[must_use]
    pub fn unknown() -> Self {
        Count(SmolStr::new_inline("??"))
    }

    /// Balls (0 to 3) and strikes (0 to 2), if both are known.
    #[must_use]
    pub fn known(&self) -> Option<(u8, u8)> {
        match self.0.as_bytes() {
            [balls @ b'0'..=b'9', strikes @ b'0'..=b'9'] => Some((balls - b'0', strikes - b'0')),
            _ => None,
        }
    }

    /// The text of the line.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
