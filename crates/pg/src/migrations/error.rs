//! Why migrations were not applied, in words for the person who wrote them.

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
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The database has versions for which there is no file: a branch is not merged, or a file was renamed.
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
    /// There are new files whose versions are older than what the database has already.
    #[error(
        "Found local migration files to be inserted before the last migration on remote database: {}. \
         Give them a newer timestamp, or run `supabase db push --include-all`",
        .0.join(", ")
    )]
    OutOfOrder(Vec<String>),
    /// A statement failed.
    #[error(transparent)]
    Failed(Box<Failure>),
    /// The database failed outside of the files' statements.
    #[error("the database failed while {doing}: {source}")]
    Database {
        /// What was going on.
        doing: &'static str,
        /// The failure.
        source: Error,
    },
}

/// Where a script failed and what is left of it.
#[derive(Debug)]
pub struct Failure {
    /// The file.
    pub path: PathBuf,
    /// The number of the statement in it, from 1.
    pub statement: usize,
    /// The line on which the database saw the mistake, else the one on which the statement begins; `None` when all
    /// statements had run and the commit or the bookkeeping failed.
    pub line: Option<usize>,
    /// How many statements before it stay applied: those that could not be in one transaction with the rest.
    pub kept: usize,
    /// What the database said.
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
            0 => write!(f, "; nothing of the file was kept: correct it and run it again"),
            _ => write!(
                f,
                "; its first {kept} statements stay applied, because the file has statements that cannot be in a \
                 transaction: undo them or take them out before running it again"
            ),
        }
    }
}

impl std::error::Error for Failure {}

impl MigrationError {
    /// For `map_err`: the driver's error, and what was going on.
    pub(super) fn driver(doing: &'static str) -> impl FnOnce(tokio_postgres::Error) -> MigrationError {
        move |error| MigrationError::Database { doing, source: Error::from_driver(error) }
    }
}
