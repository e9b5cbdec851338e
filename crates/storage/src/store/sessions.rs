//! Sessions of auth.

use pg::Pool;
use pg::error::{DbError, Error};
use pg::pool::Query;
use uuid::Uuid;

/// SQLSTATEs of a schema `auth` that is missing, is not ours, or is not open to this role.
const UNKNOWN: [&str; 3] = ["3F000", "42883", "42501"];

/// Whether a session has ended.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn has_ended(pool: &Pool, session: Uuid) -> Result<bool, Error> {
    let ended = pool.get().await?.query("select auth.ended_sessions(array[$1::uuid])", &[&session]).await?;
    Ok(!ended.is_empty())
}

/// Whether an error says that this database does not tell which sessions have ended.
pub(crate) fn is_unknown(error: &DbError) -> bool {
    UNKNOWN.contains(&error.code.as_str())
}
