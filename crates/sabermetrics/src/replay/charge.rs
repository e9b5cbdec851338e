//! Which pitcher is responsible for which runner (Official Baseball Rules 9.16(g)).

use super::RunnerMove;
use crate::notation::{Basic, Event};

/// A pitcher is charged with as many runners as he left. If a fielder puts out a runner on a batted ball that is not a
/// hit, that runner's pitcher becomes responsible for the next runner behind, and so on down to the batter. This holds
/// even if the batter is out, too: after `42(3)3/GDP.2-3;1-2` official records also charge the pitcher of the runner
/// ahead.
///
/// `moves` covers all runners of the play, from third base to the plate, including those who stayed.
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
