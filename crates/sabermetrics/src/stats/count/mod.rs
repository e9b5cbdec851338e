//! What one play counts for which player. Lines are sums of these, and the plays behind a number are those that count
//! for it.

mod batting;
mod fielding;
mod pitching;

pub use batting::batting;
pub use fielding::fielding;
pub use pitching::pitching;

use crate::model::Play;
use crate::notation::{Modifier, Pitch, Trajectory};

/// The trajectory of the batted ball, if the modifiers have it.
fn trajectory(play: &Play) -> Option<Trajectory> {
    play.event.modifiers.iter().find_map(Modifier::batted_ball).map(|(trajectory, _)| trajectory)
}

/// Pitches, swings and misses of a finished turn, if they were recorded. Balls and strikes without a throw do not count.
fn swings(play: &Play) -> Option<(u32, u32, u32)> {
    let (mut pitches, mut swings, mut misses) = (0, 0, 0);
    let letters = play.pitches.letters();
    let thrown = letters.bytes().filter(|letter| !Pitch::is_automatic(*letter));
    for pitch in thrown.filter_map(Pitch::lettered) {
        pitches += 1;
        swings += u32::from(pitch.swung() == Some(true));
        misses += u32::from(pitch == Pitch::Missed);
    }
    (!letters.is_empty()).then_some((pitches, swings, misses))
}
