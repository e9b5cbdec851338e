//! Run and win expectancy, computed from plays.

mod linear_weights;
mod situation;
mod table;
mod tally;
mod win;

pub use linear_weights::{FULL_SAMPLE, LinearWeights, RunValues};
pub use situation::{RunMatrix, Situation};
pub use table::{ExpectancyTable, TableError, shipped};
pub use tally::Tally;
pub use win::{Moment, WinExpectancy};
