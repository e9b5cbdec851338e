//! How a turn at bat ended (Official Baseball Rules 9.02, 9.05 to 9.08).

use crate::notation::{Basic, Event, Modifier};

/// How the batter's turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BattingResult {
    /// One base on a hit.
    Single,
    /// Two bases on a hit.
    Double,
    /// Three bases on a hit.
    Triple,
    /// Four bases on a hit.
    HomeRun,
    /// Four balls.
    Walk,
    /// Four balls on purpose.
    IntentionalWalk,
    /// Hit by a pitch.
    HitByPitch,
    /// First base after interference with the batter, mostly the catcher's.
    Interference,
    /// Three strikes, whether or not the batter was put out.
    Strikeout,
    /// Put out, or safe while a fielder put out another runner.
    Out,
    /// Safe on an error.
    ReachedOnError,
    /// Safe because a fielder tried for another runner.
    FieldersChoice,
}

/// The end of a turn, with the scorer's classification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// How it ended.
    pub result: BattingResult,
    /// `SH`: a sacrifice bunt.
    pub sacrifice_hit: bool,
    /// `SF`: a sacrifice fly.
    pub sacrifice_fly: bool,
    /// `GDP`: the batter grounded into a double play.
    pub grounded_into_double_play: bool,
}

impl BattingResult {
    /// Bases of a hit; 0 if it is none.
    #[must_use]
    pub fn bases(self) -> u8 {
        match self {
            BattingResult::Single => 1,
            BattingResult::Double => 2,
            BattingResult::Triple => 3,
            BattingResult::HomeRun => 4,
            _ => 0,
        }
    }

    /// True for a hit.
    #[must_use]
    pub fn is_hit(self) -> bool {
        self.bases() > 0
    }

    /// True for a walk of either kind.
    #[must_use]
    pub fn is_walk(self) -> bool {
        matches!(self, BattingResult::Walk | BattingResult::IntentionalWalk)
    }
}

impl Turn {
    /// True if the turn counts as an at bat: no walk, hit by pitch, interference or sacrifice.
    #[must_use]
    pub fn is_at_bat(&self) -> bool {
        let awarded =
            self.result.is_walk() || matches!(self.result, BattingResult::HitByPitch | BattingResult::Interference);
        !awarded && !self.sacrifice_hit && !self.sacrifice_fly
    }
}

/// How this event ends the batter's turn; `None` if the turn continues.
#[must_use]
pub fn turn(event: &Event) -> Option<Turn> {
    let result = match &event.basic {
        Basic::Single(_) => BattingResult::Single,
        Basic::Double(_) | Basic::GroundRuleDouble(_) => BattingResult::Double,
        Basic::Triple(_) => BattingResult::Triple,
        Basic::HomeRun(..) => BattingResult::HomeRun,
        Basic::Walk => BattingResult::Walk,
        Basic::IntentionalWalk(_) => BattingResult::IntentionalWalk,
        Basic::HitByPitch => BattingResult::HitByPitch,
        Basic::Interference => BattingResult::Interference,
        Basic::Strikeout(_) => BattingResult::Strikeout,
        Basic::FieldersChoice(_) => BattingResult::FieldersChoice,
        Basic::Fielded(parts) => match parts.as_slice() {
            [only] if only.fielding.has_error() && only.retired.is_none() => BattingResult::ReachedOnError,
            _ => BattingResult::Out,
        },
        Basic::NoPlay | Basic::Running | Basic::FoulFlyError(_) => return None,
    };
    Some(Turn {
        result,
        sacrifice_hit: event.modifiers.iter().any(Modifier::is_sacrifice_hit),
        sacrifice_fly: event.has("SF"),
        grounded_into_double_play: event.has("GDP") || event.has("BGDP"),
    })
}
