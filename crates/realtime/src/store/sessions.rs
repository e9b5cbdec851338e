//! Sessions of auth.

use pg::Pool;
use pg::error::{DbError, Error};
use pg::pool::Query;
use uuid::Uuid;

/// SQLSTATEs of a schema `auth` that is missing, is not ours, or is not open to this role.
const UNKNOWN: [&str; 3] = ["3F000", "42883", "42501"];

/// Those of the sessions that have ended.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn ended(pool: &Pool, sessions: &[Uuid]) -> Result<Vec<Uuid>, Error> {
    let rows = pool.get().await?.query("select auth.ended_sessions($1)", &[&sessions]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Whether an error says that this database does not tell which sessions have ended.
pub(crate) fn is_unknown(error: &DbError) -> bool {
    UNKNOWN.contains(&error.code.as_str())
}
