//! Going on without extensions that the server lacks, for development.

use tokio_postgres::error::SqlState;

use super::extensions::missing;
use super::split::Statement;

/// What a statement refers to does not exist: a function, a type or operator class, a table, a schema, a column.
const UNDEFINED: [SqlState; 5] = [
    SqlState::UNDEFINED_FUNCTION,
    SqlState::UNDEFINED_OBJECT,
    SqlState::UNDEFINED_TABLE,
    SqlState::INVALID_SCHEMA_NAME,
    SqlState::UNDEFINED_COLUMN,
];

/// Whether scripts go on without a missing extension, and what was left out.
#[derive(Debug, Default)]
pub struct Skips {
    allowed: bool,
    /// One line a statement: file, line and reason.
    pub list: Vec<String>,
}

impl Skips {
    /// A missing extension is left out, and after it every statement that refers to something that does not exist.
    pub fn allowed() -> Self {
        Skips { allowed: true, list: Vec::new() }
    }

    pub(super) fn are_allowed(&self) -> bool {
        self.allowed
    }

    /// Whether the statement may fail alone; then it is listed.
    pub(super) fn take(&mut self, file: &str, statement: &Statement, error: &tokio_postgres::Error) -> bool {
        let Some(said) = error.as_db_error().filter(|_| self.allowed) else { return false };
        let depends = !self.list.is_empty() && UNDEFINED.contains(said.code());
        if !depends && missing(&statement.text, said.code().code(), said.message()).is_none() {
            return false;
        }
        self.list.push(format!("{file}, line {}: {}", statement.line, said.message()));
        true
    }
}
