//! Where a text stops being notation.

use thiserror::Error;

/// What is wrong with one text, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at character {}: expected {expected}", .at + 1)]
pub struct NotationError {
    /// Byte offset into the text that was given.
    pub at: usize,
    /// What the notation has there.
    pub expected: &'static str,
}

impl NotationError {
    pub(super) fn new(at: usize, expected: &'static str) -> Self {
        NotationError { at, expected }
    }

    pub(super) fn shifted(self, by: usize) -> Self {
        NotationError { at: self.at + by, ..self }
    }
}

/// What is wrong with one line of a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, {error}")]
pub struct FileError {
    /// Line from 1.
    pub line: usize,
    /// The line's error; its offset counts from the start of the line.
    pub error: NotationError,
}
