//! Elo: after each game the winner takes points from the loser, more for a surprise.
//!
//! Elo, The Rating of Chessplayers (1978). The order of games counts; runs do not.

use super::schedule::Schedule;

/// What a team starts with, and the average.
pub const ELO_START: f64 = 1500.0;
/// The most points that a game moves.
pub const ELO_K: f64 = 20.0;
/// What playing at home is worth.
pub const ELO_HOME: f64 = 24.0;

/// Ratings after the last game, by team.
pub fn elo(schedule: &Schedule) -> Vec<f64> {
    let mut ratings = vec![ELO_START; schedule.teams()];
    for game in schedule.games() {
        let ahead = ratings[game.home] + ELO_HOME - ratings[game.visitor];
        let expected = 1.0 / (1.0 + 10_f64.powf(-ahead / 400.0));
        let moved = ELO_K * (game.home_result() - expected);
        ratings[game.home] += moved;
        ratings[game.visitor] -= moved;
    }
    ratings
}

#[cfg(test)]
mod tests {
    use super::super::schedule::Outcome;
    use super::*;

    #[test]
    fn a_surprise_moves_more_and_points_are_kept() {
        let won = Outcome { home: 0, visitor: 1, home_runs: 2, visitor_runs: 1 };
        let lost = Outcome { home: 0, visitor: 1, home_runs: 1, visitor_runs: 2 };
        let after_win = elo(&Schedule::new(2, vec![won]).unwrap());
        // 1 / (1 + 10^(-24/400)) = 0.534483: the home team was to win a little more than half.
        assert!((after_win[0] - 1509.310).abs() < 0.001, "{after_win:?}");
        let after_loss = elo(&Schedule::new(2, vec![lost]).unwrap());
        assert!(1500.0 - after_loss[0] > after_win[0] - 1500.0);
        assert!((after_win[0] + after_win[1] - 3000.0).abs() < 1e-9);
    }
}
