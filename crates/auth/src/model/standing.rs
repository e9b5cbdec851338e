//! Whether the address of a request has an account.

/// Whom a request turned out to be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    User,
    Stranger,
}
