//! A position in a text.

use super::NotationError;

/// Reads bytes from the front and knows its position.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Cursor { text, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Skips `wanted` if it comes next.
    pub(super) fn eat(&mut self, wanted: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(wanted.as_bytes());
        if found {
            self.at += wanted.len();
        }
        found
    }

    /// Skips bytes while `wanted` accepts them, and returns them. Only used for ASCII.
    pub(super) fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'t str {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn error<T>(&self, expected: &'static str) -> Result<T, NotationError> {
        Err(NotationError::new(self.at, expected))
    }
}
