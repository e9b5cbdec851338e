//! Sums of counters.

use std::marker::PhantomData;
use std::ops::AddAssign;

use super::Counter;

/// The counts of one player or team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<C> {
    counts: [u32; CAPACITY],
    counter: PhantomData<C>,
}

/// The maximum number of counters in a set.
const CAPACITY: usize = 48;

impl<C: Counter> Line<C> {
    /// How often this was counted.
    #[must_use]
    pub fn get(&self, counter: C) -> u32 {
        self.counts.get(counter.index()).copied().unwrap_or(0)
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

impl<C> Default for Line<C> {
    fn default() -> Self {
        Line { counts: [0; CAPACITY], counter: PhantomData }
    }
}

impl<C> AddAssign<&Line<C>> for Line<C> {
    fn add_assign(&mut self, other: &Line<C>) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_add(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Batting, Fielding, Pitching};
    use super::*;

    #[test]
    fn every_counter_fits() {
        assert!(Batting::ALL.len() <= CAPACITY && Pitching::ALL.len() <= CAPACITY && Fielding::ALL.len() <= CAPACITY);
    }
}
