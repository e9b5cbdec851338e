//! The last part of an event: `1-3`, `BX2(74)`, `3-H(UR)`.

use super::{Fielding, Flag, Group};
use crate::model::{Base, Origin};

/// The movement of the batter or one runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advance {
    /// The runner.
    pub from: Origin,
    /// `-` or `X`.
    pub arrival: Arrival,
    /// The base.
    pub to: Base,
    /// Fielders and remarks.
    pub groups: Vec<Group>,
}

/// The separator between the bases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// `-`: safe.
    Safe,
    /// `X`: out, unless an error in the groups negates it.
    Out,
}

impl Advance {
    /// True if the runner was put out. `1X2(E4)` and `1X2(6E4)` are not outs; `1XH(62)(E8)` is one, because a fielder
    /// made the putout despite the error.
    #[must_use]
    pub fn puts_out(&self) -> bool {
        let fieldings = || self.groups.iter().filter_map(Group::fielding);
        self.arrival == Arrival::Out && (!fieldings().any(Fielding::has_error) || fieldings().any(Fielding::is_clean))
    }

    /// True if the remark is present.
    #[must_use]
    pub fn has(&self, wanted: &Flag) -> bool {
        self.groups.iter().any(|group| group.flag() == Some(wanted))
    }

    /// True if there was an error.
    #[must_use]
    pub fn has_error(&self) -> bool {
        self.groups.iter().filter_map(Group::fielding).any(Fielding::has_error)
    }
}
