//! Counting and computing: every number is a sum over plays, or a formula over such sums.

pub mod count;
mod counter;
mod game_lines;
mod line;
mod season;

pub use counter::{Batting, Counter, Fielding, Pitching};
pub use game_lines::{Decisions, EarnedRuns, GameLines, PlayerLines, game_lines};
pub use line::Line;
pub use season::Totals;
