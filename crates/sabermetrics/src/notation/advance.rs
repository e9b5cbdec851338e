//! The last part of an event: `1-3`, `BX2(74)`, `3-H(UR)`.

use super::{Fielding, Flag, Group};
use crate::model::{Base, Origin};

/// What became of the batter or one runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advance {
    /// Who.
    pub from: Origin,
    /// `-` or `X`.
    pub arrival: Arrival,
    /// The base.
    pub to: Base,
    /// Who fielded, and remarks.
    pub groups: Vec<Group>,
}

/// What stands between the bases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// `-`: safe.
    Safe,
    /// `X`: out, unless an error in the groups negates it.
    Out,
}

impl Advance {
    /// Whether the runner was put out. `1X2(E4)` and `1X2(6E4)` are not outs; `1XH(62)(E8)` is one, as somebody made the
    /// putout in spite of the error.
    #[must_use]
    pub fn puts_out(&self) -> bool {
        let fieldings = || self.groups.iter().filter_map(Group::fielding);
        self.arrival == Arrival::Out && (!fieldings().any(Fielding::has_error) || fieldings().any(Fielding::is_clean))
    }

    /// Whether one of the remarks is this one.
    #[must_use]
    pub fn has(&self, wanted: &Flag) -> bool {
        self.groups.iter().any(|group| group.flag() == Some(wanted))
    }

    /// Whether somebody erred here.
    #[must_use]
    pub fn has_error(&self) -> bool {
        self.groups.iter().filter_map(Group::fielding).any(Fielding::has_error)
    }
}
