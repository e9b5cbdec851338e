//! What one play did.

use super::{Half, Runner};
use crate::model::{Base, Origin, PlayerId, Position, Side};
use crate::scoring::{Deed, Reached, Turn};

/// What one play did, with everybody it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Index of the play among the game's records.
    pub record: usize,
    /// The half-inning.
    pub half: Half,
    /// Outs before.
    pub outs_before: u8,
    /// Runners before.
    pub bases_before: [Option<Runner>; 3],
    /// Score before, visitors first.
    pub score_before: [u16; 2],
    /// Who was at the plate.
    pub batter: PlayerId,
    /// The batter's place of the order and position, if the lineup has them.
    pub slot: Option<(u8, Position)>,
    /// Who is charged with how the turn ended: on a strikeout perhaps somebody who left.
    pub charged_batter: PlayerId,
    /// Who pitched.
    pub pitcher: PlayerId,
    /// Who is charged with how the turn ended: on a walk perhaps somebody who left.
    pub charged_pitcher: PlayerId,
    /// How the turn ended; `None` if it goes on.
    pub turn: Option<Turn>,
    /// Everybody who moved or was put out: runners from third to first, then the batter.
    pub moves: Vec<RunnerMove>,
    /// Outs of this play that count.
    pub outs: u8,
    /// The players at positions 1 to 9.
    pub fielders: [Option<PlayerId>; 9],
    /// Who fielded.
    pub credits: Vec<FieldingCredit>,
    /// The play counts as a double or triple play.
    pub multiple_play: bool,
    /// Runners after the play.
    pub bases_after: [Option<Runner>; 3],
}

/// What became of the batter or one runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerMove {
    /// Who, and which pitcher answers.
    pub runner: Runner,
    /// From where.
    pub from: Origin,
    /// To where.
    pub reached: Reached,
    /// A run batted in.
    pub batted_in: bool,
    /// What the scorer's remark says of a run.
    pub remark: RunRemark,
    /// An error or passed ball made this movement possible, by the play's own text.
    pub on_error: bool,
}

/// `(UR)` and `(TUR)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunRemark {
    /// Nothing is said: earned, if the scorer says such things.
    Silent,
    /// `UR`
    Unearned,
    /// `TUR`
    TeamUnearned,
}

/// A credit with the player's name on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldingCredit {
    /// Who; `None` where the lineup has nobody there.
    pub player: Option<PlayerId>,
    /// Position, 1 to 9.
    pub position: u8,
    /// What for.
    pub deed: Deed,
}

impl Outcome {
    /// The team at bat.
    #[must_use]
    pub fn batting(&self) -> Side {
        self.half.batting
    }

    /// The moves that scored.
    pub fn runs(&self) -> impl Iterator<Item = &RunnerMove> {
        self.moves.iter().filter(|one| one.scored())
    }

    /// Number of runs.
    #[must_use]
    pub fn run_count(&self) -> u16 {
        u16::try_from(self.runs().count()).unwrap_or(u16::MAX)
    }

    /// Outs after the play.
    #[must_use]
    pub fn outs_after(&self) -> u8 {
        self.outs_before + self.outs
    }
}

impl RunnerMove {
    /// Whether a run scored.
    #[must_use]
    pub fn scored(&self) -> bool {
        self.reached == Reached::Safe(Base::Home)
    }

    /// Whether the runner was put out.
    #[must_use]
    pub fn is_out(&self) -> bool {
        matches!(self.reached, Reached::Out(_))
    }
}
