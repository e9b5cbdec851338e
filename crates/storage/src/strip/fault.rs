//! Why a file cannot be cleaned.

use std::io;

/// Why a file stays as it was, or half cleaned; then it must not become an object.
#[derive(Debug)]
pub(super) enum Fault {
    /// Not one of the formats, or damaged.
    Unknown,
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Fault::Unknown,
            _ => Fault::Io(error),
        }
    }
}
