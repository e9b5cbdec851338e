//! `dugout stats expectancy`: run and win expectancy tables and linear weights from event files.

use std::collections::BTreeSet;

use sabermetrics::expectancy::{LinearWeights, Tally};
use sabermetrics::replay::replay;
use sabermetrics::stats::{Decisions, EarnedRuns, game_lines};

use super::event_files::for_each_game;
use super::output::say;
use crate::cli::ExpectancyArgs;
use crate::exit::Failure;

/// Counts what followed each situation, writes the table and prints the weights.
pub fn run(args: &ExpectancyArgs) -> Result<(), Failure> {
    let mut tally = Tally::default();
    let mut seasons = BTreeSet::new();
    let mut games = 0_usize;
    let skipped = for_each_game(&args.source, |game| {
        let replayed = replay(&game);
        tally.add(&game, &replayed.outcomes);
        let lines = game_lines(&game, &replayed, EarnedRuns::Official, Decisions::Official);
        for player in lines.sides.iter().flat_map(|side| side.values()) {
            tally.add_batting(&player.batting);
        }
        seasons.extend(game.season());
        games += 1;
        Ok(())
    })?;
    if !skipped.is_empty() {
        return Err(Failure::new(format!("files have errors, and no table is written:\n{}", skipped.join("\n"))));
    }
    let years: Vec<String> = seasons.iter().map(u16::to_string).collect();
    let source = args.credit.as_deref().unwrap_or("no credit was given");
    let table = tally.table(&format!("Computed from {games} games of {}. {source}", years.join(", ")));
    std::fs::write(&args.out, table.to_csv())
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}", args.out.display())))?;
    let weights = tally.linear_weights(&table.matrix()).map(|weights| print(&weights)).unwrap_or_default();
    say(&format!("{games} games counted, written to {}.\n{weights}", args.out.display()))
}

fn print(weights: &LinearWeights) -> String {
    let LinearWeights { walk, hit_by_pitch, single, double, triple, home_run, scale, .. } = weights;
    format!(
        "wBB {walk:.3}  wHBP {hit_by_pitch:.3}  w1B {single:.3}  w2B {double:.3}  w3B {triple:.3}  wHR {home_run:.3}  scale \
         {scale:.3}\n"
    )
}
