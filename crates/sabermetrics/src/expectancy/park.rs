//! Park factors: how many runs a park adds, by comparing a team's games at home and on the road.

use std::collections::BTreeMap;

use crate::model::TeamId;

/// The result of a game, for park factors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParkGame {
    /// The visitors.
    pub visitor: TeamId,
    /// The home team, in whose park the game was played.
    pub home: TeamId,
    /// Runs of both teams.
    pub runs: u32,
}

/// The factor of a team's home park. 1 is neutral.
#[derive(Clone, Debug, PartialEq)]
pub struct ParkFactor {
    /// Games at home.
    pub home_games: u32,
    /// Games on the road.
    pub road_games: u32,
    /// Runs per game at home over runs per game on the road; `None` without games or runs on the road.
    pub raw: Option<f64>,
    /// The raw factor, drawn towards 1 the fewer games there are: n games count as n / (n + [`PRIOR_GAMES`]).
    pub regressed: f64,
}

/// Games of a team at which the raw factor and 1 have the same weight: one and a half seasons of the major leagues.
pub const PRIOR_GAMES: f64 = 243.0;

impl ParkFactor {
    fn new(home: (u32, u32), road: (u32, u32)) -> Self {
        let per_game = |(games, runs): (u32, u32)| (games > 0).then(|| f64::from(runs) / f64::from(games));
        let raw = match (per_game(home), per_game(road)) {
            (Some(home), Some(road)) if road > 0.0 => Some(home / road),
            _ => None,
        };
        let games = f64::from(home.0 + road.0);
        let regressed = raw.map_or(1.0, |raw| 1.0 + (raw - 1.0) * games / (games + PRIOR_GAMES));
        ParkFactor { home_games: home.0, road_games: road.0, raw, regressed }
    }

    /// The factor for a whole season of the home team, of which it plays half at home. This is the `PF` of OPS+, wRC+ and
    /// ERA+.
    #[must_use]
    pub fn season(&self) -> f64 {
        f64::midpoint(1.0, self.regressed)
    }
}

/// The factors of all teams with a game.
#[must_use]
pub fn park_factors(games: &[ParkGame]) -> BTreeMap<TeamId, ParkFactor> {
    let mut sums: BTreeMap<&TeamId, [(u32, u32); 2]> = BTreeMap::new();
    for game in games {
        for (team, road) in [(&game.home, 0), (&game.visitor, 1)] {
            let sum = &mut sums.entry(team).or_default()[road];
            *sum = (sum.0.saturating_add(1), sum.1.saturating_add(game.runs));
        }
    }
    sums.into_iter().map(|(team, [home, road])| (team.clone(), ParkFactor::new(home, road))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_drawn_towards_one() {
        let [high, low] = ["HIGH", "LOW"].map(TeamId::new);
        let game =
            |home: &TeamId, visitor: &TeamId, runs| ParkGame { home: home.clone(), visitor: visitor.clone(), runs };
        // 81 games in each park: 12 runs a game in one, 8 in the other.
        let games: Vec<ParkGame> = (0..81).flat_map(|_| [game(&high, &low, 12), game(&low, &high, 8)]).collect();
        let factors = park_factors(&games);
        let factor = &factors[&high];
        assert_eq!((factor.home_games, factor.road_games, factor.raw), (81, 81, Some(1.5)));
        // 162 / (162 + 243) = .4 of the difference; half of that for the season.
        assert!((factor.regressed - 1.2).abs() < 1e-12 && (factor.season() - 1.1).abs() < 1e-12);
        let home_only = park_factors(&[game(&high, &low, 20)]);
        assert_eq!((home_only[&high].raw, home_only[&high].regressed), (None, 1.0));
    }
}
