//! The rating percentage index: a quarter own wins, half the opponents', a quarter theirs.
//!
//! As college baseball defines it without its bonus: 0.25 WP + 0.50 OWP + 0.25 OOWP. An opponent's percentage leaves out the
//! games against the rated team, and counts once for each game against it.

use super::schedule::Schedule;

/// By team; none where a part is unknown because opponents have played nobody else.
pub fn rpi(schedule: &Schedule) -> Vec<Option<f64>> {
    let teams = schedule.teams();
    // By team: each opponent, once a game, with the result.
    let mut played: Vec<Vec<(usize, f64)>> = vec![Vec::new(); teams];
    for game in schedule.games() {
        played[game.home].push((game.visitor, game.home_result()));
        played[game.visitor].push((game.home, 1.0 - game.home_result()));
    }
    let opponents: Vec<Option<f64>> = (0..teams)
        .map(|team| {
            mean(played[team].iter().filter_map(|(opponent, _)| {
                mean(played[*opponent].iter().filter(|(other, _)| *other != team).map(|(_, result)| *result))
            }))
        })
        .collect();
    (0..teams)
        .map(|team| {
            let own = mean(played[team].iter().map(|(_, result)| *result))?;
            let theirs = mean(played[team].iter().filter_map(|(opponent, _)| opponents[*opponent]))?;
            Some(0.25 * own + 0.5 * opponents[team]? + 0.25 * theirs)
        })
        .collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::super::schedule::Outcome;
    use super::*;

    #[test]
    fn parts_are_weighted_and_own_games_left_out() {
        // 0 beats 1 and 2; 1 beats 2.
        let game = |home, visitor| Outcome { home, visitor, home_runs: 1, visitor_runs: 0 };
        let found = rpi(&Schedule::new(4, vec![game(0, 1), game(0, 2), game(1, 2)]).unwrap());
        // Team 0: WP 1; its opponents without it won 1 and 0, so OWP 0.5; theirs are 0.5 (of 1: 1 and 0) and 0.5 (of 2: 1, 0).
        assert_eq!(found[0], Some(0.25 + 0.25 + 0.125));
        assert_eq!(found[3], None);
    }

    #[test]
    fn two_teams_alone_have_none() {
        let game = Outcome { home: 0, visitor: 1, home_runs: 1, visitor_runs: 0 };
        assert_eq!(rpi(&Schedule::new(2, vec![game]).unwrap()), [None, None]);
    }
}
