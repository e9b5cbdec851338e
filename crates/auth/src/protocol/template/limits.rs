//! Limits of templates, and their errors.

/// Maximum length of a rendered template, in bytes.
pub(super) const MAX_OUTPUT: usize = 1 << 20;
/// Maximum nesting of blocks and parentheses.
pub(super) const MAX_DEPTH: usize = 64;

/// A syntax error in a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub(crate) struct SyntaxError {
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// The output exceeded its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is longer than {MAX_OUTPUT} bytes")]
pub(crate) struct TooLong;
