//! Skips statements that need missing extensions, for development.

use tokio_postgres::error::SqlState;

use super::extensions::missing;
use super::split::Statement;

/// SQLSTATEs for a missing function, type, operator class, table, schema or column.
const UNDEFINED: [SqlState; 5] = [
    SqlState::UNDEFINED_FUNCTION,
    SqlState::UNDEFINED_OBJECT,
    SqlState::UNDEFINED_TABLE,
    SqlState::INVALID_SCHEMA_NAME,
    SqlState::UNDEFINED_COLUMN,
];

/// Whether statements that need a missing extension are skipped, and which ones were.
#[derive(Debug, Default)]
pub struct Skips {
    allowed: bool,
    /// One line per skipped statement: file, line and reason.
    pub list: Vec<String>,
}

impl Skips {
    /// Skips CREATE EXTENSION for missing extensions, and after one also statements that refer to something undefined.
    pub fn allowed() -> Self {
        Skips { allowed: true, list: Vec::new() }
    }

    pub(super) fn are_allowed(&self) -> bool {
        self.allowed
    }

    /// Whether to skip the statement after this error. If so, it is added to the list.
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
