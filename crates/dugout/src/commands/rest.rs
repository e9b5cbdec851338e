//! `dugout rest`: the data API alone, for those who run PostgREST today.

use std::io::Write;

use server::standalone;

use crate::exit::Failure;

/// Reads PostgREST's variables and serves until a signal.
pub async fn run() -> Result<(), Failure> {
    let config = rest::Config::from_env(super::environment()).map_err(|problems| {
        let lines = problems.iter().map(|problem| format!("\n  {problem}"));
        Failure::new(format!("the environment has bad values:{}", lines.collect::<String>()))
    })?;
    let service = standalone::rest(config).await.map_err(Failure::new)?;
    // Nobody reading is no reason to stop.
    let _ = writeln!(std::io::stdout(), "Dugout's data API is ready at {}.", service.url);
    super::until_signal(service).await
}
