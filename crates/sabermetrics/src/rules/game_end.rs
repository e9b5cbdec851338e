//! When a game is over: regulation, walk-off, run rule (Official Baseball Rules 7.01).

use crate::model::{End, Game, GameRules, Side};
use crate::replay::State;

/// True if the game is over and no further play can belong to it.
#[must_use]
pub fn is_decided(state: &State, rules: &GameRules, bats_first: Side) -> bool {
    let last = bats_first.other();
    let [first_runs, last_runs] = [bats_first, last].map(|side| state.score[side.index()]);
    let inning = state.half.inning;
    let over = state.outs >= 3;
    let batting_last = state.half.batting == last;
    let full = inning >= rules.innings;
    // The side that bats last wins as soon as it leads in its last turn, or if it need not bat.
    let last_ahead = full && last_runs > first_runs && (batting_last || over);
    let first_ahead = full && first_runs > last_runs && batting_last && over;
    last_ahead || first_ahead || run_rule_ends(state, rules, bats_first)
}

fn run_rule_ends(state: &State, rules: &GameRules, bats_first: Side) -> bool {
    let last = bats_first.other();
    let [first_runs, last_runs] = [bats_first, last].map(|side| state.score[side.index()]);
    let over = state.outs >= 3;
    let batting_last = state.half.batting == last;
    rules.run_rule.iter().any(|rule| {
        let reached = state.half.inning >= rule.innings;
        let last_wins = last_runs >= first_runs.saturating_add(rule.lead) && (batting_last || over);
        let first_wins = first_runs >= last_runs.saturating_add(rule.lead) && batting_last && over;
        reached && (last_wins || first_wins)
    })
}

/// The winner; `None` if the score is tied, or the game is suspended.
#[must_use]
pub fn winner(game: &Game, state: &State) -> Option<Side> {
    match End::of(game) {
        End::Forfeit(side) => Some(side),
        End::Suspended => None,
        End::Played | End::Called | End::TimeLimit => match state.score[0].cmp(&state.score[1]) {
            std::cmp::Ordering::Greater => Some(Side::Visitor),
            std::cmp::Ordering::Less => Some(Side::Home),
            std::cmp::Ordering::Equal => None,
        },
    }
}
