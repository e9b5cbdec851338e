//! `dugout stats`: baseball statistics from event files, and archives for the app's tables.

mod compare;
mod event_files;
mod expectancy;
mod export;
mod import;
mod listing;
mod output;
mod parks;
mod replay;
mod scores;
mod show;
mod stored_games;
mod tables;
mod team;
mod verify;

use crate::cli::{StatsAction, StatsArgs};
use crate::exit::Failure;

/// Runs the command.
pub async fn run(args: &StatsArgs) -> Result<(), Failure> {
    match &args.action {
        StatsAction::Replay(args) => replay::run(args),
        StatsAction::Box(args) => Box::pin(scores::run(args)).await,
        StatsAction::Export(args) => Box::pin(export::run(args)).await,
        StatsAction::Expectancy(args) => expectancy::run(args),
        StatsAction::Import(args) => Box::pin(import::run(args)).await,
        StatsAction::Parks(args) => parks::run(args),
        StatsAction::Show(args) => show::run(args),
        StatsAction::Team(args) => team::run(args),
        StatsAction::Verify(args) => Box::pin(verify::run(args)).await,
    }
}
