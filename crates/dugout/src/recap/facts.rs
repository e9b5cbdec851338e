//! What a recap tells: the score, and the plays that changed the chance to win most.

use std::collections::HashMap;

use sabermetrics::expectancy::{PlayValue, play_values, shipped};
use sabermetrics::model::{Game, Side};
use sabermetrics::replay::Outcome;
use sabermetrics::rules;
use sabermetrics::scoring::BattingResult;
use serde::Deserialize;
use uuid::Uuid;

use crate::score::log::Log;
use crate::score::request::{Entry, Play, Problem};
use crate::score::sheet::Sheet;
use crate::score::stored;

/// Plays in a recap.
const MOST: usize = 3;

/// The answer of `private.game_to_recap`.
#[derive(Debug, Deserialize)]
pub struct Told {
    /// The game's row.
    pub game: Row,
    /// All players.
    lineups: Vec<Entry>,
    /// All rows of plays, in order of arrival.
    log: Vec<Play>,
    /// Names that may be told, by athlete.
    names: HashMap<String, String>,
}

/// A row of `games`.
#[derive(Debug, Deserialize)]
pub struct Row {
    pub visitor_name: String,
    pub home_name: String,
    pub visitor_runs: u16,
    pub home_runs: u16,
    pub place: Option<String>,
    #[serde(flatten)]
    rules: stored::Game,
}

impl Row {
    /// The team's name.
    pub fn team(&self, side: Side) -> &str {
        match side {
            Side::Visitor => &self.visitor_name,
            Side::Home => &self.home_name,
        }
    }

    /// The date at the field, as `2027-04-01`.
    pub fn played_on(&self) -> &str {
        &self.rules.played_on
    }

    /// The winner; none of a tie. A forfeit goes to its winner, whatever the score.
    pub fn winner(&self) -> Option<Side> {
        match self.rules.ended {
            Some(stored::Ended::ForfeitVisitor) => Some(Side::Visitor),
            Some(stored::Ended::ForfeitHome) => Some(Side::Home),
            _ if self.visitor_runs > self.home_runs => Some(Side::Visitor),
            _ if self.home_runs > self.visitor_runs => Some(Side::Home),
            _ => None,
        }
    }

    /// Whether the winner won by forfeit.
    pub fn is_forfeit(&self) -> bool {
        matches!(self.rules.ended, Some(stored::Ended::ForfeitVisitor | stored::Ended::ForfeitHome))
    }
}

/// A play that changed much.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The play.
    pub id: Option<Uuid>,
    pub inning: u8,
    /// Whether this half comes first in the inning.
    pub is_top: bool,
    /// The team at bat.
    pub batting: Side,
    /// The name of the hitter or runner, if it may be told.
    pub name: Option<String>,
    /// How the turn ended; none if it went on, as after a stolen base.
    pub result: Option<BattingResult>,
    pub runs: u16,
    pub outs: u8,
    /// The chance of the team at bat to win, before and after.
    pub chance: [f64; 2],
}

/// What a recap tells.
#[derive(Debug)]
pub struct Facts {
    /// The plays that changed most, in the order of the game.
    pub moments: Vec<Moment>,
    /// The games from which the chances are computed.
    pub source: String,
}

/// Replays a game and finds its largest plays.
///
/// # Errors
/// A log or a lineup that the engine cannot read.
pub fn of(told: &Told) -> Result<Facts, Problem> {
    let log = Log::new(&told.log)?;
    let sheet = Sheet::new(&told.game.rules, &told.lineups, &log)?;
    let replay = sheet.replayed();
    let Ok(table) = shipped() else { return Ok(Facts { moments: Vec::new(), source: String::new() }) };
    let first = sheet.game.bats_first();
    let chances = table.win_expectancy(&sheet.rules()).batting_first(first);
    let mut values: Vec<(PlayValue, &Outcome)> =
        play_values(&sheet.game, &replay, &table.matrix(), &chances).into_iter().zip(&replay.outcomes).collect();
    values.retain(|(value, _)| value.wins.is_some() && value.home_before.is_some());
    if let Some(last) = values.last_mut() {
        settle(last, &sheet.game, &replay.state);
    }
    values.sort_by(|(one, _), (other, _)| size(other).total_cmp(&size(one)).then(one.record.cmp(&other.record)));
    values.truncate(MOST);
    values.sort_by_key(|(value, _)| value.record);
    let moments = values
        .iter()
        .map(|(value, outcome)| {
            let batting = outcome.batting();
            let home = value.home_before.unwrap_or(0.5);
            let before = if batting == Side::Home { home } else { 1.0 - home };
            Moment {
                id: sheet.play(value.record),
                inning: outcome.half.inning,
                is_top: batting == first,
                batting,
                name: told.names.get(value.player.as_str()).cloned(),
                result: outcome.turn.map(|turn| turn.result),
                runs: outcome.run_count(),
                outs: outcome.outs,
                chance: [before, (before + value.wins.unwrap_or(0.0)).clamp(0.0, 1.0)],
            }
        })
        .collect();
    Ok(Facts { moments, source: table.source.clone() })
}

fn size(value: &PlayValue) -> f64 {
    value.wins.unwrap_or(0.0).abs()
}

/// After the last play the winner's chance is certain, also where the run rule or the clock ended the game.
fn settle((value, outcome): &mut (PlayValue, &Outcome), game: &Game, state: &sabermetrics::replay::State) {
    let Some(winner) = rules::winner(game, state) else { return };
    let Some(before) = value.home_before else { return };
    let after = if winner == Side::Home { 1.0 } else { 0.0 };
    value.home_after = Some(after);
    value.wins = Some(if outcome.batting() == Side::Home { after - before } else { before - after });
}
