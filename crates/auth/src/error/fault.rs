//! Internal failures: what the client sees and what the log gets.

use std::borrow::Cow;
use std::fmt;
use std::panic::Location;

use pg::DbError;

use crate::error::AuthError;

/// GoTrue's default message.
pub(crate) const UNEXPECTED: &str = "Unexpected failure, please check server logs for more information";

/// A defect or an outage.
#[derive(Debug)]
pub(crate) struct Fault {
    /// What the client sees.
    message: Cow<'static, str>,
    /// What went wrong, for the log only.
    detail: String,
    /// PostgreSQL's error, if there is one.
    database: Option<DbError>,
    /// The place in our source that reported it.
    location: &'static Location<'static>,
}

impl Fault {
    /// For the log.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// For the log.
    pub(crate) fn location(&self) -> String {
        format!("{}:{}", self.location.file(), self.location.line())
    }

    /// PostgreSQL's error, if there is one.
    pub(crate) fn database(&self) -> Option<&DbError> {
        self.database.as_ref()
    }

    #[cfg(test)]
    pub(crate) fn example() -> Box<Fault> {
        Box::new(Fault {
            message: "Database error saving new user".into(),
            detail: String::new(),
            database: None,
            location: Location::caller(),
        })
    }
}

impl AuthError {
    /// An internal failure at the caller's location. `message` goes to the client, `detail` to the log.
    #[track_caller]
    pub(crate) fn internal(message: &'static str, detail: impl fmt::Display) -> AuthError {
        let fault =
            Fault { message: message.into(), detail: detail.to_string(), database: None, location: Location::caller() };
        AuthError::Internal(Box::new(fault))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Turns a database failure into an error response at the place where it happened.
pub(crate) trait OrFault<T> {
    /// `message` is GoTrue's message at this place.
    ///
    /// # Errors
    /// [`AuthError::Unavailable`] if the database could not be reached, else [`AuthError::Internal`].
    fn or_fault(self, message: impl Into<Cow<'static, str>>) -> Result<T, AuthError>;
}

impl<T> OrFault<T> for Result<T, pg::Error> {
    #[track_caller]
    fn or_fault(self, message: impl Into<Cow<'static, str>>) -> Result<T, AuthError> {
        let location = Location::caller();
        self.map_err(|error| {
            let database = error.database().cloned().map(without_row);
            let detail = database.as_ref().map_or_else(|| error.to_string(), DbError::to_string);
            let fault = Box::new(Fault { message: message.into(), detail, database, location });
            if error.is_unavailable() { AuthError::Unavailable(fault) } else { AuthError::Internal(fault) }
        })
    }
}

/// Drops the row that PostgreSQL quotes when a not-null or check constraint fails: it could contain the hash of a
/// password.
///
/// DEVIATION (safer): the error of a failed database constraint does not quote the row; GoTrue sends the whole row to
/// the client.
fn without_row(error: DbError) -> DbError {
    match error.code.as_str() {
        "23502" | "23514" => DbError { detail: None, ..error },
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_out_of_faults() {
        let error = |code: &str| {
            let detail = Some("Failing row contains ($2a$10$…)".to_owned());
            let error = DbError { code: code.to_owned(), message: "no".to_owned(), detail, ..DbError::default() };
            Err::<(), _>(pg::Error::Database(Box::new(error)))
        };
        for (code, quoted) in [("23502", false), ("23514", false), ("P0001", true)] {
            let fault = error(code).or_fault(UNEXPECTED).unwrap_err();
            assert_eq!(fault.fault().unwrap().detail().contains("$2a$"), quoted, "{code}");
            assert_eq!(fault.fault().unwrap().database().unwrap().detail.is_some(), quoted, "{code}");
        }
    }
}
