//! Run and win expectancy, computed from plays.

mod constants;
mod context;
mod extra_bases;
mod linear_weights;
mod park;
mod situation;
mod table;
mod tally;
mod transitions;
mod win;

pub use constants::{CONSTANTS, LeagueConstants, shipped_constants};
pub use context::{ContextLine, ContextLines, PlayValue, play_values};
pub use linear_weights::{FULL_SAMPLE, LinearWeights, RunValues};
pub use park::{PRIOR_GAMES, ParkFactor, ParkGame, park_factors};
pub use situation::{RunMatrix, Situation};
pub use table::{ExpectancyTable, TableError, shipped};
pub use tally::Tally;
pub use win::{Moment, WinExpectancy};
