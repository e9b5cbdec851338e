//! One file per command.

mod admin;
mod alone;
mod configuration;
mod db;
mod doctor;
mod fsck;
mod functions;
mod gen_types;
mod keys;
mod migrate;
mod rest;
mod rest_ready;
mod seed;
mod signals;
mod start;
mod stats;
mod status;
mod test_db;
mod upgrade;

use crate::cli::{Cli, Command};
use crate::exit::Failure;

/// Runs the command.
///
/// # Errors
/// [`Failure`], for stderr.
pub async fn run(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        // Boxed, because this future contains the whole startup.
        Command::Start(args) => Box::pin(start::run(args)).await,
        Command::Status(args) => status::run(&args),
        Command::Doctor(args) => Box::pin(doctor::run(&args)).await,
        Command::Keys(args) => keys::run(&args),
        Command::Migrate(args) => migrate::run(&args).await,
        Command::Seed(args) => seed::run(&args).await,
        Command::Db(args) => Box::pin(db::run(&args)).await,
        Command::Gen(args) => Box::pin(gen_types::run(&args)).await,
        Command::Test(args) => Box::pin(test_db::run(&args)).await,
        Command::Upgrade(args) => upgrade::run(&args).await,
        Command::Admin(args) => admin::run(&args).await,
        Command::Functions(args) => Box::pin(functions::run(args.action)).await,
        Command::Stats(args) => Box::pin(stats::run(&args)).await,
        Command::Rest(args) => Box::pin(rest::run(args)).await,
        Command::Fsck(manifest, args) => Box::pin(fsck::run(manifest, &args)).await,
        Command::Alone(manifest, alone) => Box::pin(alone::run(manifest, alone)).await,
    }
}
