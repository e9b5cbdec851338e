//! Whether the address of a request has an account.

/// What the address of a request turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    User,
    Unknown,
}
