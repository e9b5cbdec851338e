//! The first part of an event: what the batter did, or a runner while nobody batted.

use smol_str::SmolStr;

use super::{Fielding, Group};
use crate::model::{Base, Origin};

/// What happened, before modifiers and advances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Basic {
    /// `8`, `63`, `64(1)3`, `8(B)84(2)`; with an error `6E3`, `E6`.
    Fielded(Vec<OutPart>),
    /// `S7`
    Single(Fielding),
    /// `D7`
    Double(Fielding),
    /// `DGR7`: the ball left the field after bouncing.
    GroundRuleDouble(Fielding),
    /// `T9`
    Triple(Fielding),
    /// `HR`, `HR8` (inside the park); `H` in old files. The first field is the code as written.
    HomeRun(SmolStr, Fielding),
    /// `FC6`: the batter is safe because a fielder chose another runner.
    FieldersChoice(Fielding),
    /// `W`
    Walk,
    /// `IW`, `I` in old files. The field is the code as written.
    IntentionalWalk(SmolStr),
    /// `HP`
    HitByPitch,
    /// `K`, `K23`
    Strikeout(Fielding),
    /// `C`: somebody interfered with the batter; `/E2` says who.
    Interference,
    /// `FLE5`: a foul fly dropped; the batter goes on batting.
    FoulFlyError(Fielding),
    /// `NP`: no play; a substitution follows.
    NoPlay,
    /// Only runners: see [`super::Event::running`].
    Running,
}

/// One link of a fielded ball: `64(1)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutPart {
    /// Who fielded it.
    pub fielding: Fielding,
    /// Who was put out, where the text names somebody: it must for all but the batter.
    pub retired: Option<Origin>,
}

/// Something that runners did or that was done to them: `SB2`, `CS3(25)`, `WP`; also behind a `+`: `K+SB2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// What.
    pub kind: RunningKind,
    /// Who fielded, and remarks.
    pub groups: Vec<Group>,
}

/// Kinds of running plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunningKind {
    /// `SB2`: stolen base.
    Stolen(Base),
    /// `CS2`: caught stealing.
    Caught(Base),
    /// `PO1`: picked off this base.
    PickedOff(Base),
    /// `POCS2`: picked off, and put out while going for this base.
    PickedOffStealing(Base),
    /// `WP`
    WildPitch,
    /// `PB`
    PassedBall,
    /// `BK`
    Balk,
    /// `DI`: nobody tried to stop the runner.
    Indifference,
    /// `OA`: any other advance.
    OtherAdvance,
    /// `E2` behind `K+`: an error on the third strike.
    Error(Fielding),
}

impl Running {
    /// Whether the runner was put out: no error prevented it.
    #[must_use]
    pub fn puts_out(&self) -> bool {
        let fieldings = || self.groups.iter().filter_map(Group::fielding);
        !fieldings().any(Fielding::has_error) || fieldings().any(Fielding::is_clean)
    }
}
