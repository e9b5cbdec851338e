//! `dugout stats expectancy`: run and win expectancy tables, linear weights and a league's constants from event files.

use std::collections::BTreeSet;
use std::path::Path;

use sabermetrics::expectancy::{CONSTANTS, LeagueConstants, LinearWeights, Tally};
use sabermetrics::model::GameRules;
use sabermetrics::replay::replay;
use sabermetrics::stats::{Decisions, EarnedRuns, Line, Pitching, game_lines};

use super::event_files::for_each_game;
use super::output::say;
use crate::cli::ExpectancyArgs;
use crate::exit::Failure;

/// Counts what followed each situation, writes the tables and prints the weights.
pub fn run(args: &ExpectancyArgs) -> Result<(), Failure> {
    let mut league = League::default();
    let skipped = for_each_game(&args.source, |game| {
        league.add(&game);
        Ok(())
    })?;
    if !skipped.is_empty() {
        return Err(Failure::new(format!("files have errors, and no table is written:\n{}", skipped.join("\n"))));
    }
    let source = league.source(args.credit.as_deref());
    let table = league.tally.table(&source);
    write(&args.out, &table.to_csv())?;
    let mut text = format!("{} games counted, written to {}.\n", league.games, args.out.display());
    if let Some(weights) = league.tally.linear_weights(&table.matrix()) {
        text.push_str(&print(&weights));
    }
    if let Some(path) = &args.constants {
        let (tally, pitching) = (&league.tally, &league.pitching);
        let constants = LeagueConstants::new(tally, &table.matrix(), pitching, league.innings, &source).ok_or_else(|| {
            Failure::new(
                "the games are too few for constants: a kind of hit, a walk, a steal or a caught stealing is missing; add \
                 games, or use the constants of the level above",
            )
        })?;
        write(path, &constants.to_csv())?;
        for (name, meaning) in CONSTANTS {
            if let Some(value) = constants.get(name) {
                text.push_str(&format!("{name:<8}{value:>8.3}  {meaning}\n"));
            }
        }
    }
    say(&text)
}

/// The games of a league.
#[derive(Default)]
struct League {
    tally: Tally,
    pitching: Line<Pitching>,
    seasons: BTreeSet<u16>,
    games: usize,
    innings: u8,
}

impl League {
    fn add(&mut self, game: &sabermetrics::model::Game) {
        let replayed = replay(game);
        self.tally.add(game, &replayed.outcomes);
        let lines = game_lines(game, &replayed, EarnedRuns::Official, Decisions::Official);
        for player in lines.sides.iter().flat_map(|side| side.values()) {
            self.tally.add_batting(&player.batting);
            if let Some(pitching) = &player.pitching {
                self.pitching += pitching;
            }
        }
        self.seasons.extend(game.season());
        self.games += 1;
        self.innings = self.innings.max(GameRules::of(game).innings);
    }

    fn source(&self, credit: Option<&str>) -> String {
        let years: Vec<String> = self.seasons.iter().map(u16::to_string).collect();
        let credit = credit.unwrap_or("no credit was given");
        format!("Computed from {} games of {}. {credit}", self.games, years.join(", "))
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::new(format!("{} cannot be written: {error}", path.display())))
}

fn print(weights: &LinearWeights) -> String {
    let LinearWeights { walk, hit_by_pitch, single, double, triple, home_run, scale, .. } = weights;
    format!(
        "wBB {walk:.3}  wHBP {hit_by_pitch:.3}  w1B {single:.3}  w2B {double:.3}  w3B {triple:.3}  wHR {home_run:.3}  scale \
         {scale:.3}\n"
    )
}
