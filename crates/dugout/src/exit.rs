//! How the command ends when it cannot do what was asked.

use std::process::ExitCode;

/// What a person reads on stderr: what happened and what to do.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// One sentence, or several lines where several things are wrong.
    pub fn new(message: impl std::fmt::Display) -> Self {
        Failure(message.to_string())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Says why and gives the exit code 1.
pub fn failure(message: &str) -> ExitCode {
    eprintln!("dugout: {message}");
    ExitCode::FAILURE
}
