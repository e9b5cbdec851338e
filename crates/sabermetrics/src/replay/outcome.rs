//! The result of one play.

use super::{Half, Runner};
use crate::model::{Base, Origin, PlayerId, Position, Side};
use crate::scoring::{Deed, Reached, Turn};

/// The result of one play, with all players involved.
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
    /// The batter.
    pub batter: PlayerId,
    /// The batter's place in the order and position, if in the lineup.
    pub slot: Option<(u8, Position)>,
    /// The player charged with the end of the turn: on a strikeout possibly one who left.
    pub charged_batter: PlayerId,
    /// The pitcher.
    pub pitcher: PlayerId,
    /// The pitcher charged with the end of the turn: on a walk possibly one who left.
    pub charged_pitcher: PlayerId,
    /// How the turn ended; `None` if it continues.
    pub turn: Option<Turn>,
    /// All movements and outs: runners from third to first, then the batter.
    pub moves: Vec<RunnerMove>,
    /// The outs of this play that count.
    pub outs: u8,
    /// The players at positions 1 to 9.
    pub fielders: [Option<PlayerId>; 9],
    /// Fielding credits.
    pub credits: Vec<FieldingCredit>,
    /// The play counts as a double or triple play.
    pub multiple_play: bool,
    /// Runners after the play.
    pub bases_after: [Option<Runner>; 3],
}

/// The movement of the batter or one runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerMove {
    /// The runner, with the responsible pitcher.
    pub runner: Runner,
    /// From where.
    pub from: Origin,
    /// To where.
    pub reached: Reached,
    /// A run batted in.
    pub batted_in: bool,
    /// The scorer's remark about a run.
    pub remark: RunRemark,
    /// True if an error or passed ball made this movement possible, by the play's own text.
    pub on_error: bool,
}

/// `(UR)` and `(TUR)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunRemark {
    /// No remark: earned, if the scorer uses such remarks.
    Silent,
    /// `UR`
    Unearned,
    /// `TUR`
    TeamUnearned,
}

/// A fielding credit with its player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldingCredit {
    /// The player; `None` if the lineup has none at the position.
    pub player: Option<PlayerId>,
    /// Position, 1 to 9.
    pub position: u8,
    /// The kind of credit.
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
    /// True if a run scored.
    #[must_use]
    pub fn scored(&self) -> bool {
        self.reached == Reached::Safe(Base::Home)
    }

    /// True if the runner was put out.
    #[must_use]
    pub fn is_out(&self) -> bool {
        matches!(self.reached, Reached::Out(_))
    }
}
