//! `dugout stats team`: a team's record and statistics, each with its formula and sample, from event files.

use sabermetrics::expectancy::{LeagueConstants, ParkFactor, park_factors, shipped_constants};
use sabermetrics::model::{Game, Side, TeamId};
use sabermetrics::replay::replay;
use sabermetrics::stats::{
    BATTING, Batting, Decisions, EarnedRuns, Fielding, Hands, Line, PITCHING, Pitching, PlayerLines, SplitBy, Splits,
    TEAM, Team, game_lines, team_lines,
};

use super::event_files::{for_each_game, rosters};
use super::listing;
use super::output::say;
use super::parks::{Parks, described};
use crate::cli::TeamArgs;
use crate::exit::Failure;

/// Prints the statistics or the splits.
pub fn run(args: &TeamArgs) -> Result<(), Failure> {
    let mut shown = Shown {
        team: TeamId::new(&args.team),
        by: args.by.as_deref().and_then(SplitBy::named),
        constants: shipped_constants().map_err(Failure::new)?,
        hands: rosters(&args.from)?,
        parks: Parks::default(),
        games: 0,
        record: Line::default(),
        lines: PlayerLines::default(),
        splits: Splits::default(),
    };
    let skipped = for_each_game(&args.from, |game| {
        shown.add(&game);
        Ok(())
    })?;
    if shown.games == 0 {
        let errors = if skipped.is_empty() { String::new() } else { format!("; unreadable:\n{}", skipped.join("\n")) };
        return Err(Failure::new(format!("{} plays in no game of {}{errors}", args.team, args.from.display())));
    }
    say(&shown.text())
}

/// What was asked for, and the counts so far.
struct Shown {
    team: TeamId,
    by: Option<SplitBy>,
    constants: LeagueConstants,
    hands: Hands,
    parks: Parks,
    games: u32,
    record: Line<Team>,
    lines: PlayerLines,
    splits: Splits,
}

impl Shown {
    fn add(&mut self, game: &Game) {
        let side = Side::BOTH.into_iter().find(|side| game.team(*side).as_ref() == Some(&self.team));
        let replayed = replay(game);
        self.parks.add(game, &replayed);
        let Some(side) = side else { return };
        self.games += 1;
        if self.by.is_some() {
            return self.splits.add(game, &replayed, &self.hands);
        }
        self.record += &team_lines(game, &replayed)[side.index()];
        let lines = game_lines(game, &replayed, EarnedRuns::Official, Decisions::Official);
        lines.sides[side.index()].values().for_each(|player| self.lines.add(player));
        // A team plays one game, whatever the number of its players.
        self.lines.batting.set(Batting::Games, self.games);
        if let Some(pitching) = &mut self.lines.pitching {
            pitching.set(Pitching::Games, self.games);
        }
        self.lines.fielding.values_mut().for_each(|line| line.set(Fielding::Games, self.games));
    }

    fn text(&self) -> String {
        let factors = park_factors(&self.parks.games());
        let park = factors.get(&self.team);
        let constants = self.constants.with_park(park.map_or(1.0, ParkFactor::season));
        let mut text = format!("{}: {} games\n", self.team, self.games);
        match self.by {
            Some(by) => self.split(by, &mut text, park),
            None => {
                listing::group(&mut text, "Record", TEAM, &self.record, &constants);
                listing::batting(&mut text, &self.lines, &constants, &[]);
                listing::pitching(&mut text, &self.lines, &constants, &[]);
                listing::fielding(&mut text, &self.lines, &constants);
            }
        }
        if let Some(park) = park {
            text.push_str(&format!("\nPark factor: {}\n", described(park)));
        }
        text.push_str(&format!("Constants: {}\n", self.constants.source));
        text
    }

    fn split(&self, by: SplitBy, text: &mut String, park: Option<&ParkFactor>) {
        let own = self.splits.teams.iter().filter(|((team, (kind, _)), _)| *team == self.team && *kind == by);
        for ((_, (_, name)), lines) in own {
            // At home the park counts in full; the parks on the road count as neutral.
            let factor = park.map_or(1.0, |park| match (by, name.as_str()) {
                (SplitBy::Venue, "home") => park.regressed,
                (SplitBy::Venue, _) => 1.0,
                _ => park.season(),
            });
            let constants = self.constants.with_park(factor);
            let title = |group: &str| format!("{group}, {} {name}", by.name());
            listing::group(text, &title("Record"), TEAM, &lines.record, &constants);
            listing::group(text, &title("Batting"), BATTING, &lines.batting, &constants);
            listing::group(text, &title("Pitching"), PITCHING, &lines.pitching, &constants);
        }
    }
}
