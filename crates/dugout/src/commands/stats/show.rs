//! `dugout stats show`: a player's statistics, each with its formula and sample, from event files.

use std::fmt::Write;

use sabermetrics::expectancy::{
    ContextLine, ContextLines, ExpectancyTable, LeagueConstants, WinExpectancy, play_values, shipped, shipped_constants,
};
use sabermetrics::model::{Game, GameRules, PlayerId, Record, Side};
use sabermetrics::notation::print_record;
use sabermetrics::replay::{Replay, replay};
use sabermetrics::stats::{
    BATTING, Batting, Counter, Decisions, Definition, EarnedRuns, FIELDING, Fielding, Hands, PITCHING, Pitching,
    PlayerLines, Split, SplitBy, Splits, batting_plays, fielding_plays, game_lines, named, pitching_plays,
};

use super::event_files::{for_each_game, rosters};
use super::listing;
use super::output::say;
use crate::cli::ShowArgs;
use crate::exit::Failure;

/// Prints the statistics, the splits or the plays.
pub fn run(args: &ShowArgs) -> Result<(), Failure> {
    let player = PlayerId::new(&args.player);
    let mut shown = Shown::new(&player, args)?;
    let skipped = for_each_game(&args.from, |game| {
        if game.appearances().any(|who| who.player == player) {
            shown.add(&game);
        }
        Ok(())
    })?;
    if shown.games == 0 {
        let errors = if skipped.is_empty() { String::new() } else { format!("; unreadable:\n{}", skipped.join("\n")) };
        return Err(Failure::new(format!("{player} appears in no game of {}{errors}", args.from.display())));
    }
    say(&shown.text())
}

/// What was asked for, and the counts so far.
struct Shown<'a> {
    player: &'a PlayerId,
    by: Option<SplitBy>,
    plays: Option<Behind>,
    constants: LeagueConstants,
    hands: Hands,
    games: usize,
    lines: PlayerLines,
    splits: Splits,
    context: ContextLines,
    table: ExpectancyTable,
    /// By the rules of the games so far.
    chances: Vec<(GameRules, WinExpectancy)>,
    listed: String,
}

/// The counters behind the wanted statistic.
#[derive(Default)]
struct Behind {
    batting: Vec<Batting>,
    pitching: Vec<Pitching>,
    fielding: Vec<Fielding>,
}

impl Behind {
    fn of(key: &str) -> Result<Self, Failure> {
        let behind = Behind {
            batting: counters(BATTING, key),
            pitching: counters(PITCHING, key),
            fielding: counters(FIELDING, key),
        };
        if behind.batting.is_empty() && behind.pitching.is_empty() && behind.fielding.is_empty() {
            return Err(Failure::new(format!(
                "there is no statistic {key}; `dugout stats show PLAYER` lists them all"
            )));
        }
        Ok(behind)
    }

    fn records(&self, game: &Game, replayed: &Replay, player: &PlayerId) -> Vec<usize> {
        let mut records = batting_plays(game, replayed, player, &self.batting);
        records.extend(pitching_plays(game, replayed, player, &self.pitching));
        records.extend(fielding_plays(game, replayed, player, &self.fielding));
        records.sort_unstable();
        records.dedup();
        records
    }
}

fn counters<C: Counter>(group: &'static [Definition], key: &str) -> Vec<C> {
    match (C::named(key), named(group, key)) {
        (Some(counter), _) => vec![counter],
        (None, Some(definition)) => definition.counters(group),
        (None, None) => Vec::new(),
    }
}

impl<'a> Shown<'a> {
    fn new(player: &'a PlayerId, args: &ShowArgs) -> Result<Self, Failure> {
        Ok(Shown {
            player,
            by: args.by.as_deref().and_then(SplitBy::named),
            plays: args.plays.as_deref().map(Behind::of).transpose()?,
            constants: shipped_constants().map_err(Failure::new)?,
            hands: rosters(&args.from)?,
            games: 0,
            lines: PlayerLines::default(),
            splits: Splits::default(),
            context: ContextLines::default(),
            table: shipped().map_err(Failure::new)?,
            chances: Vec::new(),
            listed: String::new(),
        })
    }

    fn add(&mut self, game: &Game) {
        self.games += 1;
        let replayed = replay(game);
        if let Some(behind) = &self.plays {
            for record in behind.records(game, &replayed, self.player) {
                let text =
                    game.records.get(record).filter(|record| matches!(record, Record::Play(_))).map(print_record);
                // Writing to a string cannot fail.
                let _ = writeln!(self.listed, "{}  {}", game.id, text.unwrap_or_default());
            }
        } else if self.by.is_some() {
            self.splits.add(game, &replayed, &self.hands);
        } else {
            let lines = game_lines(game, &replayed, EarnedRuns::Official, Decisions::Official);
            for side in Side::BOTH {
                if let Some(own) = lines.sides[side.index()].get(self.player) {
                    self.lines.add(own);
                }
            }
            self.situations(game, &replayed);
        }
    }

    /// Adds what depends on the situation, by the shipped tables.
    fn situations(&mut self, game: &Game, replayed: &Replay) {
        let rules = GameRules::of(game);
        if !self.chances.iter().any(|(known, _)| *known == rules) {
            let chances = self.table.win_expectancy(&rules);
            self.chances.push((rules.clone(), chances));
        }
        let Some((_, chances)) = self.chances.iter().find(|(known, _)| *known == rules) else { return };
        let chances = chances.clone().batting_first(game.bats_first());
        self.context.add(&play_values(game, replayed, &self.table.matrix(), &chances));
    }

    fn text(self) -> String {
        if self.plays.is_some() {
            return if self.listed.is_empty() { "No play counts for it.\n".to_owned() } else { self.listed };
        }
        let mut text = format!("{}: {} games\n", self.player, self.games);
        // Without the games of a league, every park counts as neutral.
        let constants = self.constants.with_park(1.0);
        if let Some(by) = self.by {
            let of = |(player, (kind, _)): &(PlayerId, Split)| player == self.player && *kind == by;
            for ((_, (_, name)), line) in self.splits.batting.iter().filter(|(key, _)| of(key)) {
                listing::group(&mut text, &format!("Batting, {} {name}", by.name()), BATTING, line, &constants);
            }
            for ((_, (_, name)), line) in self.splits.pitching.iter().filter(|(key, _)| of(key)) {
                listing::group(&mut text, &format!("Pitching, {} {name}", by.name()), PITCHING, line, &constants);
            }
            return text;
        }
        let situations = |line: Option<&ContextLine>| line.map(ContextLine::values).unwrap_or_default();
        listing::batting(&mut text, &self.lines, &constants, &situations(self.context.batting.get(self.player)));
        listing::pitching(&mut text, &self.lines, &constants, &situations(self.context.pitching.get(self.player)));
        listing::fielding(&mut text, &self.lines, &constants);
        let _ = writeln!(text, "\nConstants and expectancy: {}", self.constants.source);
        text
    }
}
