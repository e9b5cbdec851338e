//! `dugout db`: what `supabase db` needs containers for.

mod dump;

use crate::cli::{DbAction, DbArgs};
use crate::exit::Failure;

/// Runs the command.
pub async fn run(args: &DbArgs) -> Result<(), Failure> {
    match &args.action {
        DbAction::Dump(what) => dump::run(&args.server, what).await,
    }
}
