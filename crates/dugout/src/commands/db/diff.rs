//! `dugout db diff`: what the database has that the migrations lack.

use std::io::Write;
use std::path::Path;

use server::{Config, Shadow};
use workbench::diff::diff;

use crate::cli::{DiffArgs, ServerArgs};
use crate::commands::configuration::configuration;
use crate::exit::Failure;

/// Prints the difference, or saves it as a migration.
pub(super) async fn run(server: &ServerArgs, args: &DiffArgs) -> Result<(), Failure> {
    let (config, _) = configuration(server.flags(), server.project.as_deref())?;
    let Some(migrations) = &config.project_sql.migrations else {
        return Err(Failure::new(
            "there are no migrations to compare with: run this inside a project with supabase/migrations, or name it with \
             --project",
        ));
    };
    let path = args.file.as_deref().map(|name| migration_path(migrations, name)).transpose()?;
    let difference = compare(&config, &args.schema).await?;
    if difference.is_empty() {
        eprintln!("No schema changes found");
        return Ok(());
    }
    match path {
        Some(path) => {
            let failed = |error| Failure::new(format!("{}: {error}", path.display()));
            std::fs::create_dir_all(migrations).map_err(failed)?;
            std::fs::write(&path, difference).map_err(failed)?;
            eprintln!("Saved as {}; the database has these changes already", path.display());
            Ok(())
        }
        None => std::io::stdout().write_all(difference.as_bytes()).map_err(Failure::new),
    }
}

async fn compare(config: &Config, schemas: &[String]) -> Result<String, Failure> {
    let opened = server::open(config).await.map_err(Failure::new)?;
    let shadow = Shadow::start(config).await;
    let difference = match shadow {
        Ok(shadow) => {
            let difference = diff(&shadow.owner, &opened.owner, schemas).await;
            shadow.close().await;
            difference.map_err(Failure::new)
        }
        Err(error) => Err(Failure::new(format!("the migrations cannot be applied to a new database: {error}"))),
    };
    opened.close().await;
    difference
}

/// `supabase/migrations/<now>_<name>.sql`, as the CLI names migrations.
fn migration_path(folder: &Path, name: &str) -> Result<std::path::PathBuf, Failure> {
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !is_plain {
        return Err(Failure::new(format!("--file {name}: name the migration with letters, digits, _ and -")));
    }
    Ok(folder.join(format!("{}_{name}.sql", chrono::Utc::now().format("%Y%m%d%H%M%S"))))
}
