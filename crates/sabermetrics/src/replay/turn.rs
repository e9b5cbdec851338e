//! The current turn at bat, and who is responsible for its result after a substitution during it.

use crate::model::PlayerId;

/// The current turn at bat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnState {
    /// Balls and strikes, if known.
    pub count: Option<(u8, u8)>,
    /// The player charged with a strikeout: the batter who left with two strikes (rule 9.15(b)).
    pub strikeout_charged_to: Option<PlayerId>,
    /// The pitcher charged with a walk: the one who left behind in the count (rule 9.16(h)).
    pub walk_charged_to: Option<PlayerId>,
}

impl TurnState {
    /// A pinch-hitter takes over.
    pub(super) fn batter_left(&mut self, batter: &PlayerId) {
        if self.count.is_some_and(|(_, strikes)| strikes == 2) && self.strikeout_charged_to.is_none() {
            self.strikeout_charged_to = Some(batter.clone());
        }
    }

    /// A reliever takes over. Rule 9.16(h): the walk is charged to the first pitcher at 2-0, 2-1, 3-0, 3-1 and 3-2.
    pub(super) fn pitcher_left(&mut self, pitcher: &PlayerId) {
        let behind = matches!(self.count, Some((2, 0 | 1) | (3, _)));
        if behind && self.walk_charged_to.is_none() {
            self.walk_charged_to = Some(pitcher.clone());
        }
    }
}
