//! The meaning of one event, given the occupied bases: rules that need only the play itself.

mod advances;
mod batting;
mod credits;
mod runs_batted_in;

pub use advances::{Movement, Movements, Reached, movements};
pub use batting::{BattingResult, Turn, turn};
pub use credits::{Credit, Deed, credits};
pub use runs_batted_in::bats_in;
