//! The limits of templates, and what is wrong with a text that is none.

/// What a rendered template is no longer than, in bytes.
pub(super) const MAX_OUTPUT: usize = 1 << 20;
/// How deep blocks and parentheses may be nested.
pub(super) const MAX_DEPTH: usize = 64;

/// A mistake in a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub(crate) struct SyntaxError {
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// The output grew past its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is longer than {MAX_OUTPUT} bytes")]
pub(crate) struct TooLong;
