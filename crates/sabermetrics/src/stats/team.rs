//! Games of teams.

use super::{Line, Team};
use crate::model::{Game, Side};
use crate::replay::Replay;
use crate::rules::winner;

/// What one game adds to the visitors' and the home team's record. Suspended games count when they are finished.
#[must_use]
pub fn team_lines(game: &Game, replay: &Replay) -> [Line<Team>; 2] {
    let score = replay.state.score;
    let won = winner(game, &replay.state);
    let close = score[0].abs_diff(score[1]) == 1;
    Side::BOTH.map(|side| {
        let mut line = Line::default();
        let mut count = |counter, holds: bool| line.add(counter, u32::from(holds));
        let home = side == Side::Home;
        count(Team::Games, true);
        count(Team::Wins, won == Some(side));
        count(Team::Losses, won == Some(side.other()));
        count(Team::Ties, won.is_none());
        count(Team::HomeGames, home);
        count(Team::HomeWins, home && won == Some(side));
        count(Team::OneRunGames, close);
        count(Team::OneRunWins, close && won == Some(side));
        line.add(Team::Runs, u32::from(score[side.index()]));
        line.add(Team::RunsAllowed, u32::from(score[side.other().index()]));
        line.add(Team::LeftOnBase, left_on_base(replay, side));
        line
    })
}

fn left_on_base(replay: &Replay, side: Side) -> u32 {
    let halves = replay.outcomes.chunk_by(|one, next| one.half == next.half);
    let ends = halves.filter_map(|half| half.last()).filter(|last| last.batting() == side);
    let left: usize = ends.map(|last| last.bases_after.iter().flatten().count()).sum();
    u32::try_from(left).unwrap_or(u32::MAX)
}
