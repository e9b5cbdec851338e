//! The project's own SQL: roles, migrations and seed files, and the vault's secrets of config.toml.

use std::time::Instant;

use pg::migrations::{self, Migration, Order, Seeded, Skips};
use pg::pool::Query;
use pg::{Pool, PoolConfig, Target};

use crate::config::Config;
use crate::database::{Ready, Stages};
use crate::error::StartError;

/// A file in the data directory which shows that the first migrations of our own cluster have finished.
const INITIALISED: &str = "initialised";

/// Roles that the project's migrations expect, relative to `supabase/`.
const ROLES: &str = "roles.sql";

/// Applies the project's migrations. A new database gets all of them, and with `--dev` the seeds; an existing one only with
/// `--dev` or `--migrate`. Returns the names of the applied migrations and the skipped statements.
///
/// # Errors
/// [`StartError::Pending`] if an existing database lacks migrations.
pub(crate) async fn migrate(
    config: &Config,
    ready: &Ready,
    stages: &mut Stages,
) -> Result<(Vec<String>, Vec<String>), StartError> {
    let mut skips = if config.skip_missing_extensions { Skips::allowed() } else { Skips::default() };
    let started = Instant::now();
    let fresh = is_fresh(config, ready).await?;
    let mut applied = Vec::new();
    if fresh && !config.auto_expose {
        keep_new_objects_private(&ready.owner).await?;
    }
    if fresh && ready.cluster.is_some() {
        keep_secrets(config, &ready.owner).await?;
        make_roles(config, &ready.owner, &mut skips).await?;
    }
    let pending = match &config.project_sql.migrations {
        Some(folder) => migrations::pending(&ready.owner, folder, Order::Strict).await?,
        None => Vec::new(),
    };
    if fresh || config.dev || config.migrate {
        let pending = pending.len();
        config.progress.step(&format!("applying {pending} {}", if pending == 1 { "migration" } else { "migrations" }));
        applied = apply_pending(config, &ready.owner, &mut skips).await?;
    } else if !pending.is_empty() {
        return Err(StartError::Pending(names(&pending)));
    }
    if config.dev && fresh {
        config.progress.step("running seed files");
        seed(config, &ready.owner, &mut skips).await?;
    }
    if fresh && ready.cluster.is_some() {
        let marker = config.data_dir.join(INITIALISED);
        std::fs::write(&marker, b"").map_err(|error| StartError::DataDir(marker, error))?;
    }
    stages.push(("migrations", started.elapsed()));
    Ok((applied, skips.list))
}

/// Revokes the default privileges of the API's roles on what migrations create in `public`, for
/// `api.auto_expose_new_tables = false`. Functions stay executable by everyone, which is PostgreSQL's own default.
///
/// Source: Supabase CLI 3.1, `db start`.
async fn keep_new_objects_private(owner: &Target) -> Result<(), StartError> {
    let failed = |error: pg::Error| StartError::Statement(error.to_string());
    let pool = Pool::new(owner, &PoolConfig { size: 1, ..PoolConfig::default() }).map_err(failed)?;
    let mut connection = pool.get().await.map_err(failed)?;
    let transaction = connection.transaction().await.map_err(failed)?;
    for sql in [
        "alter default privileges in schema public \
           revoke select, insert, update, delete on tables from anon, authenticated, service_role",
        "alter default privileges in schema public \
           revoke usage, select on sequences from anon, authenticated, service_role",
        "alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role",
    ] {
        transaction.execute(sql, &[]).await.map_err(failed)?;
    }
    transaction.commit().await.map_err(failed)
}

/// Stores the secrets of `[db.vault]` in config.toml. Like the CLI, before the migrations, which may read them.
async fn keep_secrets(config: &Config, owner: &Target) -> Result<(), StartError> {
    if config.project_sql.vault.is_empty() {
        return Ok(());
    }
    let failed = |error: pg::Error| StartError::Vault(error.to_string());
    let pool = Pool::new(owner, &PoolConfig { size: 1, ..PoolConfig::default() }).map_err(failed)?;
    let connection = pool.get().await.map_err(failed)?;
    for (name, secret) in &config.project_sql.vault {
        // A start that was interrupted may have stored it already.
        let update = "select vault.update_secret(id, $2) from vault.secrets where name = $1";
        if connection.execute(update, &[name, secret.reveal()]).await.map_err(failed)? == 0 {
            let create = "select vault.create_secret($2, $1)";
            connection.execute(create, &[name, secret.reveal()]).await.map_err(failed)?;
        }
    }
    Ok(())
}

/// Runs `supabase/roles.sql` once, before the first migration. It is recorded like a seed file.
async fn make_roles(config: &Config, owner: &Target, skips: &mut Skips) -> Result<(), StartError> {
    let Some(folder) = config.project_sql.folder.as_deref().filter(|folder| folder.join(ROLES).is_file()) else {
        return Ok(());
    };
    migrations::seed_skipping(owner, folder, &[ROLES.to_owned()], skips).await?;
    Ok(())
}

/// Applies pending migrations and returns their names.
pub(crate) async fn apply_pending(
    config: &Config,
    owner: &Target,
    skips: &mut Skips,
) -> Result<Vec<String>, StartError> {
    let Some(folder) = &config.project_sql.migrations else { return Ok(Vec::new()) };
    Ok(names(&migrations::apply_skipping(owner, folder, Order::Strict, skips).await?))
}

/// Runs the project's seed files that have not run yet, and returns their paths.
pub(crate) async fn seed(config: &Config, owner: &Target, skips: &mut Skips) -> Result<Vec<String>, StartError> {
    let Some(folder) = &config.project_sql.folder else { return Ok(Vec::new()) };
    let seeded = migrations::seed_skipping(owner, folder, &config.project_sql.seeds, skips).await?;
    let ran = |seeded| match seeded {
        Seeded::Run(path) => Some(path),
        Seeded::HashUpdated(_) => None,
    };
    Ok(seeded.into_iter().filter_map(ran).collect())
}

/// Whether the database cannot contain anyone's data yet. Our own cluster is new until its first migrations have finished, so
/// that a start after a crash continues with them. A user's server is new while its schema `public` is empty.
async fn is_fresh(config: &Config, ready: &Ready) -> Result<bool, StartError> {
    if ready.cluster.is_some() {
        return Ok(!config.data_dir.join(INITIALISED).exists());
    }
    let failed = |error: pg::Error| StartError::Statement(error.to_string());
    let pool = Pool::new(&ready.owner, &PoolConfig { size: 1, ..PoolConfig::default() }).map_err(failed)?;
    let sql = "select not exists (select from pg_class where relnamespace = 'public'::regnamespace)";
    let row = pool.get().await.map_err(failed)?.query_one(sql, &[]).await.map_err(failed)?;
    Ok(row.get(0))
}

fn names(migrations: &[Migration]) -> Vec<String> {
    migrations.iter().map(|migration| format!("{}_{}", migration.version, migration.name)).collect()
}
