//! The rows of the derived tables, by their column names in `supabase/migrations/20261123030100_create_plays.sql`.

use std::collections::BTreeMap;

use sabermetrics::model::{Appearance, PlayerId, Side};
use sabermetrics::replay::Replay;
use sabermetrics::stats::{
    Batting, Counter, Decisions, EarnedRuns, Fielding, GameLines, Line, Pitching, PlayerLines, game_lines,
};
use serde_json::{Map, Value, json};

use super::sheet::Sheet;

const BATTING: &[(&str, Batting)] = &[
    ("pa", Batting::PlateAppearances),
    ("ab", Batting::AtBats),
    ("r", Batting::Runs),
    ("h", Batting::Hits),
    ("doubles", Batting::Doubles),
    ("triples", Batting::Triples),
    ("hr", Batting::HomeRuns),
    ("rbi", Batting::RunsBattedIn),
    ("sb", Batting::StolenBases),
    ("cs", Batting::CaughtStealing),
    ("bb", Batting::Walks),
    ("so", Batting::Strikeouts),
    ("ibb", Batting::IntentionalWalks),
    ("hbp", Batting::HitByPitch),
    ("sh", Batting::SacrificeHits),
    ("sf", Batting::SacrificeFlies),
    ("gidp", Batting::DoublePlays),
];

/// Wins, losses, saves, holds and blown saves are last: they are given only when the game is final.
const PITCHING: &[(&str, Pitching)] = &[
    ("gs", Pitching::Starts),
    ("outs", Pitching::Outs),
    ("bfp", Pitching::BattersFaced),
    ("h", Pitching::Hits),
    ("r", Pitching::Runs),
    ("er", Pitching::EarnedRuns),
    ("hr", Pitching::HomeRuns),
    ("bb", Pitching::Walks),
    ("so", Pitching::Strikeouts),
    ("ibb", Pitching::IntentionalWalks),
    ("wp", Pitching::WildPitches),
    ("hbp", Pitching::HitByPitch),
    ("bk", Pitching::Balks),
];
const DECISIONS: &[(&str, Pitching)] = &[
    ("w", Pitching::Wins),
    ("l", Pitching::Losses),
    ("sv", Pitching::Saves),
    ("hld", Pitching::Holds),
    ("bs", Pitching::BlownSaves),
    ("cg", Pitching::CompleteGames),
    ("sho", Pitching::Shutouts),
];

const FIELDING: &[(&str, Fielding)] = &[
    ("gs", Fielding::Starts),
    ("outs", Fielding::Outs),
    ("po", Fielding::Putouts),
    ("a", Fielding::Assists),
    ("e", Fielding::Errors),
    ("dp", Fielding::DoublePlays),
    ("pb", Fielding::PassedBalls),
    ("wp", Fielding::WildPitches),
    ("sb", Fielding::StolenBases),
    ("cs", Fielding::CaughtStealing),
];

/// All derived rows of a game, for `private.save_lines`.
pub fn lines(sheet: &Sheet, replay: &Replay, is_final: bool) -> Value {
    let game = &sheet.game;
    // Games of archives have official decisions; in all others these are the engine's.
    let lines = game_lines(game, replay, EarnedRuns::Official, Decisions::Official);
    let mut rows = Rows { game: game.id.as_str(), is_final, batting: vec![], pitching: vec![], fielding: vec![] };
    for side in Side::BOTH {
        let pitchers = lines.pitchers(game, side);
        for (player, own) in &lines.sides[side.index()] {
            let appearances: Vec<&Appearance> = game.appearances().filter(|who| &who.player == player).collect();
            rows.batting(side, player, own, &appearances);
            rows.pitching(side, player, own, &pitchers);
            rows.fielding(side, player, own);
        }
    }
    json!({
        "score": Side::BOTH.map(|side| line_score(game.id.as_str(), replay, &lines, side)),
        "batting": rows.batting, "pitching": rows.pitching, "fielding": rows.fielding,
    })
}

struct Rows<'g> {
    game: &'g str,
    is_final: bool,
    batting: Vec<Value>,
    pitching: Vec<Value>,
    fielding: Vec<Value>,
}

impl Rows<'_> {
    fn row<C: Counter>(
        &self,
        side: Side,
        player: &PlayerId,
        line: &Line<C>,
        columns: &[(&str, C)],
    ) -> Map<String, Value> {
        let mut row = Map::new();
        row.insert("game_id".to_owned(), json!(self.game));
        row.insert("athlete_id".to_owned(), json!(player.as_str()));
        row.insert("side".to_owned(), json!(side.index()));
        row.extend(columns.iter().map(|(name, counter)| ((*name).to_owned(), json!(line.get(*counter)))));
        row
    }

    /// A row for everybody who took a place in the order.
    fn batting(&mut self, side: Side, player: &PlayerId, own: &PlayerLines, appearances: &[&Appearance]) {
        let Some(first) = appearances.iter().find(|who| who.order > 0) else { return };
        let mut positions: Vec<&str> = appearances.iter().map(|who| who.position.abbreviation()).collect();
        positions.dedup();
        let mut row = self.row(side, player, &own.batting, BATTING);
        row.insert("bat_order".to_owned(), json!(first.order));
        row.insert("positions".to_owned(), json!(positions.join("-")));
        row.insert("more".to_owned(), more(&own.batting, BATTING));
        self.batting.push(Value::Object(row));
    }

    fn pitching(&mut self, side: Side, player: &PlayerId, own: &PlayerLines, pitchers: &[&PlayerId]) {
        let Some(line) = &own.pitching else { return };
        let Some(number) = pitchers.iter().position(|pitcher| *pitcher == player) else { return };
        let mut row = self.row(side, player, line, PITCHING);
        for (name, counter) in DECISIONS {
            let count = if self.is_final { line.get(*counter) } else { 0 };
            row.insert((*name).to_owned(), json!(count));
        }
        row.insert("number".to_owned(), json!(number + 1));
        row.insert("pitches".to_owned(), json!(line.known(Pitching::Pitches)));
        row.insert("strikes".to_owned(), json!(line.known(Pitching::Strikes)));
        row.insert("more".to_owned(), more(line, &[PITCHING, DECISIONS].concat()));
        self.pitching.push(Value::Object(row));
    }

    fn fielding(&mut self, side: Side, player: &PlayerId, own: &PlayerLines) {
        for (position, line) in &own.fielding {
            let mut row = self.row(side, player, line, FIELDING);
            row.insert("position".to_owned(), json!(position));
            self.fielding.push(Value::Object(row));
        }
    }
}

/// The counters above 0 that have no column.
fn more<C: Counter>(line: &Line<C>, columns: &[(&str, C)]) -> Value {
    let has_column = |counter: C| columns.iter().any(|(_, column)| *column == counter) || counter.name() == "G";
    let others = C::ALL.iter().filter(|counter| !has_column(**counter) && line.get(**counter) > 0);
    Value::Object(others.map(|counter| (counter.name().to_owned(), json!(line.get(*counter)))).collect())
}

fn line_score(game: &str, replay: &Replay, lines: &GameLines, side: Side) -> Value {
    let mut innings: Vec<Option<u16>> = Vec::new();
    // The runners at the end of each of the side's half-innings.
    let mut left: BTreeMap<u8, usize> = BTreeMap::new();
    for outcome in replay.outcomes.iter().filter(|outcome| outcome.batting() == side) {
        let inning = usize::from(outcome.half.inning);
        if innings.len() < inning {
            innings.resize(inning, None);
        }
        if let Some(runs) = innings.get_mut(inning - 1) {
            *runs = Some(runs.unwrap_or(0) + outcome.run_count());
        }
        left.insert(outcome.half.inning, outcome.bases_after.iter().flatten().count());
    }
    let own = lines.sides[side.index()].values();
    let hits: u32 = own.clone().map(|line| line.batting.get(Batting::Hits)).sum();
    let errors: u32 = own.flat_map(|line| line.fielding.values()).map(|line| line.get(Fielding::Errors)).sum();
    json!({
        "game_id": game, "side": side.index(), "innings": innings, "runs": replay.state.score[side.index()],
        "hits": hits, "errors": errors, "left_on_base": left.values().sum::<usize>(),
    })
}
