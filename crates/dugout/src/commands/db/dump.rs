//! `dugout db dump`: schema, rows or roles as SQL.

use std::fs::OpenOptions;
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use server::Opened;
use workbench::dump::{Content, Dump, dump};

use crate::cli::{DumpArgs, ServerArgs};
use crate::commands::configuration::configuration;
use crate::exit::Failure;

/// Writes the dump. A file appears when it is complete.
pub(super) async fn run(server: &ServerArgs, args: &DumpArgs) -> Result<(), Failure> {
    let (config, _) = configuration(server.flags(), server.project.as_deref())?;
    let keep_comments = args.keep_comments;
    let content = match (args.data_only, args.role_only) {
        (true, _) => Content::Data { use_copy: args.use_copy, exclude: args.exclude.clone() },
        (_, true) => Content::Roles { keep_comments },
        _ => Content::Schema { keep_comments },
    };
    let what = Dump { content, schemas: args.schema.clone() };
    let programs = server::client_programs(&config).map_err(Failure::new)?;
    let opened = server::open(&config).await.map_err(Failure::new)?;
    let dumped = match &args.file {
        Some(path) => to_file(&opened, &programs, &what, path).await,
        None => dump(&opened.owner, &programs, &what, &mut std::io::stdout().lock()).await.map_err(Failure::new),
    };
    opened.close().await;
    dumped
}

async fn to_file(opened: &Opened, programs: &Path, what: &Dump, path: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", path.display()));
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial = path.with_file_name(name);
    // What a crashed dump left may have another mode.
    let _ = std::fs::remove_file(&partial);
    // A dump of rows holds password hashes.
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&partial).map_err(failed)?;
    let mut output = BufWriter::new(file);
    let dumped = dump(&opened.owner, programs, what, &mut output).await.map_err(Failure::new);
    let kept = dumped.and_then(|()| output.flush().and_then(|()| std::fs::rename(&partial, path)).map_err(failed));
    if kept.is_err() {
        // A part of a dump is of no use; what failed is the error to show.
        let _ = std::fs::remove_file(&partial);
    }
    kept
}
