//! What plays were worth in their situation: RE24, WPA and leverage, by play and by player.

use std::collections::BTreeMap;

use super::{RunMatrix, WinExpectancy};
use crate::model::{Game, PlayerId, Record};
use crate::notation::RunningKind;
use crate::replay::{Outcome, Replay};
use crate::stats::{CONTEXT, Value};

/// One play's worth for the team at bat.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayValue {
    /// Index of the play among the game's records.
    pub record: usize,
    /// The player of the team at bat who is credited: the batter, or the runner of a stolen base, caught stealing or
    /// pickoff.
    pub player: PlayerId,
    /// The pitcher, who is credited with the opposite.
    pub pitcher: PlayerId,
    /// Change of run expectancy, including runs.
    pub runs: Option<f64>,
    /// Change of win expectancy (WPA).
    pub wins: Option<f64>,
    /// The home team's win expectancy before the play.
    pub home_before: Option<f64>,
    /// The home team's win expectancy after the play.
    pub home_after: Option<f64>,
    /// The leverage index before the play.
    pub leverage: Option<f64>,
}

/// Sums over a player's plays. A sum with an unknown part is unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextLine {
    /// Number of plays.
    pub plays: u32,
    /// Runs added.
    pub runs: Option<f64>,
    /// Wins added.
    pub wins: Option<f64>,
    /// Sum of the leverage indexes.
    pub leverage: Option<f64>,
    /// Sum of the wins added, each divided by its leverage.
    pub wins_per_leverage: Option<f64>,
}

/// Batters' (or runners') and pitchers' sums.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContextLines {
    /// For their teams at bat.
    pub batting: BTreeMap<PlayerId, ContextLine>,
    /// For their teams in the field.
    pub pitching: BTreeMap<PlayerId, ContextLine>,
}

/// The worth of each play of a game, in order. The win expectancy has to be that of the game's rules and of the side that
/// bats first.
#[must_use]
pub fn play_values(game: &Game, replay: &Replay, matrix: &RunMatrix, chances: &WinExpectancy) -> Vec<PlayValue> {
    let value = |outcome: &Outcome| {
        let before = chances.before(outcome);
        let after = before
            .map(|before| chances.after(&before, super::Situation::after(outcome), i32::from(outcome.run_count())));
        PlayValue {
            record: outcome.record,
            player: credited(game, outcome),
            pitcher: outcome.pitcher.clone(),
            runs: matrix.change(outcome),
            wins: chances.added(outcome),
            home_before: before.map(|before| chances.home(&before)),
            home_after: after,
            leverage: before.and_then(|before| chances.leverage_index(&before)),
        }
    };
    replay.outcomes.iter().map(value).collect()
}

fn credited(game: &Game, outcome: &Outcome) -> PlayerId {
    let runner = match game.records.get(outcome.record) {
        Some(Record::Play(play)) if outcome.turn.is_none() => play.event.running.iter().find_map(|running| {
            let from = match running.kind {
                RunningKind::Stolen(base) | RunningKind::Caught(base) | RunningKind::PickedOffStealing(base) => {
                    usize::from(base.number()).checked_sub(2)
                }
                RunningKind::PickedOff(base) => usize::from(base.number()).checked_sub(1),
                _ => None,
            };
            outcome.bases_before.get(from?)?.as_ref()
        }),
        _ => None,
    };
    runner.map_or_else(|| outcome.batter.clone(), |runner| runner.player.clone())
}

impl ContextLines {
    /// Adds the plays of a game.
    pub fn add(&mut self, values: &[PlayValue]) {
        for value in values {
            self.batting.entry(value.player.clone()).or_default().add(value, 1.0);
            self.pitching.entry(value.pitcher.clone()).or_default().add(value, -1.0);
        }
    }
}

impl Default for ContextLine {
    fn default() -> Self {
        ContextLine { plays: 0, runs: Some(0.0), wins: Some(0.0), leverage: Some(0.0), wins_per_leverage: Some(0.0) }
    }
}

impl ContextLine {
    fn add(&mut self, value: &PlayValue, sign: f64) {
        let sum = |sum: Option<f64>, part: Option<f64>| Some(sum? + part?);
        let wins = value.wins.map(|wins| sign * wins);
        let weighted = match (wins, value.leverage) {
            // A play without any leverage changes nothing.
            (Some(_), Some(0.0)) => Some(0.0),
            (Some(wins), Some(leverage)) => Some(wins / leverage),
            _ => None,
        };
        self.plays += 1;
        self.runs = sum(self.runs, value.runs.map(|runs| sign * runs));
        self.wins = sum(self.wins, wins);
        self.leverage = sum(self.leverage, value.leverage);
        self.wins_per_leverage = sum(self.wins_per_leverage, weighted);
    }

    /// The statistics of [`CONTEXT`].
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        let sums = |name: &str| match name {
            "sumRE24" => self.runs,
            "sumWPA" => self.wins,
            "sumLI" => self.leverage,
            "sumWPALI" => self.wins_per_leverage,
            "plays" => Some(f64::from(self.plays)),
            _ => None,
        };
        CONTEXT.iter().map(|definition| definition.of_sums(CONTEXT, &sums, self.plays)).collect()
    }
}
