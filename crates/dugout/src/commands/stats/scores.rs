//! `dugout stats box`: the box score of a game of an event file, or of the app.

use sabermetrics::model::Game;
use sabermetrics::replay::replay;
use sabermetrics::report::box_score;
use sabermetrics::stats::{Decisions, EarnedRuns, game_lines};

use super::event_files::for_each_game;
use super::output::say;
use super::stored_games::{Wanted, for_each_stored_game};
use crate::cli::BoxArgs;
use crate::exit::Failure;

/// Prints the box score.
pub async fn run(args: &BoxArgs) -> Result<(), Failure> {
    let mut found = None;
    let mut take = |game: Game| {
        let replayed = replay(&game);
        let lines = game_lines(&game, &replayed, EarnedRuns::Official, Decisions::Official);
        found = Some(box_score(&game, &replayed, &lines));
        Ok(())
    };
    let (skipped, place) = match &args.from {
        Some(source) => {
            let skipped =
                for_each_game(source, |game| if game.id.as_str() == args.game { take(game) } else { Ok(()) })?;
            (skipped, source.display().to_string())
        }
        None => {
            let wanted = Wanted { game: Some(&args.game), ..Wanted::default() };
            (for_each_stored_game(&args.server, wanted, take).await?, "the app's tables".to_owned())
        }
    };
    match found {
        Some(text) => say(&text),
        None => {
            let errors =
                if skipped.is_empty() { String::new() } else { format!("; unreadable:\n{}", skipped.join("\n")) };
            Err(Failure::new(format!("there is no game {} in {place}{errors}", args.game)))
        }
    }
}
