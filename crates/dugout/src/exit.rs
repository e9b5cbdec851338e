//! How the command ends when it cannot do what was asked.

use std::process::ExitCode;

/// What a person reads on stderr: what happened and what to do.
#[derive(Debug)]
pub struct Failure {
    message: String,
    name: Name,
}

/// Whether the program's name stands before the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Before,
    Absent,
}

impl Failure {
    /// One sentence, or several lines where several things are wrong.
    pub fn new(message: impl std::fmt::Display) -> Self {
        Failure { message: message.to_string(), name: Name::Before }
    }

    /// The same without the program's name before it, where another program's words are taken over whole.
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

/// Says why and gives the exit code 1.
pub fn failure(message: &Failure) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}
