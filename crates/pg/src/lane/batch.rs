//! Several statements, sent in one write.

use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use postgres_protocol::IsNull;
use postgres_protocol::message::frontend::{self, BindError};

use super::statements::{Key, Statement, Statements};
use super::work::{Ending, Work};
use crate::error::Error;
use crate::session::{self, Isolation};
use crate::snippet::{BoundSql, Snippet};

/// Messages to send in one write, and how to interpret the responses.
pub(super) struct Batch {
    pub(super) bytes: BytesMut,
    /// Long values that are not copied into `bytes`, each with the offset in `bytes` at which it is inserted.
    pub(super) long: Vec<(usize, Bytes)>,
    pub(super) steps: Vec<Step>,
    /// How many ReadyForQuery messages end the response.
    pub(super) syncs: usize,
}

/// One statement of a batch.
pub(super) struct Step {
    pub(super) statement: Arc<Statement>,
    /// What happens with its rows.
    pub(super) rows: Keep,
    pub(super) prepared: Prepared,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Rows,
    Ahead,
    Nothing,
}

/// When a step's statement was prepared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prepared {
    Before,
    /// In this batch.
    Now,
}

const TEXT: i16 = 0;

impl Batch {
    /// Begins with closing the statements that were dropped from the cache.
    pub(super) fn new(statements: &mut Statements) -> Result<Self, Error> {
        let mut bytes = BytesMut::with_capacity(2048);
        for name in statements.take_dropped() {
            frontend::close(b'S', &name, &mut bytes).map_err(unsendable)?;
        }
        Ok(Batch { bytes, long: Vec::new(), steps: Vec::new(), syncs: 0 })
    }

    /// A transaction with the settings and statements of `work`. If it commits at once, it needs no BEGIN and COMMIT, because
    /// statements up to a Sync are a transaction of their own. This one checks that it has the isolation level and access
    /// mode of `work`, which are the connection's defaults: PostgreSQL refuses to change either after the first statement
    /// (25001). With `is_explicit` it always begins with BEGIN.
    pub(super) fn transaction(
        statements: &mut Statements,
        work: &Work,
        ending: Ending,
        is_explicit: bool,
    ) -> Result<Self, Error> {
        let role = work.session.role();
        let mut batch = Batch::new(statements)?;
        let is_explicit = is_explicit || ending == Ending::Open || work.isolation != Isolation::ReadCommitted;
        if is_explicit {
            batch.push_constant(statements, &session::begin(work.isolation, work.access))?;
        }
        let modes = [("transaction_isolation", work.isolation.sql()), ("transaction_read_only", work.access.flag())];
        if let Some((text, values)) = work.session.silent_statement(if is_explicit { &[] } else { &modes }) {
            batch.push_settings(statements, &text, &values)?;
        }
        for before in &work.before {
            batch.push(statements, role, before, Keep::Nothing)?;
        }
        if let Some(ahead) = &work.ahead {
            batch.push(statements, role, ahead, Keep::Ahead)?;
        }
        batch.push_query(statements, role, &work.query)?;
        if is_explicit && ending == Ending::Commit {
            batch.push_constant(statements, "commit")?;
        }
        batch.sync();
        Ok(batch)
    }

    /// Appends a statement of `role`, the role that is then current.
    pub(super) fn push(
        &mut self,
        statements: &mut Statements,
        role: Option<&str>,
        sql: &Snippet,
        rows: Keep,
    ) -> Result<(), Error> {
        let (text, params) = sql.render();
        self.push_text(statements, role, &text, rows, |name, batch| batch.bind(name, &params))
    }

    /// Appends the statement that applies settings. It runs as the connection's own role, so all roles share it.
    pub(super) fn push_settings(
        &mut self,
        statements: &mut Statements,
        text: &str,
        values: &[&str],
    ) -> Result<(), Error> {
        let values = values.iter().map(|value| Some(value.as_bytes()));
        self.push_text(statements, None, text, Keep::Nothing, |name, batch| bind(name, values, &mut batch.bytes))
    }

    /// Appends the query of `role`.
    pub(super) fn push_query(
        &mut self,
        statements: &mut Statements,
        role: Option<&str>,
        sql: &BoundSql,
    ) -> Result<(), Error> {
        self.push_text(statements, role, &sql.text, Keep::Rows, |name, batch| batch.bind(name, &sql.values))
    }

    /// Appends a statement without parameters.
    pub(super) fn push_constant(&mut self, statements: &mut Statements, sql: &str) -> Result<(), Error> {
        self.push_text(statements, None, sql, Keep::Nothing, |name, batch| bind(name, [], &mut batch.bytes))
    }

    /// Ends the batch with a Sync. After an error the server skips messages up to it.
    pub(super) fn sync(&mut self) {
        frontend::sync(&mut self.bytes);
        self.syncs += 1;
    }

    /// Statements of the simple protocol. Each is executed even if the previous one failed.
    pub(super) fn simple(queries: &[&'static str]) -> Result<Self, Error> {
        let mut bytes = BytesMut::with_capacity(64);
        for query in queries {
            frontend::query(query, &mut bytes).map_err(unsendable)?;
        }
        Ok(Batch { bytes, long: Vec::new(), steps: Vec::new(), syncs: queries.len() })
    }

    fn push_text(
        &mut self,
        statements: &mut Statements,
        role: Option<&str>,
        sql: &str,
        rows: Keep,
        bind: impl FnOnce(&str, &mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let key = Key::new(role, sql);
        match statements.get(&key) {
            Some(statement) => {
                bind(&statement.name, self)?;
                self.steps.push(Step { statement: statement.clone(), rows, prepared: Prepared::Before });
            }
            None => {
                let statement = statements.make(key);
                prepare(&statement.name, sql, &mut self.bytes)?;
                bind(&statement.name, self)?;
                self.steps.push(Step { statement, rows, prepared: Prepared::Now });
            }
        }
        execute(&mut self.bytes)
    }

    /// Like the function [`bind`], but does not copy long values, so that the body of a bulk insert is in memory once.
    fn bind(&mut self, statement: &str, params: &[Option<Bytes>]) -> Result<(), Error> {
        let start = self.bytes.len();
        let is_long = |value: &Bytes| value.len() > LONG_VALUE;
        let short = params.iter().map(|value| value.as_ref().map(|value| if is_long(value) { &[][..] } else { value }));
        bind(statement, short, &mut self.bytes)?;
        if !params.iter().flatten().any(is_long) {
            return Ok(());
        }
        // A Bind message contains the number of values, then for each its length and bytes, then the number of result formats
        // and one format (two bytes each). This goes through it backwards.
        let mut at = self.bytes.len() - 2 - 2;
        let mut long = Vec::new();
        for value in params.iter().rev() {
            match value {
                Some(value) if is_long(value) => {
                    long.push((at, value.clone()));
                    let len = i32::try_from(value.len()).map_err(|_| too_long())?;
                    self.bytes[at - 4..at].copy_from_slice(&len.to_be_bytes());
                }
                Some(value) => at -= value.len(),
                None => {}
            }
            at -= 4;
        }
        let len = self.bytes.len() - start - 1 + long.iter().map(|(_, value)| value.len()).sum::<usize>();
        let len = i32::try_from(len).map_err(|_| too_long())?;
        self.bytes[start + 1..start + 5].copy_from_slice(&len.to_be_bytes());
        self.long.extend(long.into_iter().rev());
        Ok(())
    }
}

/// Values longer than this, in bytes, are not copied. For shorter ones a single write is cheaper.
const LONG_VALUE: usize = 64 * 1024;

fn too_long() -> Error {
    Error::Protocol("the statement cannot be sent: a message has at most 2 GB".to_owned())
}

/// Parse and Describe.
pub(super) fn prepare(name: &str, sql: &str, bytes: &mut BytesMut) -> Result<(), Error> {
    frontend::parse(name, sql, [], bytes).map_err(unsendable)?;
    frontend::describe(b'S', name, bytes).map_err(unsendable)
}

/// Appends Execute for the statement that was just bound, without a limit of rows.
pub(super) fn execute(bytes: &mut BytesMut) -> Result<(), Error> {
    frontend::execute("", 0, bytes).map_err(unsendable)
}

/// Appends Bind, with parameters and results in text format.
pub(super) fn bind<'a>(
    statement: &str,
    params: impl IntoIterator<Item = Option<&'a [u8]>>,
    bytes: &mut BytesMut,
) -> Result<(), Error> {
    let write = |value: Option<&[u8]>, bytes: &mut BytesMut| {
        Ok(match value {
            Some(value) => {
                bytes.put_slice(value);
                IsNull::No
            }
            None => IsNull::Yes,
        })
    };
    frontend::bind("", statement, [TEXT], params, write, [TEXT], bytes).map_err(|error| match error {
        BindError::Conversion(error) => Error::Protocol(error.to_string()),
        BindError::Serialization(error) => unsendable(error),
    })
}

/// For statements with more than 65,535 parameters, messages above 2 GB, or a NUL in SQL.
pub(super) fn unsendable(error: std::io::Error) -> Error {
    Error::Protocol(format!("the statement cannot be sent: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_inserted_where_short_ones_are_copied() {
        let long = |fill: u8| Some(Bytes::from(vec![fill; LONG_VALUE + 1]));
        let short = |text: &'static str| Some(Bytes::from(text));
        for params in [
            vec![long(b'a')],
            vec![short("x"), long(b'a'), None, short("yz")],
            vec![long(b'a'), long(b'b'), short("")],
            vec![None, long(b'a'), short("x"), None, long(b'b'), None],
            vec![short("x"), None],
            vec![],
        ] {
            let mut batch =
                Batch { bytes: BytesMut::from(&b"before"[..]), long: Vec::new(), steps: Vec::new(), syncs: 0 };
            batch.bind("s1", &params).unwrap();
            let mut copied = BytesMut::from(&b"before"[..]);
            bind("s1", params.iter().map(Option::as_deref), &mut copied).unwrap();
            let mut spliced = Vec::new();
            let mut at = 0;
            for (before, value) in &batch.long {
                spliced.extend_from_slice(&batch.bytes[at..*before]);
                spliced.extend_from_slice(value);
                at = *before;
            }
            spliced.extend_from_slice(&batch.bytes[at..]);
            assert!(spliced == copied, "{} values", params.len());
        }
    }
}
