//! Who has played where: a player's game at a position counts from the first pitch there.

use crate::model::{Appearance, PlayerId, Position};

/// The players at positions 1 to 9 of one side.
#[derive(Default)]
pub(super) struct Field {
    places: Vec<Place>,
}

/// A player at a position.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) player: PlayerId,
    /// 1 to 9.
    pub(super) position: u8,
    /// True once a pitch was thrown.
    counted: bool,
}

impl Field {
    /// A player takes a position, and leaves the one before.
    pub(super) fn enter(&mut self, who: &Appearance) {
        let position = who.position.number();
        let stays = self.places.iter().any(|place| place.player == who.player && place.position == position);
        // A starter who is his own designated hitter pitches until somebody relieves him (rule 5.11(b)).
        let two_way = who.position == Position::DesignatedHitter && self.pitcher() == Some(&who.player);
        if stays || two_way {
            return;
        }
        self.places.retain(|place| place.player != who.player && place.position != position);
        if who.position.fields() {
            self.places.push(Place { player: who.player.clone(), position, counted: false });
        }
    }

    /// The pitcher.
    pub(super) fn pitcher(&self) -> Option<&PlayerId> {
        let pitches = |place: &&Place| place.position == Position::Pitcher.number();
        self.places.iter().find(pitches).map(|place| &place.player)
    }

    /// Those for whom this is the first pitch at their position.
    pub(super) fn newcomers(&mut self) -> Vec<Place> {
        let fresh = self.places.iter_mut().filter(|place| !place.counted);
        fresh
            .map(|place| {
                place.counted = true;
                place.clone()
            })
            .collect()
    }
}
