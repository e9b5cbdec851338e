//! Rules that need more than one play.

mod decisions;
mod earned_runs;
mod game_end;
mod inning_without_errors;
mod pitchers;
mod runs;
mod saves;

pub use decisions::{Decision, Decisions, decisions};
pub use earned_runs::{RunJudgement, has_remarks, judge_runs, reconstruct};
pub use game_end::{is_decided, winner};
pub use pitchers::{Stint, stints};
pub(crate) use runs::{run_on_third_out, runs_after_winning};
