//! The state of a game.

use super::{Lineup, TurnState};
use crate::model::{Base, PlayerId, Side};

/// The state of a game after a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The half-inning.
    pub half: Half,
    /// Outs in this half-inning, 0 to 3. After the third out the half-inning stays until the other side bats.
    pub outs: u8,
    /// The runners on first, second and third.
    pub bases: [Option<Runner>; 3],
    /// Runs of the visitors and the home team.
    pub score: [u16; 2],
    /// The lineups, visitors first.
    pub lineups: [Lineup; 2],
    /// The current turn at bat.
    pub turn: TurnState,
    /// The id of the next runner to reach base.
    pub(super) next_runner: RunnerId,
}

/// A half-inning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Half {
    /// From 1.
    pub inning: u8,
    /// The team at bat.
    pub batting: Side,
}

/// Identifies a runner within a game: a player who bats twice is two runners.
pub type RunnerId = u16;

/// Somebody on base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    /// Number within the game.
    pub id: RunnerId,
    /// The player.
    pub player: PlayerId,
    /// The pitcher responsible for the run.
    pub pitcher: PlayerId,
    /// Placed by rule at the start of the inning.
    pub placed: bool,
}

impl State {
    /// Before the first record.
    #[must_use]
    pub fn start(bats_first: Side) -> Self {
        State {
            half: Half { inning: 1, batting: bats_first },
            outs: 0,
            bases: [None, None, None],
            score: [0, 0],
            lineups: [Lineup::default(), Lineup::default()],
            turn: TurnState::default(),
            next_runner: 0,
        }
    }

    /// The team in the field.
    #[must_use]
    pub fn fielding(&self) -> Side {
        self.half.batting.other()
    }

    /// The pitcher.
    #[must_use]
    pub fn pitcher(&self) -> Option<&PlayerId> {
        self.lineups[self.fielding().index()].fielder(1)
    }

    /// Whether each base is occupied.
    #[must_use]
    pub fn occupied(&self) -> [bool; 3] {
        [self.bases[0].is_some(), self.bases[1].is_some(), self.bases[2].is_some()]
    }

    /// The runner on a base.
    #[must_use]
    pub fn on(&self, base: Base) -> Option<&Runner> {
        self.bases.get(base as usize)?.as_ref()
    }

    /// The lead of the team at bat; negative if it trails.
    #[must_use]
    pub fn lead(&self) -> i32 {
        let [us, them] = [self.half.batting, self.fielding()].map(|side| i32::from(self.score[side.index()]));
        us - them
    }
}

impl Half {
    /// The half-inning after this one.
    #[must_use]
    pub fn next(self, bats_first: Side) -> Half {
        let inning = if self.batting == bats_first { self.inning } else { self.inning.saturating_add(1) };
        Half { inning, batting: self.batting.other() }
    }
}
