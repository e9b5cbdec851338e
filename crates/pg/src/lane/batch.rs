//! Several statements as the messages of one write.

use std::sync::Arc;

use bytes::{BufMut, BytesMut};
use postgres_protocol::IsNull;
use postgres_protocol::message::frontend::{self, BindError};

use super::statements::{Key, Statement, Statements};
use crate::{Error, Snippet};

/// Messages to be written at once and what the answers to them mean.
pub(super) struct Batch {
    pub(super) bytes: BytesMut,
    pub(super) steps: Vec<Step>,
    /// How many ReadyForQuery end the answer.
    pub(super) syncs: usize,
}

/// One statement of a batch.
pub(super) struct Step {
    pub(super) statement: Arc<Statement>,
    /// Whether its rows are wanted.
    pub(super) rows: Keep,
    pub(super) prepared: Prepared,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Rows,
    Ahead,
    Nothing,
}

/// Whether a step's statement was there already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prepared {
    Before,
    /// In this batch.
    Now,
}

const TEXT: i16 = 0;

impl Batch {
    /// Begins with closing the statements that have been dropped.
    pub(super) fn new(statements: &mut Statements) -> Result<Self, Error> {
        let mut bytes = BytesMut::with_capacity(2048);
        for name in statements.take_dropped() {
            frontend::close(b'S', &name, &mut bytes).map_err(unsendable)?;
        }
        Ok(Batch { bytes, steps: Vec::new(), syncs: 0 })
    }

    /// Appends a statement of `role`.
    pub(super) fn push(
        &mut self,
        statements: &mut Statements,
        role: Option<&str>,
        sql: &Snippet,
        rows: Keep,
    ) -> Result<(), Error> {
        let (text, params) = sql.render();
        self.push_text(statements, role, &text, params.iter().map(Option::as_deref), rows)
    }

    /// Appends the statement that puts settings in force. It runs as the connection's own role, so all roles share it.
    pub(super) fn push_settings(
        &mut self,
        statements: &mut Statements,
        text: &str,
        values: &[&str],
    ) -> Result<(), Error> {
        self.push_text(statements, None, text, values.iter().map(|value| Some(value.as_bytes())), Keep::Nothing)
    }

    /// Appends a statement without parameters.
    pub(super) fn push_constant(&mut self, statements: &mut Statements, sql: &str) -> Result<(), Error> {
        self.push_text(statements, None, sql, [], Keep::Nothing)
    }

    /// Ends the batch: the server answers up to here, and after an error goes on from here.
    pub(super) fn sync(&mut self) {
        frontend::sync(&mut self.bytes);
        self.syncs += 1;
    }

    /// Statements of the simple protocol, each of which is executed even if the one before failed.
    pub(super) fn simple(queries: &[&'static str]) -> Result<Self, Error> {
        let mut bytes = BytesMut::with_capacity(64);
        for query in queries {
            frontend::query(query, &mut bytes).map_err(unsendable)?;
        }
        Ok(Batch { bytes, steps: Vec::new(), syncs: queries.len() })
    }

    fn push_text<'a>(
        &mut self,
        statements: &mut Statements,
        role: Option<&str>,
        sql: &str,
        params: impl IntoIterator<Item = Option<&'a [u8]>>,
        rows: Keep,
    ) -> Result<(), Error> {
        let key = Key::new(role, sql);
        match statements.get(&key) {
            Some(statement) => {
                bind(&statement.name, params, &mut self.bytes)?;
                self.steps.push(Step { statement: statement.clone(), rows, prepared: Prepared::Before });
            }
            None => {
                let statement = statements.make(key);
                prepare(&statement.name, sql, &mut self.bytes)?;
                bind(&statement.name, params, &mut self.bytes)?;
                self.steps.push(Step { statement, rows, prepared: Prepared::Now });
            }
        }
        execute(&mut self.bytes)
    }
}

/// Parse and Describe.
pub(super) fn prepare(name: &str, sql: &str, bytes: &mut BytesMut) -> Result<(), Error> {
    frontend::parse(name, sql, [], bytes).map_err(unsendable)?;
    frontend::describe(b'S', name, bytes).map_err(unsendable)
}

/// All rows of the statement just bound.
pub(super) fn execute(bytes: &mut BytesMut) -> Result<(), Error> {
    frontend::execute("", 0, bytes).map_err(unsendable)
}

/// Values as text, results as text. No formats at all mean text for every one.
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

/// More than 65,535 parameters, a message above 2 GB, a NUL inside SQL.
pub(super) fn unsendable(error: std::io::Error) -> Error {
    Error::Protocol(format!("the statement cannot be sent: {error}"))
}
