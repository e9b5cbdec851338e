//! Teams: Bradley-Terry, with Elo and the rating percentage index beside it.

use std::collections::BTreeMap;

use sabermetrics::ratings::{ELO_HOME, ELO_K, ELO_START, Outcome, POINTS, RIDGE, Schedule, bradley_terry, elo, rpi};
use serde::Deserialize;
use serde_json::{Value, json};
use server::functions::native::NativeError;
use uuid::Uuid;

use super::{Rated, refused};

/// The most teams of a run: the arithmetic grows with their third power.
pub const MAX_TEAMS: usize = 1000;
/// Below this a rating is provisional.
const LEAST_GAMES: u32 = 10;

/// The answer of `private.begin_rating`.
#[derive(Debug, Deserialize)]
pub struct Inputs {
    games: Vec<Game>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Game {
    home: Uuid,
    visitor: Uuid,
    home_runs: u32,
    visitor_runs: u32,
}

/// What the games against one opponent came to.
#[derive(Clone, Copy, Debug, Default)]
struct Against {
    wins: u32,
    losses: u32,
    ties: u32,
    points: f64,
}

/// Rates every team with a game.
pub fn rate(inputs: &Inputs) -> Result<Rated, NativeError> {
    let mut numbers: BTreeMap<Uuid, usize> =
        inputs.games.iter().flat_map(|game| [(game.home, 0), (game.visitor, 0)]).collect();
    for (number, place) in numbers.values_mut().enumerate() {
        *place = number;
    }
    if numbers.len() > MAX_TEAMS {
        return Err(refused(409, "TOO_MANY_TEAMS", &format!("A run rates up to {MAX_TEAMS} teams.")));
    }
    let games = inputs
        .games
        .iter()
        .filter_map(|game| {
            let (home, visitor) = (*numbers.get(&game.home)?, *numbers.get(&game.visitor)?);
            Some(Outcome { home, visitor, home_runs: game.home_runs, visitor_runs: game.visitor_runs })
        })
        .collect();
    let unusable = || refused(409, "UNUSABLE_GAMES", "These games cannot be rated.");
    let schedule = Schedule::new(numbers.len(), games).ok_or_else(unusable)?;
    let fitted = bradley_terry(&schedule).ok_or_else(unusable)?;
    let (elo, rpi, pools) = (elo(&schedule), rpi(&schedule), schedule.pools());
    let against = by_opponent(&schedule, &fitted.contributions);
    let teams: Vec<Uuid> = numbers.into_keys().collect();
    let ratings = teams
        .iter()
        .enumerate()
        .map(|(team, id)| {
            let total =
                against[team].values().fold([0; 3], |sum, o| [sum[0] + o.wins, sum[1] + o.losses, sum[2] + o.ties]);
            json!({
                "id": id, "value": ELO_START + POINTS * fitted.strengths[team], "sd": POINTS * fitted.deviations[team],
                "elo": elo[team], "rpi": rpi[team], "wins": total[0], "losses": total[1], "ties": total[2],
                "pool": pools[team], "why": why(&against[team], &teams),
            })
        })
        .collect();
    let method = format!(
        "Bradley-Terry on wins, losses and ties (half a win), with a ridge of {RIDGE} on every strength and on the home term, \
         which is estimated from the same games; {POINTS:.1} points for a unit of log-odds around {ELO_START}. Elo beside it: \
         {ELO_K} points a game, {ELO_HOME} for playing at home. RPI: 0.25 own, 0.50 opponents', 0.25 their opponents' winning \
         percentage."
    );
    let params = json!({ "ridge": RIDGE, "home_points": POINTS * fitted.home, "games": schedule.games().len(), "least_games": LEAST_GAMES });
    Ok(Rated { method, params, ratings })
}

/// By team and opponent: results, and the points that they add. The points of a team add up to its rating over the average.
fn by_opponent(schedule: &Schedule, contributions: &[f64]) -> Vec<BTreeMap<usize, Against>> {
    let mut against = vec![BTreeMap::new(); schedule.teams()];
    for (game, contribution) in schedule.games().iter().zip(contributions) {
        let home = game.home_result();
        for (team, opponent, result, sign) in
            [(game.home, game.visitor, home, 1.0), (game.visitor, game.home, 1.0 - home, -1.0)]
        {
            let sum: &mut Against = against[team].entry(opponent).or_default();
            sum.points += sign * POINTS * contribution;
            if result > 0.75 {
                sum.wins += 1;
            } else if result < 0.25 {
                sum.losses += 1;
            } else {
                sum.ties += 1;
            }
        }
    }
    against
}

/// The opponents, those that moved the rating most first.
fn why(against: &BTreeMap<usize, Against>, teams: &[Uuid]) -> Vec<Value> {
    let mut all: Vec<(&usize, &Against)> = against.iter().collect();
    all.sort_by(|(_, a), (_, b)| b.points.abs().total_cmp(&a.points.abs()));
    all.into_iter()
        .map(|(opponent, o)| {
            let points = (o.points * 10.0).round() / 10.0;
            json!({ "id": teams.get(*opponent), "wins": o.wins, "losses": o.losses, "ties": o.ties, "points": points })
        })
        .collect()
}
