//! A parsed event.

use std::fmt;

use super::{Advance, Basic, Flag, Group, Marks, Modifier, Running, RunningKind, Spelling};

/// The event of a play line: `64(1)3/GDP/G6.3-H`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What the batter did.
    pub basic: Basic,
    /// What runners did: alone, or after the `+` of a strikeout or walk.
    pub running: Vec<Running>,
    /// The parts after slashes.
    pub modifiers: Vec<Modifier>,
    /// Explicit advances, in the order written.
    pub advances: Vec<Advance>,
    /// Marks without effect on the game.
    pub marks: Marks,
    /// The text as written, if it is spelled otherwise than today.
    pub spelling: Option<Box<Spelling>>,
}

impl Event {
    /// True if one of the modifiers is this word.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.modifiers.iter().any(|modifier| modifier.is(word))
    }

    /// True if the batter's turn ended.
    #[must_use]
    pub fn ends_turn(&self) -> bool {
        !matches!(self.basic, Basic::NoPlay | Basic::Running | Basic::FoulFlyError(_))
    }

    /// True if the play includes a wild pitch (or passed ball): its own code, or the remark `(WP)` after an advance of
    /// another code.
    #[must_use]
    pub fn got_away(&self, kind: &RunningKind) -> bool {
        let remark = match kind {
            RunningKind::WildPitch => "WP",
            RunningKind::PassedBall => "PB",
            _ => return false,
        };
        let groups = self.advances.iter().flat_map(|advance| &advance.groups);
        let remarked = |group: &Group| matches!(group.flag(), Some(Flag::Other(text)) if text == remark);
        self.running.iter().any(|running| &running.kind == kind) || groups.into_iter().any(remarked)
    }

    /// True if the ball was bunted.
    #[must_use]
    pub fn is_bunt(&self) -> bool {
        self.modifiers.iter().any(Modifier::is_bunt)
    }

    /// Forgets a spelling of another era: the event is printed in today's notation.
    pub fn respell(&mut self) {
        self.spelling = None;
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(24);
        super::print_event::event(self, &mut text);
        self.marks.insert_into(&mut text);
        let written = self.spelling.as_ref().and_then(|spelling| spelling.of(&text));
        f.write_str(written.unwrap_or(&text))
    }
}
