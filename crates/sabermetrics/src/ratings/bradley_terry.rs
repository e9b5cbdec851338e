//! Bradley-Terry with a ridge and a home term.
//!
//! Bradley and Terry, Rank analysis of incomplete block designs, Biometrika 39 (1952). The home team wins with probability
//! p = 1 / (1 + exp(-(θ_home - θ_visitor + h))). Strengths θ and the home term h minimize the negative logarithm of the
//! likelihood plus `RIDGE`/2 times the sum of all their squares. The ridge is what knowing nothing is worth: a team without
//! a loss stays finite, and one with few games stays near the average. A tie is half a win.

use super::cholesky::Cholesky;
use super::schedule::Schedule;

/// The weight of the squares: strengths have a prior deviation of one unit of log-odds.
pub const RIDGE: f64 = 1.0;

const MOST_STEPS: usize = 100;
const PRECISE_ENOUGH: f64 = 1e-12;

/// Strengths in log-odds; 0 is the average.
#[derive(Clone, Debug)]
pub struct BradleyTerry {
    /// By team.
    pub strengths: Vec<f64>,
    /// Standard deviation of each strength, by the curvature at the optimum.
    pub deviations: Vec<f64>,
    /// The home term.
    pub home: f64,
    /// By game: what it adds to the home team's strength, and takes from the visitors'. A team's strength is exactly the sum
    /// over its games.
    pub contributions: Vec<f64>,
}

/// None where the numbers overflow, which no schedule of real games does.
pub fn bradley_terry(schedule: &Schedule) -> Option<BradleyTerry> {
    let teams = schedule.teams();
    let mut x = vec![0.0; teams + 1];
    let mut loss = penalized_loss(schedule, &x);
    for _ in 0..MOST_STEPS {
        let (gradient, solver) = curvature(schedule, &x)?;
        let step = solver.solve(&gradient);
        let mut scale = 1.0;
        // The loss is convex: a shorter step always lowers it, except where it is at its least already.
        let (next, lower) = loop {
            let next: Vec<f64> = x.iter().zip(&step).map(|(x, step)| x - scale * step).collect();
            let lower = penalized_loss(schedule, &next);
            if lower <= loss || scale < 1e-9 {
                break (next, lower);
            }
            scale /= 2.0;
        };
        x = next;
        loss = lower;
        if step.iter().all(|step| step.abs() < PRECISE_ENOUGH) {
            break;
        }
    }
    let (_, solver) = curvature(schedule, &x)?;
    let deviations = solver.inverse_diagonal().into_iter().take(teams).map(f64::sqrt).collect();
    let contributions = schedule
        .games()
        .iter()
        .map(|game| (game.home_result() - chance(x[game.home] - x[game.visitor] + x[teams])) / RIDGE)
        .collect();
    let home = x.pop()?;
    Some(BradleyTerry { strengths: x, deviations, home, contributions })
}

fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The negative logarithm of the likelihood with the ridge. `x`: the strengths, then the home term.
fn penalized_loss(schedule: &Schedule, x: &[f64]) -> f64 {
    let home = x.last().copied().unwrap_or_default();
    let games: f64 = schedule
        .games()
        .iter()
        .map(|game| {
            let odds = x[game.home] - x[game.visitor] + home;
            // ln(1 + e^odds) - result * odds, without overflow.
            odds.max(0.0) + (-odds.abs()).exp().ln_1p() - game.home_result() * odds
        })
        .sum();
    games + RIDGE / 2.0 * x.iter().map(|x| x * x).sum::<f64>()
}

/// The gradient and the decomposed second derivatives of the loss.
fn curvature(schedule: &Schedule, x: &[f64]) -> Option<(Vec<f64>, Cholesky)> {
    let teams = schedule.teams();
    let size = teams + 1;
    let mut gradient: Vec<f64> = x.iter().map(|x| RIDGE * x).collect();
    let mut second = vec![0.0; size * size];
    for diagonal in 0..size {
        second[diagonal * size + diagonal] = RIDGE;
    }
    for game in schedule.games() {
        let p = chance(x[game.home] - x[game.visitor] + x[teams]);
        let signs = [(game.home, 1.0), (game.visitor, -1.0), (teams, 1.0)];
        for (row, sign) in signs {
            gradient[row] += sign * (p - game.home_result());
            for (column, other) in signs {
                second[row * size + column] += sign * other * p * (1.0 - p);
            }
        }
    }
    Cholesky::new(size, second).map(|solver| (gradient, solver))
}

#[cfg(test)]
mod tests {
    use super::super::schedule::Outcome;
    use super::*;

    /// Four teams and nine games, one tied. Computed independently by coordinate-wise bisection in 40-digit decimals.
    #[test]
    fn a_small_schedule_has_the_strengths_of_an_independent_computation() {
        let games = [
            (0, 1, 5, 2),
            (1, 2, 3, 4),
            (2, 3, 7, 1),
            (3, 0, 2, 2),
            (0, 2, 4, 3),
            (1, 3, 6, 5),
            (2, 0, 1, 8),
            (3, 1, 0, 3),
            (0, 3, 9, 4),
        ];
        let games =
            games.map(|(home, visitor, home_runs, visitor_runs)| Outcome { home, visitor, home_runs, visitor_runs });
        let rated = bradley_terry(&Schedule::new(4, games.to_vec()).unwrap()).unwrap();
        let expected = [0.777444741644, -0.089772137401, 0.089772137401, -0.777444741644];
        for (strength, expected) in rated.strengths.iter().zip(expected) {
            assert!((strength - expected).abs() < 1e-9, "{:?}", rated.strengths);
        }
        assert!((rated.home - 0.225493864107).abs() < 1e-9, "{}", rated.home);
    }

    #[test]
    fn the_games_add_up_to_the_strength() {
        let games = [(0, 1, 5, 2), (1, 2, 3, 4), (2, 0, 7, 7), (0, 2, 1, 2)];
        let games =
            games.map(|(home, visitor, home_runs, visitor_runs)| Outcome { home, visitor, home_runs, visitor_runs });
        let schedule = Schedule::new(3, games.to_vec()).unwrap();
        let rated = bradley_terry(&schedule).unwrap();
        for team in 0..3 {
            let sum: f64 = schedule
                .games()
                .iter()
                .zip(&rated.contributions)
                .map(|(game, points)| {
                    if game.home == team {
                        *points
                    } else if game.visitor == team {
                        -points
                    } else {
                        0.0
                    }
                })
                .sum();
            assert!((sum - rated.strengths[team]).abs() < 1e-9);
        }
    }

    #[test]
    fn a_team_without_a_loss_is_finite_and_more_games_narrow_the_range() {
        let win = Outcome { home: 0, visitor: 1, home_runs: 10, visitor_runs: 0 };
        let few = bradley_terry(&Schedule::new(2, vec![win; 2]).unwrap()).unwrap();
        let many = bradley_terry(&Schedule::new(2, vec![win; 500]).unwrap()).unwrap();
        assert!(few.strengths[0] > 0.0 && many.strengths[0] > few.strengths[0] && many.strengths[0] < 10.0);
        let none = bradley_terry(&Schedule::new(2, Vec::new()).unwrap()).unwrap();
        assert_eq!(none.strengths, [0.0, 0.0]);
        assert!(few.deviations[0] < none.deviations[0]);
    }
}
