//! Failures that are nobody's request: what the client is told of them, and what the log is.

use std::fmt;
use std::panic::Location;

use pg::DbError;

use crate::error::AuthError;

/// What GoTrue says where it has no words of its own.
pub(crate) const UNEXPECTED: &str = "Unexpected failure, please check server logs for more information";

/// A defect or an outage.
#[derive(Debug)]
pub(crate) struct Fault {
    /// What the client is told.
    message: &'static str,
    /// What went wrong, for the log alone.
    detail: String,
    /// PostgreSQL's own words, where it was PostgreSQL.
    database: Option<DbError>,
    /// Where in our source it was given up.
    location: &'static Location<'static>,
}

impl Fault {
    /// A fault with the place that calls this.
    #[track_caller]
    pub(crate) fn new(message: &'static str, detail: impl fmt::Display) -> AuthError {
        let fault = Fault { message, detail: detail.to_string(), database: None, location: Location::caller() };
        AuthError::Internal(Box::new(fault))
    }

    /// For the log.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// For the log.
    pub(crate) fn location(&self) -> String {
        format!("{}:{}", self.location.file(), self.location.line())
    }

    /// PostgreSQL's error, where it was one.
    pub(crate) fn database(&self) -> Option<&DbError> {
        self.database.as_ref()
    }

    #[cfg(test)]
    pub(crate) fn example() -> Box<Fault> {
        Box::new(Fault {
            message: "Database error saving new user",
            detail: String::new(),
            database: None,
            location: Location::caller(),
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

/// Turns a failure of the database into an answer, at the place where it happened.
pub(crate) trait OrFault<T> {
    /// `message` is what GoTrue says there.
    ///
    /// # Errors
    /// [`AuthError::Unavailable`] when the database could not be reached, else [`AuthError::Internal`].
    fn or_fault(self, message: &'static str) -> Result<T, AuthError>;
}

impl<T> OrFault<T> for Result<T, pg::Error> {
    #[track_caller]
    fn or_fault(self, message: &'static str) -> Result<T, AuthError> {
        let location = Location::caller();
        self.map_err(|error| {
            let fault =
                Box::new(Fault { message, detail: error.to_string(), database: error.database().cloned(), location });
            if error.is_unavailable() { AuthError::Unavailable(fault) } else { AuthError::Internal(fault) }
        })
    }
}

impl<T> OrFault<T> for Result<T, tokio_postgres::Error> {
    #[track_caller]
    fn or_fault(self, message: &'static str) -> Result<T, AuthError> {
        self.map_err(|error| Fault::new(message, error))
    }
}
