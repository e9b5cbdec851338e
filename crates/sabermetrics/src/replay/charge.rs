//! Which pitcher answers for which runner (Official Baseball Rules 9.16(g)).

use super::RunnerMove;
use crate::notation::{Basic, Event};

/// A pitcher is charged with as many runners as he left. When a fielder puts out a runner on a batted ball that is no hit,
/// that runner's pitcher answers for the next runner behind, and so on down to the batter. It makes no difference whether the
/// batter is out, too: official records charge the pitcher of the runner ahead after `42(3)3/GDP.2-3;1-2`, as well.
///
/// `moves` are everybody of the play, from third base to the plate, the ones who stayed included.
pub(super) fn shift_charges(event: &Event, moves: &mut [RunnerMove]) {
    let chosen = matches!(event.basic, Basic::Fielded(_) | Basic::FieldersChoice(_));
    if !chosen {
        return;
    }
    for out in 0..moves.len() {
        if moves[out].is_out() {
            for behind in (out + 1..moves.len()).rev() {
                moves[behind].runner.pitcher = moves[behind - 1].runner.pitcher.clone();
            }
        }
    }
}
