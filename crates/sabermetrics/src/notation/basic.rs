//! The first part of an event: what the batter did, or a runner between pitches.

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
    /// `C`: interference with the batter; `/E2` names the fielder.
    Interference,
    /// `FLE5`: a dropped foul fly; the turn at bat continues.
    FoulFlyError(Fielding),
    /// `NP`: no play; a substitution follows.
    NoPlay,
    /// Only runners moved: see [`super::Event::running`].
    Running,
}

/// One part of a fielded ball: `64(1)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutPart {
    /// The fielders.
    pub fielding: Fielding,
    /// The runner who was put out; required unless it is the batter.
    pub retired: Option<Origin>,
}

/// A running play: `SB2`, `CS3(25)`, `WP`; also after a `+`: `K+SB2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// The kind.
    pub kind: RunningKind,
    /// Fielders and remarks.
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
    /// `POCS2`: picked off, and put out on the way to this base.
    PickedOffStealing(Base),
    /// `WP`
    WildPitch,
    /// `PB`
    PassedBall,
    /// `BK`
    Balk,
    /// `DI`: defensive indifference.
    Indifference,
    /// `OA`: any other advance.
    OtherAdvance,
    /// `E2` after `K+`: an error on the third strike.
    Error(Fielding),
}

impl Running {
    /// True if the runner was put out: no error prevented it.
    #[must_use]
    pub fn puts_out(&self) -> bool {
        let fieldings = || self.groups.iter().filter_map(Group::fielding);
        !fieldings().any(Fielding::has_error) || fieldings().any(Fielding::is_clean)
    }

    /// True for a runner caught or picked off, and put out.
    #[must_use]
    pub fn is_out(&self) -> bool {
        let tried =
            matches!(self.kind, RunningKind::Caught(_) | RunningKind::PickedOff(_) | RunningKind::PickedOffStealing(_));
        tried && self.puts_out()
    }
}
