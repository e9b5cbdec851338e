//! Outs and runners: the 24 base-out situations.

use crate::replay::{Outcome, Runner};

/// Which bases are occupied, and the number of outs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Situation {
    /// First, second and third base.
    pub occupied: [bool; 3],
    /// 0 to 2.
    pub outs: u8,
}

impl Situation {
    /// Number of situations.
    pub const COUNT: usize = 24;

    /// Nobody on, nobody out.
    pub const START: Situation = Situation { occupied: [false; 3], outs: 0 };

    /// All situations, in the order of [`Situation::index`].
    pub fn all() -> impl Iterator<Item = Situation> {
        (0..Self::COUNT).map(|index| Situation {
            occupied: [1, 2, 4].map(|base| (index / 3) & base > 0),
            outs: u8::try_from(index % 3).unwrap_or(0),
        })
    }

    /// 0 to 23.
    #[must_use]
    pub fn index(self) -> usize {
        let [first, second, third] = self.occupied.map(usize::from);
        (first + 2 * second + 4 * third) * 3 + usize::from(self.outs.min(2))
    }

    /// Before a play; `None` after the third out.
    #[must_use]
    pub fn before(outcome: &Outcome) -> Option<Situation> {
        Self::of(&outcome.bases_before, outcome.outs_before)
    }

    /// After a play; `None` after the third out.
    #[must_use]
    pub fn after(outcome: &Outcome) -> Option<Situation> {
        Self::of(&outcome.bases_after, outcome.outs_after())
    }

    fn of(bases: &[Option<Runner>; 3], outs: u8) -> Option<Situation> {
        (outs < 3).then(|| Situation { occupied: bases.each_ref().map(Option::is_some), outs })
    }

    /// For example `1-3` for runners on first and third.
    #[must_use]
    pub fn bases(self) -> String {
        self.occupied.iter().zip(['1', '2', '3']).map(|(on, base)| if *on { base } else { '-' }).collect()
    }
}

/// Expected runs until the half-inning ends, by situation; `None` if unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunMatrix([Option<f64>; Situation::COUNT]);

impl RunMatrix {
    /// The matrix with these values.
    #[must_use]
    pub fn new(value: impl Fn(Situation) -> Option<f64>) -> Self {
        let mut values = [None; Situation::COUNT];
        for situation in Situation::all() {
            values[situation.index()] = value(situation);
        }
        RunMatrix(values)
    }

    /// Expected runs.
    #[must_use]
    pub fn runs(&self, situation: Situation) -> Option<f64> {
        self.0[situation.index()]
    }

    /// The change by a play, including its runs (RE24).
    #[must_use]
    pub fn change(&self, outcome: &Outcome) -> Option<f64> {
        let before = self.runs(Situation::before(outcome)?)?;
        let after = match Situation::after(outcome) {
            Some(after) => self.runs(after)?,
            None => 0.0,
        };
        Some(after - before + f64::from(outcome.run_count()))
    }
}
