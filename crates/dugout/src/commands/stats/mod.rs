//! `dugout stats`: baseball statistics from event files, without a database.

mod compare;
mod event_files;
mod expectancy;
mod export;
mod replay;
mod scores;
mod tables;

use std::io::Write;

use crate::cli::{StatsAction, StatsArgs};
use crate::exit::Failure;

/// Runs the subcommand.
pub fn run(args: &StatsArgs) -> Result<(), Failure> {
    match &args.action {
        StatsAction::Replay(args) => replay::run(args),
        StatsAction::Box(args) => scores::run(args),
        StatsAction::Export(args) => export::run(args),
        StatsAction::Expectancy(args) => expectancy::run(args),
    }
}

/// Writes to stdout; a closed stdout is no error.
fn say(text: &str) -> Result<(), Failure> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::new(error)),
        _ => Ok(()),
    }
}
