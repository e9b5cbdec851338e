//! The results that teams are rated by.

/// The result of a game. Teams are numbers from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The home team.
    pub home: usize,
    /// The visitors.
    pub visitor: usize,
    /// Runs of the home team.
    pub home_runs: u32,
    /// Runs of the visitors.
    pub visitor_runs: u32,
}

impl Outcome {
    /// 1 if the home team won, 0 if it lost, 0.5 after a tie.
    pub fn home_result(&self) -> f64 {
        match self.home_runs.cmp(&self.visitor_runs) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        }
    }
}

/// Games in the order in which they were played, between teams that exist.
#[derive(Clone, Debug)]
pub struct Schedule {
    teams: usize,
    games: Vec<Outcome>,
}

impl Schedule {
    /// None if a game has a team that is not below `teams`, or a team against itself.
    pub fn new(teams: usize, games: Vec<Outcome>) -> Option<Self> {
        let sound = |game: &Outcome| game.home < teams && game.visitor < teams && game.home != game.visitor;
        games.iter().all(sound).then_some(Schedule { teams, games })
    }

    /// How many teams there are.
    pub fn teams(&self) -> usize {
        self.teams
    }

    /// The games in order.
    pub fn games(&self) -> &[Outcome] {
        &self.games
    }

    /// A number for each team, equal for teams that games connect: only these can be compared. The number is the least team's.
    pub fn pools(&self) -> Vec<usize> {
        let mut pools: Vec<usize> = (0..self.teams).collect();
        // Each pass carries the least number one game further.
        loop {
            let mut changed = false;
            for game in &self.games {
                let least = pools[game.home].min(pools[game.visitor]);
                changed |= pools[game.home] != least || pools[game.visitor] != least;
                pools[game.home] = least;
                pools[game.visitor] = least;
            }
            if !changed {
                return pools;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(home: usize, visitor: usize) -> Outcome {
        Outcome { home, visitor, home_runs: 3, visitor_runs: 1 }
    }

    #[test]
    fn a_schedule_names_teams_that_exist_and_differ() {
        assert!(Schedule::new(2, vec![game(0, 1)]).is_some());
        assert!(Schedule::new(2, vec![game(0, 2)]).is_none());
        assert!(Schedule::new(2, vec![game(1, 1)]).is_none());
    }

    #[test]
    fn teams_without_a_chain_of_games_are_in_different_pools() {
        let schedule = Schedule::new(6, vec![game(4, 5), game(2, 0), game(5, 2)]).unwrap();
        assert_eq!(schedule.pools(), [0, 1, 0, 3, 0, 0]);
    }
}
