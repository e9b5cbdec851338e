//! Runs batted in (Official Baseball Rules 9.04).

use super::{BattingResult, Movement, Turn};
use crate::model::Origin;
use crate::notation::Flag;

/// True if the run of this movement is batted in. The scorer's remark decides. Without one, runs count on hits, outs
/// and awarded bases that force them in, but not on double plays grounded into, errors, third strikes, or advances on a
/// wild pitch or passed ball.
#[must_use]
pub fn bats_in(turn: &Turn, from: Origin, movement: &Movement, occupied: [bool; 3], outs: u8) -> bool {
    if movement.has(&Flag::NoRbi) || movement.has(&Flag::NoRbiSpelled) {
        return false;
    }
    if movement.has(&Flag::Rbi) {
        return true;
    }
    if movement.has_error() || movement.got_away() {
        return false;
    }
    match turn.result {
        BattingResult::Walk
        | BattingResult::IntentionalWalk
        | BattingResult::HitByPitch
        | BattingResult::Interference => from == Origin::Third && occupied == [true; 3],
        BattingResult::Strikeout => false,
        BattingResult::ReachedOnError => from == Origin::Third && outs < 2,
        _ => !turn.grounded_into_double_play,
    }
}
