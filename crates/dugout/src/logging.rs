//! Log output: stderr, as text or as JSON lines.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::cli::Command;
use crate::progress::AboveLine;

/// Starts logging by `DUGOUT_LOG` (a filter such as `info` or `pg=debug,warn`; default `info`) and `DUGOUT_LOG_FORMAT`
/// (`text` or `json`; default `text`). The standalone data API has PostgREST's own log; only defects are written here
/// then.
pub fn start(command: &Command) {
    let usual = if matches!(command, Command::Rest(_)) { "error" } else { "info,actix_server=warn" };
    let filter = EnvFilter::try_from_env("DUGOUT_LOG").unwrap_or_else(|_| EnvFilter::new(usual));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(|| AboveLine).with_target(false);
    if std::env::var("DUGOUT_LOG_FORMAT").is_ok_and(|format| format == "json") {
        logs.json().flatten_event(true).init();
    } else {
        logs.with_ansi(std::io::stderr().is_terminal()).init();
    }
}
