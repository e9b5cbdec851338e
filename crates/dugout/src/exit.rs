//! How the command ends if it fails.

use std::process::ExitCode;

/// The message on stderr: what happened and what to do.
#[derive(Debug)]
pub struct Failure {
    message: String,
    name: Name,
}

/// Whether the program's name precedes the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Before,
    Absent,
}

impl Failure {
    /// One sentence, or several lines for several problems.
    pub fn new(message: impl std::fmt::Display) -> Self {
        Failure { message: message.to_string(), name: Name::Before }
    }

    /// The same without the program's name, for messages taken over from another program.
    pub fn plain(message: String) -> Self {
        Failure { message, name: Name::Absent }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.name == Name::Before {
            f.write_str("dugout: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Prints the message; returns the exit code 1.
pub fn failure(message: &Failure) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}
