//! Win probability of a game's plays, by the shipped table of run expectancy.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use sabermetrics::expectancy::{ExpectancyTable, PlayValue, RunMatrix, WinExpectancy, play_values, shipped};
use sabermetrics::model::{Game, GameRules};
use sabermetrics::replay::Replay;
use serde_json::{Value, json};

/// The most sets of rules whose probabilities are kept. Leagues share a few.
const KEPT: usize = 16;

struct Shipped {
    table: ExpectancyTable,
    matrix: RunMatrix,
}

static SHIPPED: LazyLock<Option<Shipped>> = LazyLock::new(|| {
    let table = shipped().ok()?;
    Some(Shipped { matrix: table.matrix(), table })
});
static CHANCES: Mutex<Vec<(GameRules, Arc<WinExpectancy>)>> = Mutex::new(Vec::new());

/// The worth of each play, in the order of the replay's outcomes.
pub fn values(game: &Game, replay: &Replay) -> Vec<PlayValue> {
    let Some(shipped) = &*SHIPPED else { return Vec::new() };
    let chances = WinExpectancy::clone(&chances(&shipped.table, &GameRules::of(game))).batting_first(game.bats_first());
    play_values(game, replay, &shipped.matrix, &chances)
}

fn chances(table: &ExpectancyTable, rules: &GameRules) -> Arc<WinExpectancy> {
    let mut kept = CHANCES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, chances)) = kept.iter().find(|(known, _)| known == rules) {
        return Arc::clone(chances);
    }
    let chances = Arc::new(table.win_expectancy(rules));
    if kept.len() >= KEPT {
        kept.remove(0);
    }
    kept.push((rules.clone(), Arc::clone(&chances)));
    chances
}

/// A play's worth as the app reads it: who is credited, the wins added for the team at bat, the home team's probability to
/// win after the play, and the leverage index before it. Rounded, so that a stored value equals a computed one.
pub fn json(value: &PlayValue) -> Value {
    json!({
        "player": value.player.as_str(), "added": rounded(value.wins), "home": rounded(value.home_after),
        "leverage": rounded(value.leverage),
    })
}

fn rounded(number: Option<f64>) -> Option<f64> {
    number.map(|number| (number * 10_000.0).round() / 10_000.0)
}
