//! `dugout auth`: the auth API alone, as a replacement for GoTrue.

use std::io::Write;

use server::standalone;

use crate::exit::Failure;

/// Reads GoTrue's variables and serves until a signal.
pub async fn run() -> Result<(), Failure> {
    let (config, unused) = auth::Config::from_env(super::environment()).map_err(|problems| {
        let lines = problems.iter().map(|problem| {
            let value = problem.value.as_ref().map(|value| format!(" “{value}”")).unwrap_or_default();
            format!("\n  {}:{value} {}", problem.key, problem.message)
        });
        Failure::new(format!("the environment has bad values:{}", lines.collect::<String>()))
    })?;
    for name in unused {
        tracing::warn!(event = "configuration", detail = format!("{name} has no effect yet"));
    }
    let service = standalone::auth(config).await.map_err(Failure::new)?;
    // A closed stdout is no reason to stop.
    let _ = writeln!(std::io::stdout(), "Dugout's auth API is ready at {}.", service.url);
    super::until_signal(service).await
}
