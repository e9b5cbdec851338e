//! `dugout migrate`: applies pending migrations to the database, with or without a running server.

use std::io::Write;

use server::{Done, Work};

use super::configuration::configuration;
use crate::cli::ServerArgs;
use crate::exit::Failure;

/// Applies them and prints the name of each.
pub async fn run(args: &ServerArgs) -> Result<(), Failure> {
    let (config, _) = configuration(args.flags(), args.project.as_deref())?;
    if config.project_sql.migrations.is_none() {
        return Err(Failure::new(
            "there is no folder supabase/ here or above; run this inside a project, or name it with --project",
        ));
    }
    let text = match server::with_database(&config, Work::Migrate).await.map_err(Failure::new)? {
        Done::Migrated(names) if !names.is_empty() => {
            names.iter().map(|name| format!("Applied {name}\n")).collect::<String>()
        }
        _ => "The database is up to date.\n".to_owned(),
    };
    std::io::stdout().write_all(text.as_bytes()).map_err(Failure::new)
}
