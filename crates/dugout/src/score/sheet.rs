//! The score sheet of a game: its row, lineups and log as records of the engine.

use sabermetrics::model::{Appearance, Game, GameId, GameRules, PlayerId, Position, Record, Side, Writing};
use sabermetrics::notation::parse_record;
use sabermetrics::replay::{Half, Replay, replay};
use sabermetrics::rules;
use serde::Serialize;
use serde_json::{Value, json};
use smol_str::SmolStr;
use uuid::Uuid;

use super::checks::Contradiction;
use super::log::Log;
use super::request::{Entry, Problem, Turn};
use super::stored::{self, Ended, Status};
use super::{outcome, win};

/// A game for the engine.
pub struct Sheet {
    /// The records: facts, starters, then the log.
    pub game: Game,
    /// How many records come before the log's.
    prefix: usize,
    /// The ids and texts of the log's records.
    log: Vec<(Uuid, String)>,
}

/// A contradiction, for the person who scores.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// The play where it shows; none for the lineups.
    pub play: Option<Uuid>,
    /// What is wrong.
    pub problem: String,
    /// What would resolve it.
    pub resolution: &'static str,
}

impl Sheet {
    /// Builds the records.
    pub fn new(row: &stored::Game, lineups: &[Entry], log: &Log) -> Result<Self, Problem> {
        let mut records = infos(row);
        records.extend(starters(lineups));
        let prefix = records.len();
        let log: Vec<(Uuid, String)> = log.records().map(|(id, text)| (id, text.to_owned())).collect();
        for (play, text) in &log {
            let record = parse_record(text).map_err(|error| Problem::Notation {
                play: *play,
                at: error.at,
                expected: error.expected.to_owned(),
            })?;
            records.push(record);
        }
        Ok(Sheet { game: Game { id: GameId::new(&row.id.to_string()), records }, prefix, log })
    }

    /// The replay.
    pub fn replayed(&self) -> Replay {
        replay(&self.game)
    }

    /// The rules in force.
    pub fn rules(&self) -> GameRules {
        GameRules::of(&self.game)
    }

    /// The log's play at this index among the game's records.
    pub fn play(&self, record: usize) -> Option<Uuid> {
        self.log.get(record.checked_sub(self.prefix)?).map(|(id, _)| *id)
    }

    /// The contradictions of a replay, each at its play.
    pub fn placed<'r>(&self, replay: &'r Replay) -> Vec<Contradiction<'r>> {
        replay.contradictions.iter().map(|one| (self.play(one.record), &one.problem)).collect()
    }

    /// The same for people.
    pub fn contradictions(&self, replay: &Replay) -> Vec<Shown> {
        let shown = |(play, problem): Contradiction<'_>| Shown {
            play,
            problem: problem.to_string(),
            resolution: problem.resolution(),
        };
        self.placed(replay).into_iter().map(shown).collect()
    }

    /// For `private.save_plays`: the records that count, with their outcomes.
    pub fn current(&self, replay: &Replay) -> Vec<Value> {
        let outcomes = self.outcomes(replay);
        self.log.iter().zip(outcomes).map(|((id, _), outcome)| json!({ "id": id, "outcome": outcome })).collect()
    }

    /// For the reply: the same with their texts.
    pub fn records(&self, replay: &Replay) -> Vec<Value> {
        let outcomes = self.outcomes(replay);
        let record = |((id, record), outcome): (&(Uuid, String), Value)| json!({ "id": id, "record": record, "outcome": outcome });
        self.log.iter().zip(outcomes).map(record).collect()
    }

    fn outcomes(&self, replay: &Replay) -> Vec<Value> {
        let mut all = vec![Value::Null; self.log.len()];
        let values = win::values(&self.game, replay);
        for (index, one) in replay.outcomes.iter().enumerate() {
            if let Some(place) = one.record.checked_sub(self.prefix).and_then(|at| all.get_mut(at)) {
                *place = outcome::json(one);
                place["win"] = values.get(index).map(win::json).unwrap_or_default();
            }
        }
        all
    }

    /// The columns of `games` with count and pitches of the unfinished plate appearance; `None` if they are out of date.
    pub fn turn(&self, turn: &Turn) -> Option<Value> {
        let last = self.log.iter().rfind(|(_, text)| text.starts_with("play,")).map(|(id, _)| *id);
        let pitches = turn.letters().filter(|_| turn.after == last)?;
        let (balls, strikes) = pitches.count_after().unwrap_or_default();
        Some(json!({ "pitches": pitches.as_str(), "balls": balls, "strikes": strikes }))
    }

    /// The columns of `games` that follow from the plays. After the third out they show the next half-inning.
    pub fn state(&self, replay: &Replay, status: Status, ended: Option<Ended>) -> Value {
        let state = &replay.state;
        let decided = rules::is_decided(state, &self.rules(), self.game.bats_first());
        let turns = state.outs >= 3 && !decided && status != Status::Final;
        let half: Half = if turns { state.half.next(self.game.bats_first()) } else { state.half };
        let runner = |base: usize| state.bases[base].as_ref().filter(|_| !turns).map(|runner| runner.player.as_str());
        let (balls, strikes) = state.turn.count.filter(|_| !turns).unwrap_or_default();
        let batting = &state.lineups[half.batting.index()];
        let fielding = &state.lineups[half.batting.other().index()];
        json!({
            "status": status, "ended": ended,
            "visitor_runs": state.score[0], "home_runs": state.score[1],
            "inning": half.inning, "batting": half.batting.index(), "outs": if turns { 0 } else { state.outs },
            "balls": balls, "strikes": strikes, "pitches": "",
            "on_first": runner(0), "on_second": runner(1), "on_third": runner(2),
            "batter_id": batting.batter_due().map(PlayerId::as_str),
            "pitcher_id": fielding.fielder(1).map(PlayerId::as_str),
            "decided": decided,
        })
    }
}

fn infos(row: &stored::Game) -> Vec<Record> {
    let mut infos: Vec<(&str, String)> = vec![
        ("visteam", row.visitor_team_id.map_or_else(|| "visitor".to_owned(), |team| team.to_string())),
        ("hometeam", row.home_team_id.map_or_else(|| "home".to_owned(), |team| team.to_string())),
        ("date", row.played_on.replace('-', "/")),
        ("number", row.number.to_string()),
        ("innings", row.innings.to_string()),
        ("usedh", row.uses_dh.to_string()),
        ("reentry", row.reentry.to_string()),
        ("courtesyrunner", row.courtesy_runner.to_string()),
        ("htbf", row.home_bats_first.to_string()),
    ];
    infos.extend(row.run_rule.clone().map(|rule| ("runrule", rule)));
    infos.extend(row.extra_runner.map(|base| ("tiebreaker", base.to_string())));
    infos.extend(row.time_limit.map(|minutes| ("timelimit", minutes.to_string())));
    infos.extend(row.ended.map(|ended| (ended.info().0, ended.info().1.to_owned())));
    let info = |(key, value): (&str, String)| Record::Info { key: SmolStr::new(key), value: SmolStr::new(value) };
    infos.into_iter().map(info).collect()
}

fn starters(lineups: &[Entry]) -> Vec<Record> {
    let mut starters: Vec<&Entry> = lineups.iter().filter(|entry| entry.order.is_some()).collect();
    starters.sort_by_key(|entry| (entry.side, entry.order));
    let start = |entry: &Entry| {
        let position = Position::numbered(entry.position?)?;
        Some(Record::Start(Appearance {
            player: PlayerId::new(&entry.athlete.to_string()),
            name: SmolStr::default(),
            side: if entry.side == 0 { Side::Visitor } else { Side::Home },
            order: entry.order?,
            position,
            writing: Writing::default(),
        }))
    };
    starters.into_iter().filter_map(start).collect()
}
