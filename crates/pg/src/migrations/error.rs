//! Why migrations were not applied. The messages are for the author of the migrations.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::Error;

/// A failure of the migrations runner.
#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    /// A file or folder could not be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The database has versions without a file: a branch was not merged, or a file was renamed.
    #[error(
        "Remote migration versions not found in local migrations directory: {}. Bring {} up to date, or run \
         `supabase migration repair --status reverted {}`",
        .versions.join(", "), .folder.display(), .versions.join(" ")
    )]
    MissingLocal {
        /// The versions.
        versions: Vec<String>,
        /// The migrations directory.
        folder: PathBuf,
    },
    /// New files have older versions than the last applied one.
    #[error(
        "Found local migration files to be inserted before the last migration on remote database: {}. \
         Give them a newer timestamp, or run `supabase db push --include-all`",
        .0.join(", ")
    )]
    OutOfOrder(Vec<String>),
    /// A statement failed.
    #[error(transparent)]
    Failed(Box<Failure>),
    /// The database failed outside the files' statements.
    #[error("the database failed while {doing}: {source}")]
    Database {
        /// The failed step.
        doing: &'static str,
        /// The failure.
        source: Error,
    },
}

/// Where a script failed, and what remains applied.
#[derive(Debug)]
pub struct Failure {
    /// The file.
    pub path: PathBuf,
    /// The number of the statement in it, from 1.
    pub statement: usize,
    /// The line of the error, or the first line of the statement; `None` if all statements succeeded and the commit or the
    /// recording failed.
    pub line: Option<usize>,
    /// How many statements before it stay applied, because the script contains statements that cannot run in a transaction.
    pub kept: usize,
    /// The database's error.
    pub error: Error,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { path, statement, line, kept, error } = self;
        match line {
            Some(line) => write!(f, "{} failed at statement {statement}, line {line}: {error}", path.display())?,
            None => write!(f, "{} failed when it was committed: {error}", path.display())?,
        }
        if let Some(hint) = error.database().and_then(|error| error.hint.as_ref()) {
            write!(f, " (hint: {hint})")?;
        }
        match kept {
            0 => write!(f, "; nothing of the file was applied: correct it and run it again"),
            _ => write!(
                f,
                "; its first {kept} statements stay applied, because the file contains statements that cannot run in a \
                 transaction: undo them or remove them before running it again"
            ),
        }
    }
}

impl std::error::Error for Failure {}

impl MigrationError {
    /// For `map_err`: the driver's error with the failed step.
    pub(super) fn driver(doing: &'static str) -> impl FnOnce(tokio_postgres::Error) -> MigrationError {
        move |error| MigrationError::Database { doing, source: Error::from_driver(error) }
    }
}
