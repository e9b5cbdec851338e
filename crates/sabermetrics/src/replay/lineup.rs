//! The lineup of a team.

use crate::model::{Appearance, PlayerId, Position};

/// One team's batting order and field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lineup {
    /// By place of the order; index 0 is a pitcher who does not bat.
    order: Vec<Option<Slot>>,
    /// By position 1 to 9; index 0 is unused.
    field: [Option<PlayerId>; 10],
    /// All players used so far, in order of appearance, with their place in the order.
    used: Vec<(PlayerId, u8)>,
    /// The place of the order that bats next.
    next_up: u8,
}

/// A place of the batting order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The player.
    pub player: PlayerId,
    /// The position in the field, or how the player entered.
    pub position: Position,
}

/// The effect of a substitution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entered {
    /// The player who left this place in the order, if another one had it.
    pub(super) replaced: Option<PlayerId>,
    /// Set if the player had left the game before.
    pub(super) came_back: Option<Place>,
}

/// Where a player returns to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Their own place in the order.
    Own,
    /// Another one.
    Other,
}

impl Lineup {
    /// The player at this position, 1 to 9.
    #[must_use]
    pub fn fielder(&self, position: u8) -> Option<&PlayerId> {
        self.field.get(usize::from(position))?.as_ref()
    }

    /// The players at positions 1 to 9.
    #[must_use]
    pub fn fielders(&self) -> [Option<PlayerId>; 9] {
        std::array::from_fn(|index| self.field[index + 1].clone())
    }

    /// The player at this place in the order; 0 is a pitcher who does not bat.
    #[must_use]
    pub fn slot(&self, order: u8) -> Option<&Slot> {
        self.order.get(usize::from(order))?.as_ref()
    }

    /// The place in the order of a player who is in the game.
    #[must_use]
    pub fn order_of(&self, player: &PlayerId) -> Option<u8> {
        let batting = |(index, slot): (usize, &Option<Slot>)| {
            let here = slot.as_ref().is_some_and(|slot| &slot.player == player);
            (here && index > 0).then(|| u8::try_from(index).ok()).flatten()
        };
        self.order.iter().enumerate().find_map(batting)
    }

    /// True if this player is in the game.
    #[must_use]
    pub fn is_playing(&self, player: &PlayerId) -> bool {
        self.order.iter().flatten().any(|slot| &slot.player == player)
    }

    /// The place in the order that bats next.
    #[must_use]
    pub fn next_up(&self) -> u8 {
        self.next_up.max(1)
    }

    /// The player who bats next.
    #[must_use]
    pub fn batter_due(&self) -> Option<&PlayerId> {
        self.slot(self.next_up()).map(|slot| &slot.player)
    }

    /// Number of places in the order that bat.
    #[must_use]
    pub fn length(&self) -> u8 {
        let last = self.order.iter().rposition(Option::is_some).unwrap_or(0);
        u8::try_from(last).unwrap_or(u8::MAX)
    }

    /// Advances to the next place after this one has batted.
    pub(super) fn has_batted(&mut self, order: u8) {
        self.next_up = if order >= self.length() { 1 } else { order + 1 };
    }

    /// Sets the place that bats next, whatever the order.
    pub(super) fn set_next_up(&mut self, order: u8) {
        self.next_up = order;
    }

    /// A player takes a place.
    pub(super) fn enter(&mut self, who: &Appearance) -> Entered {
        let index = usize::from(who.order);
        if self.order.len() <= index {
            self.order.resize(index + 1, None);
        }
        let came_back = if self.is_playing(&who.player) { None } else { self.left_before(who) };
        let slot = Slot { player: who.player.clone(), position: who.position };
        let before = self.order[index].replace(slot);
        let replaced = before.map(|slot| slot.player).filter(|player| player != &who.player);
        // A player who takes the field from another place in the order leaves that place: the pitcher who begins to
        // bat.
        let pitches = self.order[0].as_ref().is_some_and(|slot| slot.player == who.player);
        if who.order > 0 && pitches && who.position != Position::DesignatedHitter {
            self.order[0] = None;
        }
        self.take_position(who);
        // A two-way player has two places, and may leave one of them (rule 5.11(b)).
        if let Some(left) = replaced.as_ref().filter(|left| !self.is_playing(left)) {
            for place in self.field.iter_mut().filter(|place| place.as_ref() == Some(left)) {
                *place = None;
            }
        }
        if !self.used.iter().any(|(player, _)| player == &who.player) {
            self.used.push((who.player.clone(), who.order));
        }
        Entered { replaced, came_back }
    }

    fn take_position(&mut self, who: &Appearance) {
        let two_way = who.position == Position::DesignatedHitter
            && self.order[0].as_ref().is_some_and(|slot| slot.player == who.player);
        for place in self.field.iter_mut().filter(|place| !two_way && place.as_ref() == Some(&who.player)) {
            *place = None;
        }
        if who.position.fields() {
            let place = &mut self.field[usize::from(who.position.number())];
            let before = place.replace(who.player.clone());
            // The pitcher bats now: the team loses the designated hitter, and no pitcher is outside the order.
            if who.position == Position::Pitcher && who.order > 0 && before.is_some() {
                self.order[0] = self.order[0].take().filter(|slot| Some(&slot.player) != before.as_ref());
            }
        }
    }

    fn left_before(&self, who: &Appearance) -> Option<Place> {
        let (_, order) = self.used.iter().find(|(player, _)| player == &who.player)?;
        Some(if *order == who.order { Place::Own } else { Place::Other })
    }
}
