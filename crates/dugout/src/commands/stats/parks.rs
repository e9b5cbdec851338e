//! `dugout stats parks`: the park factor of each team, from event files.

use std::collections::BTreeMap;
use std::fmt::Write;

use sabermetrics::expectancy::{ParkFactor, ParkGame, park_factors};
use sabermetrics::model::{Game, Side, TeamId};
use sabermetrics::replay::{Replay, replay};
use smol_str::SmolStr;

use super::event_files::for_each_game;
use super::output::say;
use super::tables::table;
use crate::cli::ParksArgs;
use crate::exit::Failure;

/// Prints the factors, and writes them as CSV if a file is named.
pub fn run(args: &ParksArgs) -> Result<(), Failure> {
    let mut parks = Parks::default();
    let skipped = for_each_game(&args.source, |game| {
        parks.add(&game, &replay(&game));
        Ok(())
    })?;
    if !skipped.is_empty() {
        return Err(Failure::new(format!("files have errors, and no factor is computed:\n{}", skipped.join("\n"))));
    }
    let games = parks.games();
    let factors = park_factors(&games);
    if let Some(path) = &args.out {
        let header = ["team", "home_games", "road_games", "raw", "regressed", "season"];
        table(path, &header, factors.iter().map(|(team, factor)| row(team, factor)))?;
    }
    let mut text = format!("{} games in the home teams' usual parks\n", games.len());
    for (team, factor) in &factors {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:<4}{}", team.as_str(), described(factor));
    }
    say(&text)
}

/// A factor in words.
pub fn described(factor: &ParkFactor) -> String {
    let raw = factor.raw.map_or_else(|| "—".to_owned(), |raw| format!("{raw:.3}"));
    format!(
        "{:.3} over a season, {:.3} in the park (before it is drawn towards 1: {raw}; home games {}, road games {})",
        factor.season(),
        factor.regressed,
        factor.home_games,
        factor.road_games
    )
}

fn row(team: &TeamId, factor: &ParkFactor) -> Vec<String> {
    vec![
        team.to_string(),
        factor.home_games.to_string(),
        factor.road_games.to_string(),
        factor.raw.map(|raw| format!("{raw:.4}")).unwrap_or_default(),
        format!("{:.4}", factor.regressed),
        format!("{:.4}", factor.season()),
    ]
}

/// Games with their parks.
#[derive(Default)]
pub struct Parks {
    games: Vec<(ParkGame, Option<SmolStr>)>,
    /// Number of games by home team and park.
    sites: BTreeMap<(TeamId, Option<SmolStr>), u32>,
}

impl Parks {
    /// Adds a game of two named teams.
    pub fn add(&mut self, game: &Game, replayed: &Replay) {
        let [Some(visitor), Some(home)] = Side::BOTH.map(|side| game.team(side)) else { return };
        let site = game.info("site").map(SmolStr::new);
        *self.sites.entry((home.clone(), site.clone())).or_default() += 1;
        let runs = replayed.state.score.into_iter().map(u32::from).sum();
        self.games.push((ParkGame { visitor, home, runs }, site));
    }

    /// The games in the home team's usual park. A few are played elsewhere, and say nothing about it.
    pub fn games(&self) -> Vec<ParkGame> {
        let mut usual: BTreeMap<&TeamId, (&Option<SmolStr>, u32)> = BTreeMap::new();
        for ((team, site), count) in &self.sites {
            let most = usual.entry(team).or_insert((site, *count));
            if *count > most.1 {
                *most = (site, *count);
            }
        }
        let at_home =
            |(game, site): &&(ParkGame, Option<SmolStr>)| usual.get(&game.home).is_some_and(|most| most.0 == site);
        self.games.iter().filter(at_home).map(|(game, _)| game.clone()).collect()
    }
}
