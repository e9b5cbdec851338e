//! One file per command.

mod admin;
mod alone;
mod keys;
mod migrate;
mod rest;
mod rest_ready;
mod seed;
mod start;
mod stats;
mod status;

use std::collections::BTreeMap;
use std::path::Path;

use server::Config;
use server::config::{Resolved, Sources};
use server::standalone::Standalone;

use crate::cli::{Cli, Command};
use crate::exit::Failure;
use crate::project;

/// Runs the command.
///
/// # Errors
/// [`Failure`], for stderr.
pub async fn run(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        // Boxed, because this future contains the whole startup.
        Command::Start(args) => Box::pin(start::run(args)).await,
        Command::Status(args) => status::run(&args),
        Command::Keys(args) => keys::run(&args),
        Command::Migrate(args) => migrate::run(&args).await,
        Command::Seed(args) => seed::run(&args).await,
        Command::Admin(args) => admin::run(&args).await,
        Command::Stats(args) => stats::run(&args),
        Command::Rest(args) => Box::pin(rest::run(args)).await,
        Command::Alone(manifest, alone) => Box::pin(alone::run(manifest, alone)).await,
    }
}

/// The configuration from all sources.
fn configuration(flags: BTreeMap<&'static str, String>, project: Option<&Path>) -> Result<(Config, Resolved), Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::new(format!("the current folder: {error}")))?;
    let project = project::find(project, &here)?;
    let sources = Sources { flags, env: environment(), project };
    Config::load(&sources).map_err(|problems| Failure::new(server::StartError::Config(problems)))
}

/// The environment variables that are valid UTF-8.
fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Serves until SIGINT or SIGTERM, then lets requests in flight finish; a second signal stops at once.
async fn until_signal(service: Standalone) -> Result<(), Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    let unwatched = |error| Failure::new(format!("signals cannot be watched: {error}"));
    let mut interrupt = signal(SignalKind::interrupt()).map_err(unwatched)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(unwatched)?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tokio::select! {
        () = service.stop() => {}
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}
