//! A place in a text.

use super::NotationError;

/// Reads bytes from the front and knows where it is.
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

    /// Goes past `wanted`, if it is next.
    pub(super) fn eat(&mut self, wanted: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(wanted.as_bytes());
        if found {
            self.at += wanted.len();
        }
        found
    }

    /// Goes on as long as `wanted` holds and gives what was passed. The text is ASCII wherever this is used.
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
