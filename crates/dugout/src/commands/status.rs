//! `dugout status`: addresses and keys of a running server, under the names of `supabase status`.

use std::io::Write;

use server::State;

use super::configuration::configuration;
use crate::cli::{Output, StatusArgs};
use crate::exit::Failure;

/// Prints them; fails if no server runs in the data directory.
pub fn run(args: &StatusArgs) -> Result<(), Failure> {
    let (config, _) = configuration(args.server.flags(), args.server.project.as_deref())?;
    let Some(state) = State::read(&config.data_dir).map_err(Failure::new)? else {
        let place = config.data_dir.display();
        return Err(Failure::new(format!(
            "no server runs in {place}; start one with `dugout start`, or name its --data-dir"
        )));
    };
    let text = match args.output {
        Output::Json => serde_json::to_string_pretty(&state.entries()).map_err(Failure::new)? + "\n",
        Output::Env => state
            .entries()
            .iter()
            .map(|(name, value)| format!("{name}=\"{}\"\n", value.as_str().unwrap_or_default()))
            .collect(),
    };
    std::io::stdout().write_all(text.as_bytes()).map_err(Failure::new)
}
