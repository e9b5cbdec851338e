//! Sums of counters.

use std::marker::PhantomData;
use std::ops::AddAssign;

use super::Counter;

/// The counts of one player or team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<C> {
    counts: [u32; CAPACITY],
    /// A bit per counter whose count is not known.
    unknown: u64,
    counter: PhantomData<C>,
}

/// The maximum number of counters in a set; not more than the bits of `Line::unknown`.
const CAPACITY: usize = 48;

impl<C: Counter> Line<C> {
    /// How often this was counted.
    #[must_use]
    pub fn get(&self, counter: C) -> u32 {
        self.counts.get(counter.index()).copied().unwrap_or(0)
    }

    /// The count, if it is known: not for what an imported line lacks, and not for pitches that nobody recorded.
    #[must_use]
    pub fn known(&self, counter: C) -> Option<u32> {
        let by = counter.recorded_by();
        let unrecorded = !by.is_empty() && by.iter().all(|counter| self.get(*counter) == 0);
        (!unrecorded && self.unknown & bit(counter) == 0).then(|| self.get(counter))
    }

    /// Marks a count as unknown. A sum with an unknown part is unknown, too.
    pub fn set_unknown(&mut self, counter: C) {
        self.unknown |= bit(counter);
    }

    /// Adds to a count.
    pub fn add(&mut self, counter: C, amount: u32) {
        if let Some(count) = self.counts.get_mut(counter.index()) {
            *count = count.saturating_add(amount);
        }
    }

    /// Replaces a count: the official scorer's for the engine's.
    pub fn set(&mut self, counter: C, amount: u32) {
        if let Some(count) = self.counts.get_mut(counter.index()) {
            *count = amount;
        }
    }
}

fn bit<C: Counter>(counter: C) -> u64 {
    u32::try_from(counter.index()).ok().and_then(|index| 1_u64.checked_shl(index)).unwrap_or(0)
}

impl<C> Default for Line<C> {
    fn default() -> Self {
        Line { counts: [0; CAPACITY], unknown: 0, counter: PhantomData }
    }
}

#[expect(clippy::suspicious_op_assign_impl, reason = "a sum with an unknown part is unknown")]
impl<C> AddAssign<&Line<C>> for Line<C> {
    fn add_assign(&mut self, other: &Line<C>) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_add(more);
        }
        self.unknown |= other.unknown;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Batting, Fielding, Pitching, Team};
    use super::*;

    #[test]
    fn what_nobody_recorded_is_unknown() {
        let mut line: Line<Batting> = Line::default();
        line.add(Batting::PlateAppearances, 4);
        assert_eq!((line.known(Batting::Hits), line.known(Batting::Pitches)), (Some(0), None));
        line.add(Batting::PitchedPa, 1);
        assert_eq!(line.known(Batting::Swings), Some(0));
        let mut other = line.clone();
        other.set_unknown(Batting::Hits);
        line += &other;
        assert_eq!((line.known(Batting::Hits), line.known(Batting::PlateAppearances)), (None, Some(8)));
    }

    #[test]
    fn every_counter_fits() {
        assert!(Batting::ALL.len() <= CAPACITY && Pitching::ALL.len() <= CAPACITY && Fielding::ALL.len() <= CAPACITY);
        assert!(Team::ALL.len() <= CAPACITY);
    }
}
