//! Errors of the notation, with their position.

use thiserror::Error;

/// The error in a text and its position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at character {}: expected {expected}", .at + 1)]
pub struct NotationError {
    /// Byte offset into the given text.
    pub at: usize,
    /// What the notation requires there.
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

/// The error in a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, {error}")]
pub struct FileError {
    /// Line number, from 1.
    pub line: usize,
    /// The line's error; its offset counts from the start of the line.
    pub error: NotationError,
}
