//! Runs a script in one transaction if possible, and statements that cannot run in a transaction on their own.

use std::fs;
use std::path::Path;

use tokio_postgres::Client;
use tokio_postgres::error::{ErrorPosition, SqlState};
use tokio_postgres::types::ToSql;

use super::error::{Failure, MigrationError};
use super::execute::execute;
use super::extensions;
use super::files::Migration;
use super::skips::Skips;
use super::split::{Statement, newlines, split, words};
use crate::Error;

/// The statement that records the script; it runs in the script's last transaction.
pub(super) struct Record<'a> {
    pub(super) sql: &'static str,
    pub(super) params: &'a [&'a (dyn ToSql + Sync)],
}

/// Applies a migration and records it.
pub(super) async fn run(client: &Client, migration: &Migration, skips: &mut Skips) -> Result<(), MigrationError> {
    let began = std::time::Instant::now();
    let statements = split(&read(&migration.path)?);
    let texts: Vec<&str> = statements.iter().map(|statement| statement.text.as_str()).collect();
    let record = Record {
        sql: include_str!("queries/insert_migration.sql"),
        params: &[&migration.version, &migration.name, &texts],
    };
    script(client, &migration.path, &statements, &record, skips).await?;
    tracing::info!(file = %migration.path.display(), ms = began.elapsed().as_millis(), "migration applied");
    Ok(())
}

/// The text of a script, without a byte order mark, which PostgreSQL would refuse.
pub(super) fn read(path: &Path) -> Result<String, MigrationError> {
    let text =
        fs::read_to_string(path).map_err(|source| MigrationError::Unreadable { path: path.to_owned(), source })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Runs the statements and the record.
pub(super) async fn script(
    client: &Client,
    path: &Path,
    statements: &[Statement],
    record: &Record<'_>,
    skips: &mut Skips,
) -> Result<(), MigrationError> {
    // Settings that an earlier file made for the session, such as `set search_path` in dumps, must not affect this one.
    client
        .batch_execute("reset session authorization; reset all")
        .await
        .map_err(MigrationError::driver("resetting"))?;
    let file = path.display().to_string();
    let mut run = Run { client, file, skips, transaction: Transaction::None, kept: 0, current: 0 };
    let outcome = run.all(statements, record).await;
    let Err(error) = outcome else { return Ok(()) };
    if run.transaction == Transaction::Open {
        // If this fails, the connection is lost and the transaction with it.
        let _ = client.batch_execute("rollback").await;
    }
    let line = statements.get(run.current).map(|statement| line_of(statement, &error));
    let error = explain(statements.get(run.current), Error::from_driver(error));
    let failure = Failure { path: path.to_owned(), statement: run.current + 1, line, kept: run.kept, error };
    Err(MigrationError::Failed(Box::new(failure)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Transaction {
    None,
    Open,
}

struct Run<'a> {
    client: &'a Client,
    /// The file's name, for the list of skipped statements.
    file: String,
    skips: &'a mut Skips,
    transaction: Transaction,
    /// How many statements have been committed.
    kept: usize,
    /// The index of the current statement.
    current: usize,
}

impl Run<'_> {
    async fn all(&mut self, statements: &[Statement], record: &Record<'_>) -> Result<(), tokio_postgres::Error> {
        let mut next = 0;
        while next < statements.len() {
            next = match self.up_to_loner(statements, next).await? {
                Some(loner) => {
                    self.alone(statements, loner).await?;
                    loner + 1
                }
                None => statements.len(),
            };
        }
        // Later errors are those of the record or of a deferred constraint.
        self.current = statements.len();
        self.begin().await?;
        self.client.execute(record.sql, record.params).await?;
        self.commit(statements.len()).await
    }

    /// Runs statements in a transaction, until one cannot run in a transaction. Returns the index of that one, after running the
    /// statements before it again, because its failure undid them. They are not committed yet.
    async fn up_to_loner(
        &mut self,
        statements: &[Statement],
        first: usize,
    ) -> Result<Option<usize>, tokio_postgres::Error> {
        let mut first = first;
        for (number, statement) in statements.iter().enumerate().skip(first) {
            self.current = number;
            self.begin().await?;
            match self.one(statement).await {
                Ok(()) if ends_transaction(&statement.text) => {
                    self.transaction = Transaction::None;
                    self.kept = number + 1;
                    first = number + 1;
                }
                Ok(()) => {}
                Err(error) if wants_to_be_alone(&statement.text, &error) => {
                    self.rollback().await?;
                    for (number, statement) in statements.iter().enumerate().take(number).skip(first) {
                        self.current = number;
                        self.begin().await?;
                        self.one(statement).await?;
                    }
                    return Ok(Some(number));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Runs a statement in the transaction. If skipping is allowed and it needs a missing extension, it has no effect.
    async fn one(&mut self, statement: &Statement) -> Result<(), tokio_postgres::Error> {
        if !self.skips.are_allowed() {
            return execute(self.client, &statement.text).await;
        }
        self.client.batch_execute("savepoint dugout_statement").await?;
        match execute(self.client, &statement.text).await {
            Err(error) if self.skips.take(&self.file, statement, &error) => {
                self.client.batch_execute("rollback to savepoint dugout_statement").await
            }
            Ok(()) if !ends_transaction(&statement.text) => {
                self.client.batch_execute("release savepoint dugout_statement").await
            }
            outcome => outcome,
        }
    }

    async fn alone(&mut self, statements: &[Statement], number: usize) -> Result<(), tokio_postgres::Error> {
        self.commit(number).await?;
        self.current = number;
        self.client.batch_execute(&statements[number].text).await?;
        self.kept = number + 1;
        Ok(())
    }

    async fn begin(&mut self) -> Result<(), tokio_postgres::Error> {
        if self.transaction == Transaction::None {
            self.client.batch_execute("begin").await?;
            self.transaction = Transaction::Open;
        }
        Ok(())
    }

    async fn commit(&mut self, kept: usize) -> Result<(), tokio_postgres::Error> {
        if self.transaction == Transaction::Open {
            self.client.batch_execute("commit").await?;
            self.transaction = Transaction::None;
            self.kept = kept;
        }
        Ok(())
    }

    async fn rollback(&mut self) -> Result<(), tokio_postgres::Error> {
        self.client.batch_execute("rollback").await?;
        self.transaction = Transaction::None;
        Ok(())
    }
}

/// Whether the database refused the statement because it cannot run in a transaction. The error decides instead of a list of
/// statements, so that this holds for every version. The first word excludes DO and function calls, which also fail outside a
/// transaction, and SET TRANSACTION, which causes the same error for another reason.
fn wants_to_be_alone(sql: &str, error: &tokio_postgres::Error) -> bool {
    const MAY: [&str; 8] = ["CREATE", "DROP", "ALTER", "REINDEX", "VACUUM", "CLUSTER", "COMMIT", "ROLLBACK"];
    error.code() == Some(&SqlState::ACTIVE_SQL_TRANSACTION)
        && words(sql).next().is_some_and(|word| MAY.contains(&word.as_str()))
}

/// Whether the statement ends a transaction of the script's own. Later statements run in a new one of ours.
fn ends_transaction(sql: &str) -> bool {
    let words: Vec<String> = words(sql).take(5).collect();
    let is = |word: &str| words.iter().any(|found| found == word);
    let ends = words.first().is_some_and(|word| ["COMMIT", "END", "ROLLBACK", "ABORT"].contains(&word.as_str()));
    ends && !is("TO") && !is("PREPARED") && (!is("CHAIN") || is("NO"))
}

/// The line of the error, or the first line of the statement.
fn line_of(statement: &Statement, error: &tokio_postgres::Error) -> usize {
    let position = match error.as_db_error().and_then(|error| error.position()) {
        Some(ErrorPosition::Original(position)) => *position as usize,
        _ => 1,
    };
    let before: String = statement.text.chars().take(position.saturating_sub(1)).collect();
    statement.line + newlines(&before)
}

/// Replaces the driver's message for a COPY that waits for data, and adds hints about extensions.
fn explain(statement: Option<&Statement>, error: Error) -> Error {
    match (error, statement) {
        (Error::Protocol(_), Some(statement)) if words(&statement.text).next().as_deref() == Some("COPY") => {
            Error::Protocol("COPY needs data from a client, which a script cannot send; use INSERT".to_owned())
        }
        (Error::Database(error), Some(statement)) => Error::Database(extensions::explain(&statement.text, error)),
        (error, _) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_end_a_transaction_are_recognised() {
        for (sql, ends) in [
            ("commit", true),
            ("-- done\nEND", true),
            ("rollback", true),
            ("commit work and no chain", true),
            ("commit and chain", false),
            ("rollback to savepoint a", false),
            ("rollback work to a", false),
            ("commit prepared 'x'", false),
            ("begin", false),
            ("select 'commit'", false),
        ] {
            assert_eq!(ends_transaction(sql), ends, "{sql}");
        }
    }
}
