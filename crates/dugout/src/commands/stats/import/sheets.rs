//! A game of an event file as the app stores it: ids of the database instead of the archive's.

use std::collections::HashMap;

use sabermetrics::model::{Adjustment, Appearance, Game, PlayerId, Position, Record, Side, TeamId, Writing};
use sabermetrics::notation::print_record;
use sabermetrics::rules::is_decided;
use serde_json::{Map, Value, json};
use smol_str::SmolStr;
use uuid::Uuid;

use crate::score::lines::lines;
use crate::score::log::Log;
use crate::score::request::{Entry, Play};
use crate::score::sheet::Sheet;
use crate::score::stored::{self, Status};

/// Ids of the database, by the archive's.
#[derive(Default)]
pub struct Ids {
    /// Teams, with their names.
    pub teams: HashMap<TeamId, (String, String)>,
    /// Players.
    pub athletes: HashMap<PlayerId, String>,
}

/// A game, ready to be saved.
pub struct Prepared {
    /// The row of `games`.
    pub row: Map<String, Value>,
    /// Rows of `lineups`.
    pub lineups: Vec<Value>,
    /// Rows of the log, for `private.save_plays`.
    pub plays: Vec<Play>,
    /// What counts, for `private.save_plays`.
    pub current: Vec<Value>,
    /// For `private.save_lines`.
    pub lines: Value,
    /// Starters and records, a line each, to compare with what the database has.
    pub text: String,
}

/// Facts with a column of their own.
const COLUMNS: &[&str] = &["visteam", "hometeam", "date", "number", "innings", "usedh", "htbf", "tiebreaker"];

/// Facts that name a player: the official scorer's decisions.
const DECISIONS: &[&str] = &["wp", "lp", "save"];

/// The official decisions and earned runs in the column `info`, as records. They come after the plays.
pub fn official(info: &Value) -> Vec<Record> {
    let text = |key: &'static str| Some((key, info.get(key)?.as_str()?));
    let decisions = DECISIONS.iter().filter_map(|key| text(key));
    let mut records: Vec<Record> =
        decisions.map(|(key, value)| Record::Info { key: SmolStr::new(key), value: SmolStr::new(value) }).collect();
    let earned = info.get("er").and_then(Value::as_object).into_iter().flatten();
    records.extend(earned.filter_map(|(player, runs)| {
        let runs = runs.as_u64()?.to_string();
        Some(Record::Data(vec![SmolStr::new("er"), SmolStr::new(player), SmolStr::new(runs)]))
    }));
    records
}

/// Prepares a game of this season, or says why it cannot be imported.
pub fn prepared(game: &Game, season: &str, ids: &Ids) -> Result<Prepared, &'static str> {
    let mut row = facts(game, ids)?;
    row.insert("id".to_owned(), json!(Uuid::new_v4()));
    row.insert("season_id".to_owned(), json!(season));
    let stored: stored::Game =
        serde_json::from_value(Value::Object(row.clone())).map_err(|_| "a game with facts that no game can have")?;
    let (entries, records) = translated(game, ids)?;
    let plays: Vec<Play> = (1_u128..)
        .zip(&records)
        .map(|(number, record)| Play {
            id: Uuid::from_u128(number),
            record: Some(print_record(record)),
            replaces: None,
            after: None,
        })
        .collect();
    let log = Log::new(&plays).map_err(|_| "a game with too many plays")?;
    let mut sheet = Sheet::new(&stored, &entries, &log).map_err(|_| "a game with plays that cannot be stored")?;
    sheet.game.records.extend(official(&row["info"]));
    let replay = sheet.replayed();
    if !replay.contradictions.is_empty() {
        return Err("a game whose plays contradict each other (`dugout stats replay` tells where)");
    }
    let called = !is_decided(&replay.state, &sheet.rules(), game.bats_first());
    if let Value::Object(state) = sheet.state(&replay, Status::Final, None) {
        row.extend(state.into_iter().filter(|(key, _)| key != "decided"));
    }
    if called && row["ended"].is_null() {
        row.insert("ended".to_owned(), json!("called"));
    }
    Ok(Prepared {
        text: text(&entries, &plays),
        lineups: entries.iter().map(|entry| lineup_row(&row["id"], entry)).collect(),
        current: sheet.current(&replay),
        lines: lines(&sheet, &replay, true),
        plays,
        row,
    })
}

/// The columns of `games` that come from `info` records.
fn facts(game: &Game, ids: &Ids) -> Result<Map<String, Value>, &'static str> {
    let team = |side| {
        let team = game.team(side).ok_or("a game without its teams")?;
        ids.teams.get(&team).ok_or("a game without its teams")
    };
    let (visitor, home) = (team(Side::Visitor)?, team(Side::Home)?);
    // The last digit of the id says the same.
    let number = game.info("number").and_then(|number| number.parse().ok()).filter(|number| *number <= 9);
    let number: u8 = number.or_else(|| game.id.as_str().get(11..12)?.parse().ok()).unwrap_or(0);
    let rules = sabermetrics::model::GameRules::of(game);
    let row = json!({
        "external_id": game.id.as_str(),
        "visitor_team_id": visitor.0, "visitor_name": visitor.1, "home_team_id": home.0, "home_name": home.1,
        "played_on": game.date().map(|date| date.replace('/', "-")).ok_or("a game without a date")?,
        "number": number, "is_public": true, "innings": rules.innings, "uses_dh": rules.designated_hitter,
        "reentry": false, "courtesy_runner": false, "run_rule": null, "time_limit": null,
        "extra_runner": rules.extra_runner.map(sabermetrics::model::Base::number),
        "home_bats_first": game.bats_first() == Side::Home, "status": "final", "ended": null, "revision": 0,
        "info": info(game, ids)?,
    });
    match row {
        Value::Object(row) => Ok(row),
        _ => Err("a game without facts"),
    }
}

/// The other facts, with athletes' ids in the decisions.
fn info(game: &Game, ids: &Ids) -> Result<Value, &'static str> {
    let athlete =
        |player: &str| ids.athletes.get(&PlayerId::new(player)).ok_or("a decision for somebody who did not play");
    let mut info = Map::new();
    for record in &game.records {
        let Record::Info { key, value } = record else { continue };
        if COLUMNS.contains(&key.as_str()) || value.is_empty() {
            continue;
        }
        let value = if DECISIONS.contains(&key.as_str()) { athlete(value)?.as_str() } else { value.as_str() };
        info.insert(key.to_string(), json!(value));
    }
    let mut earned = Map::new();
    for (player, runs) in game.official_earned_runs() {
        earned.insert(athlete(player.as_str())?.clone(), json!(runs));
    }
    if !earned.is_empty() {
        info.insert("er".to_owned(), Value::Object(earned));
    }
    Ok(Value::Object(info))
}

/// Everybody who appears, and the records of the log.
fn translated(game: &Game, ids: &Ids) -> Result<(Vec<Entry>, Vec<Record>), &'static str> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut records = Vec::new();
    for record in &game.records {
        if let Record::Start(who) | Record::Sub(who) = record {
            let entry = entry(who, matches!(record, Record::Start(_)), ids)?;
            if !entries.iter().any(|known| known.athlete == entry.athlete) {
                entries.push(entry);
            }
        }
        records.extend(translated_record(record, ids)?);
    }
    Ok((entries, records))
}

fn entry(who: &Appearance, starts: bool, ids: &Ids) -> Result<Entry, &'static str> {
    let starter = starts && who.position <= Position::DesignatedHitter;
    if starts && !starter {
        return Err("a game with a starter who has no position");
    }
    Ok(Entry {
        athlete: player(&who.player, ids)?.as_str().parse().map_err(|_| "a player without an id")?,
        side: u8::try_from(who.side.index()).unwrap_or(0),
        jersey: None,
        order: starter.then_some(who.order),
        position: starter.then(|| who.position.number()),
        name: None,
    })
}

fn player(player: &PlayerId, ids: &Ids) -> Result<PlayerId, &'static str> {
    ids.athletes.get(player).map(|id| PlayerId::new(id)).ok_or("a game with a player who is in no lineup")
}

fn translated_record(record: &Record, ids: &Ids) -> Result<Option<Record>, &'static str> {
    use Adjustment::{BatterHand, BattingOrder, PitcherHand, RunnerCharged, RunnerPlaced};
    let player = |id: &PlayerId| player(id, ids);
    Ok(Some(match record {
        Record::Sub(who) => {
            let writing = Writing::default();
            Record::Sub(Appearance { player: player(&who.player)?, name: SmolStr::default(), writing, ..who.clone() })
        }
        Record::Play(play) => {
            let mut play = play.clone();
            play.batter = player(&play.batter)?;
            play.respell();
            Record::Play(play)
        }
        Record::Adjust(adjustment) => Record::Adjust(match adjustment {
            BatterHand(who, hand) => BatterHand(player(who)?, hand.clone()),
            PitcherHand(who, hand) => PitcherHand(player(who)?, hand.clone()),
            BattingOrder(side, order) => BattingOrder(*side, *order),
            RunnerPlaced(who, base) => RunnerPlaced(player(who)?, *base),
            RunnerCharged(who, base) => RunnerCharged(player(who)?, *base),
        }),
        Record::Version(_)
        | Record::Info { .. }
        | Record::Start(_)
        | Record::Comment(_)
        | Record::Data(_)
        | Record::Other(_) => return Ok(None),
    }))
}

fn lineup_row(game: &Value, entry: &Entry) -> Value {
    json!({
        "game_id": game, "athlete_id": entry.athlete, "side": entry.side, "bat_order": entry.order,
        "position": entry.position,
    })
}

fn text(entries: &[Entry], plays: &[Play]) -> String {
    let mut starters: Vec<&Entry> = entries.iter().filter(|entry| entry.order.is_some()).collect();
    starters.sort_by_key(|entry| (entry.side, entry.order));
    let number = |number: Option<u8>| number.unwrap_or(0);
    let starters = starters
        .into_iter()
        .map(|entry| format!("{},{},{},{}", entry.athlete, entry.side, number(entry.order), number(entry.position)));
    let records = plays.iter().filter_map(|play| play.record.clone());
    starters.chain(records).collect::<Vec<_>>().join("\n")
}
