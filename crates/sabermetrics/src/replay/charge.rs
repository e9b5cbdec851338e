//! Which pitcher is responsible for which runner (Official Baseball Rules 9.16(g)).

use super::RunnerMove;
use crate::model::Origin;
use crate::notation::{Basic, Event, OutPart};

/// A pitcher is charged with as many runners as he left. If a fielder chooses to put out a runner on a batted ball that
/// is not a hit, that runner's pitcher becomes responsible for the next runner behind, and so on down to the batter.
/// This holds even if the batter is out, too: after `42(3)3/GDP.2-3;1-2` official records also charge the pitcher of the
/// runner ahead.
///
/// `moves` covers all runners of the play, from third base to the plate, including those who stayed.
pub(super) fn shift_charges(event: &Event, moves: &mut [RunnerMove]) {
    for out in 0..moves.len() {
        if moves[out].is_out() && was_chosen(event, moves[out].from) {
            for behind in (out + 1..moves.len()).rev() {
                moves[behind].runner.pitcher = moves[behind - 1].runner.pitcher.clone();
            }
        }
    }
}

/// True if a fielder put out this runner instead of the batter: the code names the runner in parentheses (`64(1)`), or it
/// is a fielder's choice. A runner who is out after the batter, as in `8/F.2X3(85)`, was not chosen, unless both are out
/// on a ground ball.
fn was_chosen(event: &Event, runner: Origin) -> bool {
    let is_batter = |part: &OutPart| part.retired.is_none_or(|retired| retired == Origin::Plate);
    match &event.basic {
        Basic::FieldersChoice(_) => true,
        Basic::Fielded(parts) if parts.first().is_some_and(is_batter) => {
            ["GDP", "BGDP", "GTP"].iter().any(|word| event.has(word))
        }
        Basic::Fielded(parts) => parts.iter().any(|part| part.retired == Some(runner)),
        _ => false,
    }
}
