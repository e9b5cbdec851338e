//! Runs that a play cannot score: on a third out that forces (Official Baseball Rules 5.08(a)), or after the winning run
//! (5.08(b), 9.06(f)).

use crate::model::{Base, GameRules, Origin, Side};
use crate::notation::{Arrival, Basic, Event};
use crate::replay::{RunnerMove, State};
use crate::rules::is_decided;

/// The runner whose run does not count because the third out of the play was the batter's before first base, or a force.
///
/// A fourth out on appeal (`/AP`) can take the place of the third, so that such plays are not judged.
pub(crate) fn run_on_third_out(event: &Event, before: &State, moves: &[RunnerMove]) -> Option<Origin> {
    let third = usize::from(3_u8.checked_sub(before.outs)?).checked_sub(1)?;
    if event.has("AP") || !*outs(event, before.occupied()).get(third)? {
        return None;
    }
    moves.iter().find(|one| one.scored()).map(|one| one.from)
}

/// The outs of a play in their order: true for those on which no run can score.
fn outs(event: &Event, occupied: [bool; 3]) -> Vec<bool> {
    let mut outs = Vec::with_capacity(3);
    // A force lasts until the batter is out.
    let mut forces = matches!(event.basic, Basic::Fielded(_) | Basic::FieldersChoice(_));
    let is_forced = |runner: Origin| occupied.iter().take(runner.index()).all(|occupied| *occupied);
    let explained = |runner| event.advances.iter().any(|advance| advance.from == runner);
    match &event.basic {
        Basic::Fielded(parts) => {
            for part in parts.iter().filter(|part| !part.fielding.has_error()) {
                let runner = part.retired.unwrap_or(Origin::Plate);
                forces &= runner != Origin::Plate;
                outs.push(!explained(runner) && (runner == Origin::Plate || forces && is_forced(runner)));
            }
        }
        Basic::Strikeout(fielding) if !fielding.has_error() && !explained(Origin::Plate) => outs.push(true),
        _ => {}
    }
    outs.extend(event.running.iter().filter(|running| running.is_out()).map(|_| false));
    for advance in event.advances.iter().filter(|advance| advance.arrival == Arrival::Out && advance.puts_out()) {
        let struck_out = matches!(event.basic, Basic::Strikeout(_));
        let forced = match Origin::on(advance.to) {
            _ if advance.from == Origin::Plate => struck_out && advance.to == Base::First,
            // Beyond the next base nobody is forced.
            Some(base) if base.index() != advance.from.index() + 1 => false,
            None if advance.from != Origin::Third => false,
            _ => matches!(event.basic, Basic::FieldersChoice(_)) && forces && is_forced(advance.from),
        };
        outs.push(forced);
    }
    outs
}

/// The number of runs beyond the winning one, if the play wins the game in its last half-inning.
pub(crate) fn runs_after_winning(
    event: &Event,
    before: &State,
    runs: u16,
    rules: &GameRules,
    bats_first: Side,
) -> Option<u16> {
    let last = bats_first.other();
    let over_the_fence =
        matches!(&event.basic, Basic::HomeRun(_, fielding) if fielding.is_empty()) && !event.has("IPHR");
    if over_the_fence || before.half.batting != last || before.half.inning < rules.innings {
        return None;
    }
    if is_decided(before, rules, bats_first) {
        // Reported as a play after the end.
        return None;
    }
    let [first_runs, last_runs] = [bats_first, last].map(|side| before.score[side.index()]);
    let needed = (first_runs + 1).saturating_sub(last_runs);
    runs.checked_sub(needed).filter(|extra| *extra > 0)
}
