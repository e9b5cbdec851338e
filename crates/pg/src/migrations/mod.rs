//! The project's migrations and seeds, with the Supabase CLI's own bookkeeping, so that `supabase migration list` and
//! `supabase db push` see the same state (<https://github.com/supabase/cli>, pkg/migration).

mod error;
mod execute;
mod extensions;
mod files;
mod lexer;
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

/// Instances that start at once take turns; the number is arbitrary.
const LOCK: i64 = 7_235_417_232;

/// The migrations of `folder` that the database lacks, in the order in which they would be applied.
///
/// # Errors
/// [`MigrationError::MissingLocal`] and [`MigrationError::OutOfOrder`] when folder and database have parted ways.
pub async fn pending(target: &Target, folder: &Path, order: Order) -> Result<Vec<Migration>, MigrationError> {
    let client = open(target).await?;
    files::pending(local(folder)?, &applied(&client).await?, order, folder)
}

/// Applies them, each file in a transaction of its own together with its row in the bookkeeping, and returns those applied.
/// Statements that cannot be in a transaction (CREATE INDEX CONCURRENTLY, VACUUM, …) run between transactions, and whatever
/// stands before them in the file is committed first.
///
/// # Errors
/// [`MigrationError::Failed`] names the file, the statement and the line; the files before it stay applied.
pub async fn apply(target: &Target, folder: &Path, order: Order) -> Result<Vec<Migration>, MigrationError> {
    apply_skipping(target, folder, order, &mut Skips::default()).await
}

/// The same, where `skips` says whether statements may fail for want of an extension.
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

/// Tells the data API of a running server to read its catalog again. The event triggers that usually do are off in a
/// superuser's session, and servers of others may lack them.
async fn announce(client: &Client) {
    // The scripts are applied either way, or their own failure is what the caller has to hear of.
    if let Err(error) = client.batch_execute("notify pgrst, 'reload schema'").await {
        tracing::warn!(event = "schema_change_not_announced", detail = crate::error::source_chain(&error));
    }
}

async fn open(target: &Target) -> Result<Client, MigrationError> {
    connect(target).await.map_err(|source| MigrationError::Database { doing: "connecting", source })
}

/// Held until the connection closes.
async fn lock(client: &Client) -> Result<(), MigrationError> {
    let locked = client.execute("select pg_advisory_lock($1)", &[&LOCK]).await;
    locked.map(drop).map_err(MigrationError::driver("waiting for other migrations"))
}

/// The versions in the database; none if there is no bookkeeping yet.
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
