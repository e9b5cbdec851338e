//! A game as the fold of its records: a [`State`] after each, and an [`Outcome`] per play.

mod charge;
mod contradiction;
mod fold;
mod lineup;
mod outcome;
mod state;
mod turn;

pub use contradiction::{Contradiction, Problem, first_new};
pub use fold::{Replay, replay};
pub use lineup::{Lineup, Slot};
pub use outcome::{FieldingCredit, Outcome, RunRemark, RunnerMove};
pub use state::{Half, Runner, RunnerId, State};
pub use turn::TurnState;
