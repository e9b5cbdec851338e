//! Contradictions, at the play where they first show.

use thiserror::Error;

use super::Half;
use crate::model::{Base, Origin, PlayerId};

/// A contradiction between the records.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("record {}: {problem}; {}", .record + 1, .problem.resolution())]
pub struct Contradiction {
    /// Index among the game's records.
    pub record: usize,
    /// The kind.
    pub problem: Problem,
}

/// Kinds of contradictions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// A runner moves from an empty base.
    #[error("no runner is {} to move", origin(*.0))]
    NobodyThere(Origin),
    /// Two runners end on one base.
    #[error("two runners are on {} base", ordinal(*.0))]
    BaseTaken(Base),
    /// A runner moves back.
    #[error("the runner {} moves back", origin(*.0))]
    Backwards(Origin),
    /// A play makes more than three outs.
    #[error("there are {0} outs")]
    TooManyOuts(u8),
    /// A play after the third out in the same half-inning.
    #[error("the half-inning is over")]
    HalfIsOver,
    /// The other side bats before the third out.
    #[error("the {} ends with {outs} out", named(*.half))]
    HalfTooShort {
        /// The half-inning that ended.
        half: Half,
        /// Its outs.
        outs: u8,
    },
    /// The play's half-inning is not the next one.
    #[error("the {} is not the next half-inning", named(*.0))]
    WrongHalf(Half),
    /// The batter is not in the lineup.
    #[error("{0} bats without being in the lineup")]
    NotInLineup(PlayerId),
    /// The batter bats out of turn.
    #[error("{batter} bats, but {due} is due")]
    OutOfTurn {
        /// The actual batter.
        batter: PlayerId,
        /// The batter who is due.
        due: PlayerId,
    },
    /// There is no pitcher.
    #[error("no player pitches")]
    NoPitcher,
    /// A player returns without a rule that allows it.
    #[error("{0} has left the game")]
    CameBack(PlayerId),
    /// A play after the game was decided.
    #[error("the game is over")]
    GameIsOver,
    /// A run on a play whose third out is the batter's before first base, or a force (Official Baseball Rules 5.08(a)).
    #[error("the runner {} scores on a third out that was a force or the batter's before first base", origin(*.0))]
    RunOnThirdOut(Origin),
    /// More runs than the winning one, without a home run that left the field (5.08(b), 9.06(f)).
    #[error("the winning run ends the game, but {0} more score")]
    RunsAfterWinning(u16),
}

impl Problem {
    /// How to resolve it.
    #[must_use]
    pub fn resolution(&self) -> &'static str {
        match self {
            Problem::NobodyThere(_) => "correct an earlier advance so that the runner is there, or remove this one",
            Problem::BaseTaken(_) => "advance the runner ahead, or put one of them out",
            Problem::Backwards(_) => "enter the base that the runner reached, or the one where the runner stayed",
            Problem::TooManyOuts(_) => "remove an out here or earlier in the half-inning, or mark an appeal with /AP",
            Problem::HalfIsOver => "move this play to the next half-inning, or remove an out before it",
            Problem::HalfTooShort { .. } => "add the missing outs, or move this play back into the half-inning",
            Problem::WrongHalf(_) => "enter the next inning and side",
            Problem::NotInLineup(_) => "add the substitution before this play, or enter the player who batted",
            Problem::OutOfTurn { .. } => "enter the player who batted, or mark that the team batted out of turn",
            Problem::NoPitcher => "enter a pitcher before this play",
            Problem::CameBack(_) => "enter another player, or allow re-entry in the game's rules",
            Problem::GameIsOver => "remove this play, or correct the score before it",
            Problem::RunOnThirdOut(_) => "remove the run, or remove an out here or earlier in the half-inning",
            Problem::RunsAfterWinning(_) => "remove the runs after the winning one, or enter a home run",
        }
    }
}

/// Index of the first of `after` that `before` does not have. Places tell contradictions of one kind apart: each earlier
/// one accounts for one at the same place, or for one that moved elsewhere.
#[must_use]
pub fn first_new<P: PartialEq>(before: &[(P, &Problem)], after: &[(P, &Problem)]) -> Option<usize> {
    let mut open: Vec<&(P, &Problem)> = before.iter().collect();
    let mut moved = Vec::new();
    for (index, new) in after.iter().enumerate() {
        match open.iter().position(|old| *old == new) {
            Some(at) => {
                open.swap_remove(at);
            }
            None => moved.push((index, new.1)),
        }
    }
    let mut is_new = |problem: &Problem| match open.iter().position(|old| old.1 == problem) {
        Some(at) => {
            open.swap_remove(at);
            false
        }
        None => true,
    };
    moved.into_iter().find(|(_, problem)| is_new(problem)).map(|(index, _)| index)
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Plate => "at the plate",
        Origin::First => "on first base",
        Origin::Second => "on second base",
        Origin::Third => "on third base",
    }
}

fn ordinal(base: Base) -> &'static str {
    match base {
        Base::First => "first",
        Base::Second => "second",
        Base::Third => "third",
        Base::Home => "home",
    }
}

fn named(half: Half) -> String {
    let part = match half.batting {
        crate::model::Side::Visitor => "visitors' half",
        crate::model::Side::Home => "home team's half",
    };
    format!("{part} of inning {}", half.inning)
}
