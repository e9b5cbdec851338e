//! pgTAP files, run and summed up as pg_prove does: `supabase test db` runs it in a container.

mod files;
mod psql;
mod stream;
mod summary;

use std::path::PathBuf;
use std::time::Instant;

use pg::{Script, Target};

pub use files::{FilesError, find};
pub use summary::Summary;

use stream::Stream;
use summary::Outcome;

/// Why no test could run.
#[derive(Debug, thiserror::Error)]
pub enum TapError {
    /// The server has no pgTAP.
    #[error(
        "pgTAP is not installed for this PostgreSQL ({0}); install it (Debian: `apt-get install postgresql-15-pgtap`, then run \
         scripts/install.sh or start dugout again), or run `create extension pgtap` on a server that has it"
    )]
    NoPgtap(String),
    /// The database refused or cannot be reached.
    #[error("the database refused: {0}")]
    Database(#[from] pg::Error),
}

/// SQLSTATEs of `create extension` for an extension that the server lacks: undefined_file, feature_not_supported.
const MISSING: [&str; 2] = ["58P01", "0A000"];

/// Runs the files one after the other, each in a session of its own, and hands every line of the report to `print`.
///
/// pgTAP is created in the schema `extensions` for the duration, unless the project has it already.
///
/// # Errors
/// [`TapError`] if no test could run. Failing tests are no error: see [`Summary::passed`].
pub async fn run(target: &Target, files: &[PathBuf], print: &mut dyn FnMut(&str)) -> Result<Summary, TapError> {
    let admin = Script::connect(target).await?;
    let had = !admin.rows("select 1 from pg_extension where extname = 'pgtap'").await?.is_empty();
    match admin.rows("create extension if not exists pgtap with schema extensions").await {
        Err(pg::Error::Database(error)) if MISSING.contains(&error.code.as_str()) => {
            return Err(TapError::NoPgtap(error.message));
        }
        other => other.map(drop)?,
    }
    let summary = all(target, files, print).await;
    if !had {
        admin.rows("drop extension if exists pgtap").await?;
    }
    summary
}

async fn all(target: &Target, files: &[PathBuf], print: &mut dyn FnMut(&str)) -> Result<Summary, TapError> {
    let began = Instant::now();
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let mut summary = Summary::default();
    for (file, name) in files.iter().zip(names) {
        let mut stream = Stream::default();
        let ended = match Script::connect(target).await {
            Ok(script) => psql::run(&script, file, &mut |line| stream.line(line)).await,
            Err(error) => Err(psql::Stop { line: 1, file: name.clone(), message: error.to_string() }),
        };
        let outcome = Outcome::new(name, stream, ended.err());
        print(&outcome.report(width));
        summary.add(outcome);
    }
    summary.took = began.elapsed();
    print(&summary.to_string());
    Ok(summary)
}
