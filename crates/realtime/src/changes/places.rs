//! Sets of changes, by their places in the batch.

use std::ops::{BitAnd, BitOr, BitOrAssign};

/// Changes of one batch, at most.
pub(super) const BATCH: usize = 256;

const BITS: usize = u64::BITS as usize;

/// Some of the changes of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Places([u64; BATCH / BITS]);

impl Places {
    /// Whether the change at `place` is one of them.
    pub(super) fn contains(self, place: usize) -> bool {
        self.0.get(place / BITS).is_some_and(|bits| bits >> (place % BITS) & 1 == 1)
    }

    pub(super) fn is_empty(self) -> bool {
        self == Places::default()
    }
}

/// Places beyond a batch are left out.
impl FromIterator<usize> for Places {
    fn from_iter<I: IntoIterator<Item = usize>>(iter: I) -> Self {
        let mut places = Places::default();
        for place in iter {
            if let Some(bits) = places.0.get_mut(place / BITS) {
                *bits |= 1 << (place % BITS);
            }
        }
        places
    }
}

impl BitOr for Places {
    type Output = Self;

    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl BitOrAssign for Places {
    fn bitor_assign(&mut self, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own |= other;
        }
    }
}

impl BitAnd for Places {
    type Output = Self;

    fn bitand(mut self, other: Self) -> Self {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own &= other;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_kept_up_to_the_end_of_a_batch() {
        let some: Places = [0, 63, 64, BATCH - 1, BATCH].into_iter().collect();
        let contained: Vec<usize> = (0..BATCH + 2).filter(|place| some.contains(*place)).collect();
        assert_eq!(contained, [0, 63, 64, BATCH - 1]);
        let other: Places = [63, 65].into_iter().collect();
        assert_eq!(some & other, [63].into_iter().collect());
        assert_eq!(some | other, [0, 63, 64, 65, BATCH - 1].into_iter().collect());
        assert!((some & [1].into_iter().collect()).is_empty());
    }
}
