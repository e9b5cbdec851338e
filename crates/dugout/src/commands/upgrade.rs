//! `dugout upgrade`: the data directory to the current major version of PostgreSQL.

use std::io::Write;

use crate::cli::ServerArgs;
use crate::exit::Failure;

/// Moves it and says where the old one is.
pub async fn run(args: &ServerArgs) -> Result<(), Failure> {
    let (config, _) = super::configuration::configuration(args.flags(), args.project.as_deref())?;
    let text = match server::upgrade(&config).await.map_err(Failure::new)? {
        Some(done) => format!(
            "Moved from PostgreSQL {} to {}. The old data is in {}: remove it when the new one has proved itself.\n",
            done.from,
            done.to,
            done.kept.display()
        ),
        None => "The data directory is up to date.\n".to_owned(),
    };
    std::io::stdout().write_all(text.as_bytes()).map_err(Failure::new)
}
