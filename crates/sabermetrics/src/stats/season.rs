//! Sums of lines over many games.

use std::collections::BTreeMap;

use super::{Batting, GameLines, Line, Pitching, PlayerLines, Team};
use crate::model::{PlayerId, Side, TeamId};

/// Totals by player and season, and by team and season.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Each player's season, over all teams.
    pub players: BTreeMap<(PlayerId, u16), PlayerLines>,
    /// Each team's season.
    pub teams: BTreeMap<(TeamId, u16), PlayerLines>,
    /// Each team's record.
    pub records: BTreeMap<(TeamId, u16), Line<Team>>,
    /// Games of each team.
    games: BTreeMap<(TeamId, u16), u32>,
}

impl Totals {
    /// Adds a game.
    pub fn add(&mut self, season: u16, teams: [Option<TeamId>; 2], game: &GameLines) {
        for (side, team) in Side::BOTH.into_iter().zip(teams) {
            for (player, lines) in &game.sides[side.index()] {
                self.players.entry((player.clone(), season)).or_default().add(lines);
                if let Some(team) = &team {
                    self.teams.entry((team.clone(), season)).or_default().add(lines);
                }
            }
            if let Some(team) = team {
                // A team plays one game, whatever the number of its players.
                let games = self.games.entry((team.clone(), season)).or_default();
                *games += 1;
                self.teams.entry((team, season)).or_default().batting.set(Batting::Games, *games);
            }
        }
    }

    /// Adds a game to the teams' records ([`team_lines`](super::team_lines)).
    pub fn add_record(&mut self, season: u16, teams: [Option<TeamId>; 2], lines: &[Line<Team>; 2]) {
        for (team, line) in teams.into_iter().zip(lines) {
            if let Some(team) = team {
                *self.records.entry((team, season)).or_default() += line;
            }
        }
    }
}

impl PlayerLines {
    /// Adds the lines of another game or player.
    pub fn add(&mut self, other: &PlayerLines) {
        self.batting += &other.batting;
        if let Some(pitching) = &other.pitching {
            *self.pitching.get_or_insert_with(Line::<Pitching>::default) += pitching;
        }
        for (position, line) in &other.fielding {
            *self.fielding.entry(*position).or_default() += line;
        }
    }
}
