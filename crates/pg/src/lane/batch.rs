//! Several statements as the messages of one write.

use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use postgres_protocol::IsNull;
use postgres_protocol::message::frontend::{self, BindError};

use super::rows::Column;
use super::statements::{Key, Statements};
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
    pub(super) key: Key,
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
pub(super) enum Prepared {
    Before(Arc<[Column]>),
    /// In this batch, under this name.
    Now(String),
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
        self.push_text(statements, role, &text, &params, rows)
    }

    /// Appends a statement without parameters.
    pub(super) fn push_constant(&mut self, statements: &mut Statements, sql: &str) -> Result<(), Error> {
        self.push_text(statements, None, sql, &[], Keep::Nothing)
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

    fn push_text(
        &mut self,
        statements: &mut Statements,
        role: Option<&str>,
        sql: &str,
        params: &[Option<Bytes>],
        rows: Keep,
    ) -> Result<(), Error> {
        let key = Key::new(role, sql);
        match statements.get(&key) {
            Some(statement) => {
                bind(&statement.name, params, &mut self.bytes)?;
                let prepared = Prepared::Before(statement.columns.clone());
                self.steps.push(Step { key, rows, prepared });
            }
            None => {
                let name = statements.new_name();
                frontend::parse(&name, sql, [], &mut self.bytes).map_err(unsendable)?;
                frontend::describe(b'S', &name, &mut self.bytes).map_err(unsendable)?;
                bind(&name, params, &mut self.bytes)?;
                self.steps.push(Step { key, rows, prepared: Prepared::Now(name) });
            }
        }
        frontend::execute("", 0, &mut self.bytes).map_err(unsendable)
    }
}

/// Values as text, results as text. No formats at all mean text for every one.
fn bind(statement: &str, params: &[Option<Bytes>], bytes: &mut BytesMut) -> Result<(), Error> {
    let write = |value: &Option<Bytes>, bytes: &mut BytesMut| {
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
fn unsendable(error: std::io::Error) -> Error {
    Error::Protocol(format!("the statement cannot be sent: {error}"))
}
