//! `dugout stats replay`: scores and season totals from event files.

use sabermetrics::model::{Game, Side};
use sabermetrics::replay::{Replay, replay};
use sabermetrics::stats::{Decisions, EarnedRuns, Totals, game_lines};

use super::event_files::for_each_game;
use super::output::say;
use super::{compare, tables};
use crate::cli::ReplayArgs;
use crate::exit::Failure;

/// Replays all games and writes the tables.
pub fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let (earned, decided) = if args.computed {
        (EarnedRuns::Computed, Decisions::Computed)
    } else {
        (EarnedRuns::Official, Decisions::Official)
    };
    let mut season = Season::default();
    let skipped = for_each_game(&args.source, |game| {
        let replayed = replay(&game);
        let lines = game_lines(&game, &replayed, earned, decided);
        let teams = Side::BOTH.map(|side| game.team(side));
        season.totals.add(game.season().unwrap_or(0), teams, &lines);
        season.note(&game, &replayed);
        if args.compare {
            season.differences.extend(compare::differences(&game, &replayed));
        }
        Ok(())
    })?;
    tables::write(&args.out, &season)?;
    season.report(&skipped, args)
}

/// The results of all games.
#[derive(Default)]
pub struct Season {
    pub games: Vec<Score>,
    pub totals: Totals,
    pub differences: Vec<compare::Difference>,
    plays: usize,
    contradictions: Vec<String>,
}

/// A row of games.csv.
pub struct Score {
    pub game: String,
    pub date: String,
    pub teams: [String; 2],
    pub runs: [u16; 2],
    pub innings: u8,
}

impl Season {
    fn note(&mut self, game: &Game, replayed: &Replay) {
        let team = |side| game.team(side).map(|team| team.to_string()).unwrap_or_default();
        self.games.push(Score {
            game: game.id.to_string(),
            date: game.date().unwrap_or_default().replace('/', "-"),
            teams: Side::BOTH.map(team),
            runs: replayed.state.score,
            innings: replayed.outcomes.iter().map(|outcome| outcome.half.inning).max().unwrap_or(0),
        });
        self.plays += replayed.outcomes.len();
        let found = replayed.contradictions.iter().map(|contradiction| format!("{}, {contradiction}", game.id));
        self.contradictions.extend(found);
    }

    fn report(&self, skipped: &[String], args: &ReplayArgs) -> Result<(), Failure> {
        let mut text =
            format!("{} games, {} plays, written to {}.\n", self.games.len(), self.plays, args.out.display());
        if args.compare {
            text.push_str(&compare::summary(&self.differences));
        }
        for contradiction in &self.contradictions {
            text.push_str(&format!("Read as well as it can be: {contradiction}\n"));
        }
        say(&text)?;
        if skipped.is_empty() {
            return Ok(());
        }
        let games = if skipped.len() == 1 { "a game is" } else { "games are" };
        Err(Failure::new(format!(
            "{games} missing from the tables, as their files have errors:\n{}",
            skipped.join("\n")
        )))
    }
}
