//! `dugout seed`: runs the project's seed files, with or without a running server. `dugout start --dev` runs them
//! automatically.

use std::io::Write;

use server::{Done, Work};

use super::configuration::configuration;
use crate::cli::SeedArgs;
use crate::exit::Failure;

/// Runs the files that have not run yet and prints the name of each.
pub async fn run(args: &SeedArgs) -> Result<(), Failure> {
    let (config, _) = configuration(args.server.flags(), args.server.project.as_deref())?;
    if config.project_sql.folder.is_none() {
        return Err(Failure::new(
            "there is no folder supabase/ here or above; run this inside a project, or name it with --project",
        ));
    }
    if !args.yes {
        return Err(Failure::new(
            "seed files are for development: what they bring, such as accounts whose password everybody knows, stays in the \
             database; nothing was done, repeat with --yes if this is not production",
        ));
    }
    let text = match server::with_database(&config, Work::Seed).await.map_err(Failure::new)? {
        Done::Seeded(paths) if !paths.is_empty() => {
            paths.iter().map(|path| format!("Ran {path}\n")).collect::<String>()
        }
        _ => "Every seed file ran before.\n".to_owned(),
    };
    std::io::stdout().write_all(text.as_bytes()).map_err(Failure::new)
}
