//! The records of a game.

use smol_str::SmolStr;

use super::{Base, Play, PlayerId, Position, Side};

/// One line of the score sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// `version`: which form of the notation.
    Version(SmolStr),
    /// `info`: a fact about the game.
    Info {
        /// What the fact is about.
        key: SmolStr,
        /// The fact, as written.
        value: SmolStr,
    },
    /// `start`: a player of the starting lineup.
    Start(Appearance),
    /// `sub`: a player enters the game or changes position.
    Sub(Appearance),
    /// `play`
    Play(Box<Play>),
    /// `badj`, `padj`, `ladj`, `radj`, `presadj`: facts that the plays do not show.
    Adjust(Adjustment),
    /// `com`: a remark. The text is kept as the line has it, quotes included.
    Comment(SmolStr),
    /// `data`: a decision of the official scorer.
    Data(Vec<SmolStr>),
    /// A line of another kind, or without the value of its kind, as written. It has no effect.
    Other(SmolStr),
}

/// The remark that ends a half-inning.
const HALF_ENDS: &str = "endhalf";

impl Record {
    /// The record `com,endhalf`: the half-inning ends before the third out, by a limit of runs or batters or by agreement.
    /// It is Dugout's own, and a remark to other readers of the notation, which has no record for this.
    #[must_use]
    pub fn end_of_half() -> Self {
        Record::Comment(SmolStr::new_inline(HALF_ENDS))
    }

    /// True for that record, with or without quotes.
    #[must_use]
    pub fn ends_half(&self) -> bool {
        matches!(self, Record::Comment(text) if text.trim_matches('"') == HALF_ENDS)
    }
}

/// A player takes a place in the lineup and in the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appearance {
    /// The player.
    pub player: PlayerId,
    /// The name as written, without quotes.
    pub name: SmolStr,
    /// The player's team.
    pub side: Side,
    /// Place in the batting order from 1; 0 for a pitcher who does not bat. Beyond 9 are extra hitters.
    pub order: u8,
    /// Where in the field, or how the player came in.
    pub position: Position,
    /// How the line is written.
    pub writing: Writing,
}

/// What some programs write otherwise in the line of an appearance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// The name has no quotes.
    pub unquoted: bool,
    /// Zeros before the place of the order.
    pub order_zeros: u8,
    /// Zeros before the position.
    pub position_zeros: u8,
}

/// A correction for the following plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Adjustment {
    /// `badj`: the batter bats from this side (`L`, `R`), unlike in the roster.
    BatterHand(PlayerId, SmolStr),
    /// `padj`: the pitcher throws with this hand, unlike in the roster. Further fields as written.
    PitcherHand(PlayerId, SmolStr),
    /// `ladj`: this place of the order bats now, out of turn.
    BattingOrder(Side, u8),
    /// `radj`: this player is placed on this base before the inning begins (the extra runner of a tie-break).
    RunnerPlaced(PlayerId, Base),
    /// `presadj`: this pitcher is responsible for the runner on this base.
    RunnerCharged(PlayerId, Base),
}
