//! Hooks that are functions of the database.
//!
//! Source: supabase/auth, `internal/hooks/hookspgfunc/hookspgfunc.go`.

use pg::pool::Transaction;
use pg::{Ident, Snippet};

/// How long a function may take, in milliseconds.
const MILLISECONDS: i64 = 2000;

/// Calls a function with `body`, which is JSON; gives what it returns, if anything. What it writes is kept or undone with
/// the transaction.
///
/// # Errors
/// Those of PostgreSQL, among them that the function takes too long.
pub(crate) async fn call(
    db: &Transaction<'_>,
    schema: &str,
    name: &str,
    body: &str,
) -> Result<Option<String>, pg::Error> {
    let mut sql = Snippet::raw("set local statement_timeout to ");
    sql.integer(MILLISECONDS).push("; select ").ident(&Ident::new(schema)).push(".").ident(&Ident::new(name));
    // A constant of no type yet: the function may take json or jsonb.
    sql.push("(").literal(body).push("); set local statement_timeout to default");
    db.script(&sql).await
}
