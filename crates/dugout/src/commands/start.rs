//! `dugout start`: everything, until a signal.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use server::config::Database;
use server::{Config, Running};
use tokio::signal::unix::{SignalKind, signal};

use super::configuration::configuration;
use crate::app_files::AppFiles;
use crate::cli::StartArgs;
use crate::exit::Failure;

/// Starts, prints the addresses, and waits. SIGTERM or SIGINT stops gracefully, a second one at once.
pub async fn run(args: StartArgs) -> Result<(), Failure> {
    let started = Instant::now();
    let (config, resolved) = configuration(args.flags(), args.server.project.as_deref())?;
    if args.print_config {
        let lines = config.shown(&resolved).into_iter().map(|shown| format!("{shown}\n"));
        return print(&lines.collect::<String>());
    }
    for warning in &config.warnings {
        tracing::warn!(event = "configuration", detail = warning);
    }
    // From the beginning: a signal during the start must not leave PostgreSQL running.
    let unwatched = |error| Failure::new(format!("signals cannot be watched: {error}"));
    let mut interrupt = signal(SignalKind::interrupt()).map_err(unwatched)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(unwatched)?;

    let running = tokio::select! {
        running = server::start(config.clone(), Some(Arc::new(AppFiles))) => running.map_err(Failure::new)?,
        _ = interrupt.recv() => return Ok(()),
        _ = terminate.recv() => return Ok(()),
    };
    print(&welcome(&config, &running, started.elapsed()))?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tracing::info!(event = "stopping");
    let hurry = running.hurry();
    let stopping = running.stop();
    tokio::pin!(stopping);
    tokio::select! {
        () = &mut stopping => return Ok(()),
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    hurry.now();
    stopping.await;
    Ok(())
}

/// The addresses and keys to print.
fn welcome(config: &Config, running: &Running, took: Duration) -> String {
    let state = &running.state;
    let mut lines = vec![String::from("Dugout is ready.")];
    if config.app.serve {
        lines.push(format!("  App         {}", running.url()));
    }
    lines.push(format!("  API         {}", running.url()));
    lines.push(format!("  anon key    {}", state.anon_key));
    lines.push(format!("  PostgreSQL  {} from {}", running.postgres_version, running.postgres_place));
    lines.push(format!("  Connections {}", config.budget()));
    lines.push(format!("  Data        {}", running.data_dir().display()));
    if config.dev && matches!(config.database, Database::Embedded { .. }) {
        // Everybody knows this password. That of a server of the user's is a secret, and output is kept in logs.
        lines.push(format!("  Database    {}", state.db_url));
    }
    if let Some(mailbox) = &state.mailpit_url {
        lines.push(format!("  Mailbox     {mailbox}"));
    }
    if let Some(address) = running.admin_address {
        lines.push(format!("  Metrics     http://{address}/metrics"));
    }
    if !running.migrated.is_empty() {
        let noun = if running.migrated.len() == 1 { "migration" } else { "migrations" };
        lines.push(format!("  Applied     {} {noun}", running.migrated.len()));
    }
    if !running.skipped.is_empty() {
        lines.push(format!("  Left out    {} statements, for want of extensions:", running.skipped.len()));
        lines.extend(running.skipped.iter().map(|skipped| format!("    {skipped}")));
    }
    if config.dev {
        lines.push(String::from("  Keys        the well-known ones of `supabase start`: for development only"));
    }
    let stages: Vec<String> =
        running.stages.iter().map(|(name, took)| format!("{name} {} ms", took.as_millis())).collect();
    lines.push(format!("  Started in  {} ms ({})", took.as_millis(), stages.join(", ")));
    lines.push(String::from("`dugout status` prints all keys and addresses. Ctrl-C stops."));
    lines.join("\n") + "\n"
}

fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    // A closed stdout is no reason to stop.
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::new(error)),
        _ => Ok(()),
    }
}
