//! `dugout storage fsck`: whether objects and their files fit together, with or without a running server.

use std::io::Write;

use gateway::service::Manifest;
use server::{Done, Work};

use super::configuration::configuration;
use crate::cli::FsckArgs;
use crate::exit::Failure;

/// Says what differs, or what was done about it. Differences that stay are a failure.
pub async fn run(manifest: &Manifest, args: &FsckArgs) -> Result<(), Failure> {
    let (config, _) = configuration(args.server.flags(), args.server.project.as_deref())?;
    let work = Work::Check { service: manifest.name, repair: args.repair, force: args.force };
    let Done::Checked(found) = server::with_database(&config, work).await.map_err(Failure::new)? else {
        return Err(Failure::new(format!("{} is not enabled, or keeps no files", manifest.name)));
    };
    std::io::stdout().write_all(found.report.as_bytes()).map_err(Failure::new)?;
    if args.repair || found.is_clean {
        return Ok(());
    }
    let command = format!("dugout {} fsck --repair", manifest.name);
    Err(Failure::new(format!("objects and files differ; {command} removes what has no other half")))
}
