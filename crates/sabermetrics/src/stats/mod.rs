//! Counters and formulas: every number is a sum over plays, or a formula over such sums.

pub mod count;
mod counter;
mod definition;
mod definitions;
mod formula;
mod game_lines;
mod line;
mod season;

pub use counter::{Batting, Counter, Fielding, Pitching};
pub use definition::{Definition, Unit, Value, batting_plays, fielding_plays, named, pitching_plays};
pub use definitions::{BATTING, FIELDING, PITCHING};
pub use game_lines::{Decisions, EarnedRuns, GameLines, PlayerLines, game_lines};
pub use line::Line;
pub use season::Totals;
