//! Output of the statistics commands.

use std::io::Write;

use crate::exit::Failure;

/// Writes to stderr what does not belong to the output proper; a closed stderr is no error.
pub(super) fn note(text: &str) -> Result<(), Failure> {
    match std::io::stderr().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::new(error)),
        _ => Ok(()),
    }
}

/// Writes to stdout; a closed stdout is no error.
pub(super) fn say(text: &str) -> Result<(), Failure> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::new(error)),
        _ => Ok(()),
    }
}
