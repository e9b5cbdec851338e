//! Limits of a head.

/// Maximum length of a head, in bytes: the size of the server's own buffer.
pub const MAX_HEAD: usize = 128 * 1024;
/// Maximum length of an encoded target, in bytes: the limit of the `http` crate.
pub const MAX_TARGET: usize = u16::MAX as usize - 1;
