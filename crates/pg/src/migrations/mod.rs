//! Runs the project's migrations and seeds. They are recorded in the Supabase CLI's tables, so that `supabase migration list` and
//! `supabase db push` see the same state (<https://github.com/supabase/cli>, pkg/migration).

mod error;
mod execute;
mod extensions;
mod files;
mod lexer;
mod plain;
mod platform;
mod run;
mod seed;
mod skips;
mod split;
#[cfg(test)]
mod split_tests;

use std::path::Path;

use tokio_postgres::Client;

pub use error::{Failure, MigrationError};
pub use files::{Migration, Order, local};
pub use seed::{Seeded, seed, seed_skipping};
pub use skips::Skips;
pub use split::{Statement, split};

use crate::Target;
use crate::connect::connect;

/// Key of the advisory lock under which instances apply migrations one at a time. The number is arbitrary.
const LOCK: i64 = 7_235_417_232;

/// The migrations in `folder` that the database lacks, in the order in which they would be applied.
///
/// # Errors
/// [`MigrationError::MissingLocal`] and [`MigrationError::OutOfOrder`] if folder and database do not match.
pub async fn pending(target: &Target, folder: &Path, order: Order) -> Result<Vec<Migration>, MigrationError> {
    let client = open(target).await?;
    files::pending(local(folder)?, &applied(&client).await?, order, folder)
}

/// Applies pending migrations and returns them. Each file runs in its own transaction, together with its record. Statements
/// that cannot run in a transaction (CREATE INDEX CONCURRENTLY, VACUUM, …) run on their own, after a commit of the statements
/// before them.
///
/// # Errors
/// [`MigrationError::Failed`] names the file, the statement and the line; the files before it stay applied.
pub async fn apply(target: &Target, folder: &Path, order: Order) -> Result<Vec<Migration>, MigrationError> {
    apply_skipping(target, folder, order, &mut Skips::default()).await
}

/// Like [`apply`]. `skips` decides whether statements that need a missing extension are skipped.
///
/// # Errors
/// Those of [`apply`].
pub async fn apply_skipping(
    target: &Target,
    folder: &Path,
    order: Order,
    skips: &mut Skips,
) -> Result<Vec<Migration>, MigrationError> {
    let client = open(target).await?;
    lock(&client).await?;
    let pending = files::pending(local(folder)?, &applied(&client).await?, order, folder)?;
    if !pending.is_empty() {
        create_tables(&client, include_str!("queries/create_schema_migrations.sql")).await?;
    }
    for migration in &pending {
        if let Err(error) = run::run(&client, migration, skips).await {
            announce(&client).await;
            return Err(error);
        }
    }
    if !pending.is_empty() {
        announce(&client).await;
    }
    Ok(pending)
}

/// Makes the data API of a running server reload its catalog. Usually event triggers do that, but they are off in a superuser's
/// session and may be missing on an external server.
async fn announce(client: &Client) {
    // Only a warning: the scripts are applied already, or the caller returns their error.
    if let Err(error) = client.batch_execute("notify pgrst, 'reload schema'").await {
        tracing::warn!(event = "schema_change_not_announced", detail = crate::error::source_chain(&error));
    }
}

async fn open(target: &Target) -> Result<Client, MigrationError> {
    connect(target).await.map_err(|source| MigrationError::Database { doing: "connecting", source })
}

/// Waits for other instances. The lock is held until the connection closes.
async fn lock(client: &Client) -> Result<(), MigrationError> {
    let locked = client.execute("select pg_advisory_lock($1)", &[&LOCK]).await;
    locked.map(drop).map_err(MigrationError::driver("waiting for other migrations"))
}

/// The applied versions; none if their table does not exist yet.
async fn applied(client: &Client) -> Result<Vec<String>, MigrationError> {
    let doing = "reading supabase_migrations.schema_migrations";
    match client.query("select version from supabase_migrations.schema_migrations order by version", &[]).await {
        Ok(rows) => rows.iter().map(|row| row.try_get(0).map_err(MigrationError::driver(doing))).collect(),
        Err(error) if is_undefined_table(&error) => Ok(Vec::new()),
        Err(error) => Err(MigrationError::driver(doing)(error)),
    }
}

fn is_undefined_table(error: &tokio_postgres::Error) -> bool {
    error.code() == Some(&tokio_postgres::error::SqlState::UNDEFINED_TABLE)
}

async fn create_tables(client: &Client, sql: &'static str) -> Result<(), MigrationError> {
    client.batch_execute(sql).await.map_err(MigrationError::driver("creating the tables of supabase_migrations"))
}
