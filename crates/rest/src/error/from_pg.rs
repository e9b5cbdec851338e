//! Failures of the database layer as errors of the data API.

use super::Error;

impl Error {
    /// A failure of a request. `authenticated`: the caller has a role other than the anonymous one.
    pub(crate) fn from_pg(error: pg::Error, authenticated: bool) -> Self {
        match error {
            pg::Error::Database(error) => Error::Database { error, authenticated },
            pg::Error::Exhausted => Error::AcquireTimeout,
            pg::Error::Unavailable(text) => Error::Connection(text),
            pg::Error::Broken(text) | pg::Error::Lost(text) => Error::ConnectionLost(text),
            pg::Error::TooLarge(limit) => Error::Database { error: Box::new(too_large(limit)), authenticated },
            pg::Error::Protocol(text) => Error::internal(&text),
        }
    }

    /// A failure to load the catalog or the configuration, in the words that clients get.
    pub(crate) fn of_load(failure: &pg::Error) -> Self {
        match failure {
            pg::Error::Database(error) if error.severity != "FATAL" => {
                Error::Database { error: error.clone(), authenticated: false }
            }
            pg::Error::Database(error) => Error::Connection(format!("{}:  {}", error.severity, error.message)),
            pg::Error::Broken(text) | pg::Error::Lost(text) => Error::ConnectionLost(text.clone()),
            pg::Error::Exhausted => Error::AcquireTimeout,
            other => Error::Connection(other.to_string()),
        }
    }
}

/// DEVIATION (stricter): PostgREST has no limit. A response that must be buffered and exceeds our limit is refused with SQLSTATE
/// 54000, like exceeding PostgreSQL's own limits, and the request is rolled back.
fn too_large(limit: usize) -> pg::DbError {
    pg::DbError {
        severity: "ERROR".to_owned(),
        code: "54000".to_owned(),
        message: format!("The answer is larger than {limit} bytes"),
        hint: Some("Ask for fewer rows at a time, or with \"Prefer: return=minimal\"; nothing was changed.".to_owned()),
        ..pg::DbError::default()
    }
}
