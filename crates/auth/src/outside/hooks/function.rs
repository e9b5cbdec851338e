//! Hooks that are database functions.
//!
//! Source: supabase/auth, `internal/hooks/hookspgfunc/hookspgfunc.go`.

use pg::pool::Transaction;
use pg::{Ident, Snippet};

/// Time limit of a function, in milliseconds.
const MILLISECONDS: i64 = 2000;

/// Calls a function with the JSON `body`; returns its result, if any. Its writes are committed or rolled back with the
/// transaction.
///
/// # Errors
/// PostgreSQL's, including the statement timeout.
pub(crate) async fn call(
    db: &Transaction<'_>,
    schema: &str,
    name: &str,
    body: &str,
) -> Result<Option<String>, pg::Error> {
    let mut sql = Snippet::raw("set local statement_timeout to ");
    sql.integer(MILLISECONDS).push("; select ").ident(&Ident::new(schema)).push(".").ident(&Ident::new(name));
    // An untyped constant: the function may take json or jsonb.
    sql.push("(").literal(body).push("); set local statement_timeout to default");
    db.script(&sql).await
}
