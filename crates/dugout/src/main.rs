//! The `dugout` command: a Supabase-compatible backend with its own PostgreSQL in one process, and the baseball app that is
//! its first tenant.

// A binary has no public interface: `pub` here means "for the other files".
#![allow(unreachable_pub)]

mod app_files;
mod cli;
mod commands;
mod exit;
mod functions_cli;
mod logging;
mod progress;
mod project;
mod project_cli;
mod rank;
mod recap;
mod score;
mod stats_cli;

/// The functions of the app in Rust.
const NATIVES: &[server::functions::native::Native] = &[score::NATIVE, rank::NATIVE, recap::NATIVE];

fn main() -> std::process::ExitCode {
    let cli = cli::Cli::parse_for(server::registry::SERVICES);
    logging::start(&cli.command);
    server::functions::native::register(NATIVES);
    // All TLS users in the process use ring. This fails if a provider is installed already, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return exit::failure(&exit::Failure::new(format!("no threads could be started: {error}"))),
    };
    let done = runtime.block_on(commands::run(cli));
    // Background tasks have nothing left to lose: the database is the only state.
    runtime.shutdown_background();
    match done {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => exit::failure(&message),
    }
}
