//! The difference between two databases' schemas as SQL, like `supabase db diff`, but without a container.
//!
//! It compares schemas, extensions, types, collations, sequences, functions, aggregates, operators, casts, tables with all that
//! belongs to them, views, foreign servers and tables, publications, event triggers, roles, owners, privileges and comments. It
//! does not compare operator classes and text search configurations, nor secrets: user mappings and the passwords of roles.

mod alike;
mod change;
mod objects;
mod order;
mod plan;
mod privileges;
mod table;

use pg::pool::Query;
use pg::{Error, Pool, PoolConfig, Target};

use crate::dump::is_of_the_platform;
use objects::Snapshot;

/// The statements that make the schema of `from` into that of `to`; empty if they are the same. Schemas of the platform are left
/// alone unless named in `schemas`; with names there, all others are.
///
/// # Errors
/// Those of the databases.
pub async fn diff(from: &Target, to: &Target, schemas: &[String]) -> Result<String, Error> {
    let mut from = snapshot(from, schemas).await?;
    let mut to = snapshot(to, schemas).await?;
    alike::align(&mut from, &mut to);
    let statements = plan::statements(&from, &to);
    if statements.is_empty() {
        return Ok(String::new());
    }
    // Functions may use what is made after them.
    let lines = std::iter::once("set check_function_bodies = off".to_owned()).chain(statements);
    Ok(lines.map(|statement| statement + ";\n\n").collect())
}

async fn snapshot(target: &Target, wanted: &[String]) -> Result<Snapshot, Error> {
    let pool = Pool::new(target, &PoolConfig { size: 1, ..PoolConfig::default() })?;
    let database = pool.get().await?;
    database.execute("select pg_catalog.set_config('search_path', '', false)", &[]).await?;
    let is_compared = |schema: &str| match wanted {
        [] => !is_of_the_platform(schema),
        wanted => wanted.iter().any(|name| name == schema),
    };
    let snapshot = Snapshot::load(&database, &is_compared).await;
    // Its search_path is none that others would expect.
    database.close();
    snapshot
}
