//! Counters and formulas: every number is a sum over plays, or a formula over such sums.

pub mod count;
mod counter;
mod definition;
mod definitions;
mod extra_base;
mod field;
mod formula;
mod game_lines;
mod game_score;
mod line;
mod pitch_counts;
mod plays;
mod rounding;
mod season;
mod split;
mod team;

pub use counter::{Batting, Counter, Fielding, Pitching, Team};
pub use definition::{Definition, Unit, Value, named};
pub use definitions::{BATTING, CONTEXT, FIELDING, PITCHING, TEAM};
pub use extra_base::{ExtraBase, ExtraBaseChance, extra_base_chances};
pub use game_lines::{Decisions, EarnedRuns, GameLines, PlayerLines, game_lines};
pub use game_score::game_score;
pub use line::Line;
pub use pitch_counts::{PitchCount, pitch_counts};
pub use plays::{batting_plays, fielding_plays, pitching_plays};
pub use rounding::rounded;
pub use season::Totals;
pub use split::{Hand, Hands, Split, SplitBy, Splits, TeamSplit};
pub use team::team_lines;
