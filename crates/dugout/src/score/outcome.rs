//! The outcome of a play as the app reads it, in the column `outcome` of `plays`.

use sabermetrics::model::Base;
use sabermetrics::replay::{Outcome, Runner};
use sabermetrics::scoring::{BattingResult, Deed, Reached};
use serde_json::{Value, json};

/// The outcome as JSON. Bases are numbered 1 to 4, the plate as an origin is 0; `to` is null for an out.
pub fn json(outcome: &Outcome) -> Value {
    let [visitors, home] = outcome.score_before;
    let runs = outcome.run_count();
    let score = match outcome.batting().index() {
        0 => [visitors + runs, home],
        _ => [visitors, home + runs],
    };
    let moves: Vec<Value> = outcome
        .moves
        .iter()
        .map(|one| {
            let (to, out_at) = match one.reached {
                Reached::Safe(base) => (Some(base.number()), None),
                Reached::Out(base) => (None, base.map(Base::number)),
            };
            json!({
                "athlete": one.runner.player.as_str(), "from": one.from.index(), "to": to, "outAt": out_at,
                "rbi": one.batted_in, "onError": one.on_error,
            })
        })
        .collect();
    let credits: Vec<Value> = outcome
        .credits
        .iter()
        .map(|credit| json!({ "position": credit.position, "deed": deed(credit.deed) }))
        .collect();
    let turn = outcome.turn.map(|turn| {
        json!({
            "result": result(turn.result), "sacrificeHit": turn.sacrifice_hit, "sacrificeFly": turn.sacrifice_fly,
            "doublePlay": turn.grounded_into_double_play,
        })
    });
    json!({
        "inning": outcome.half.inning, "batting": outcome.batting().index(),
        "batter": outcome.batter.as_str(), "pitcher": outcome.pitcher.as_str(), "turn": turn,
        "outsBefore": outcome.outs_before, "outs": outcome.outs, "multiplePlay": outcome.multiple_play,
        "bases": bases(&outcome.bases_after), "score": score, "runs": runs, "moves": moves, "credits": credits,
    })
}

fn bases(bases: &[Option<Runner>; 3]) -> [Option<&str>; 3] {
    [0, 1, 2].map(|base| bases[base].as_ref().map(|runner| runner.player.as_str()))
}

fn deed(deed: Deed) -> &'static str {
    match deed {
        Deed::Putout => "putout",
        Deed::Assist => "assist",
        Deed::Error => "error",
    }
}

fn result(result: BattingResult) -> &'static str {
    match result {
        BattingResult::Single => "single",
        BattingResult::Double => "double",
        BattingResult::Triple => "triple",
        BattingResult::HomeRun => "home_run",
        BattingResult::Walk => "walk",
        BattingResult::IntentionalWalk => "intentional_walk",
        BattingResult::HitByPitch => "hit_by_pitch",
        BattingResult::Interference => "interference",
        BattingResult::Strikeout => "strikeout",
        BattingResult::Out => "out",
        BattingResult::ReachedOnError => "error",
        BattingResult::FieldersChoice => "fielders_choice",
    }
}
