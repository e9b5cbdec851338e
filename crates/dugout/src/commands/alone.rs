//! `dugout auth` and the like: one service alone at `/`, in place of its upstream container.

use std::io::Write;

use gateway::service::{Alone, Manifest};
use server::standalone;

use super::configuration::environment;
use super::signals::until_signal;
use crate::exit::Failure;

/// Reads upstream's variables and serves until a signal.
pub async fn run(manifest: &Manifest, alone: Alone) -> Result<(), Failure> {
    let config = (alone.configure)(environment()).map_err(|problems| {
        let lines = problems.iter().map(|problem| format!("\n  {problem}"));
        Failure::new(format!("the environment has bad values:{}", lines.collect::<String>()))
    })?;
    for warning in &config.warnings {
        tracing::warn!(event = "configuration", detail = warning);
    }
    let service = standalone::start(manifest, config).await.map_err(Failure::new)?;
    let title = alone.title.trim_start_matches("the ");
    // A closed stdout is no reason to stop.
    let _ = writeln!(std::io::stdout(), "Dugout's {title} is ready at {}.", service.url);
    until_signal(service).await
}
