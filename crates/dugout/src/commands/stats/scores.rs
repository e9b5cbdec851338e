//! `dugout stats box`: the box score of a game of an event file.

use sabermetrics::replay::replay;
use sabermetrics::report::box_score;
use sabermetrics::stats::{Decisions, EarnedRuns, game_lines};

use super::event_files::for_each_game;
use super::output::say;
use crate::cli::BoxArgs;
use crate::exit::Failure;

/// Prints the box score.
pub fn run(args: &BoxArgs) -> Result<(), Failure> {
    let mut found = None;
    let skipped = for_each_game(&args.from, |game| {
        if game.id.as_str() == args.game {
            let replayed = replay(&game);
            let lines = game_lines(&game, &replayed, EarnedRuns::Official, Decisions::Official);
            found = Some(box_score(&game, &replayed, &lines));
        }
        Ok(())
    })?;
    match found {
        Some(text) => say(&text),
        None => {
            let errors =
                if skipped.is_empty() { String::new() } else { format!("; unreadable:\n{}", skipped.join("\n")) };
            Err(Failure::new(format!("there is no game {} in {}{errors}", args.game, args.from.display())))
        }
    }
}
