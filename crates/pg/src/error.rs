//! Errors of database calls.

use std::fmt;

/// A failure of a database call. There is deliberately no conversion into a service's error: each call decides what its
/// failures mean (see [`OnConstraint`]).
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// PostgreSQL refused the statement. Its transaction is rolled back.
    #[error(transparent)]
    Database(Box<DbError>),
    /// No connection became free within the acquire timeout. Callers respond with 503 or 504 and Retry-After.
    #[error("no database connection became free in time")]
    Exhausted,
    /// Connecting failed. Callers respond with 503 and Retry-After.
    #[error("the database cannot be reached: {0}")]
    Unavailable(String),
    /// The connection broke before anything could be committed. Callers respond with 503 and Retry-After.
    #[error("the connection to the database broke: {0}")]
    Broken(String),
    /// The connection broke after the statement was sent: a write may or may not have happened.
    #[error("the connection to the database was lost: {0}")]
    Lost(String),
    /// The response is larger than this many bytes, so it was not read. Its transaction is rolled back.
    #[error("the response is larger than {0} bytes")]
    TooLarge(usize),
    /// A value could not be sent, or a result has an unexpected type: a bug.
    #[error("unexpected data from the database: {0}")]
    Protocol(String),
}

/// The fields of PostgreSQL's ErrorResponse that callers use.
///
/// <https://www.postgresql.org/docs/current/protocol-error-fields.html>
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DbError {
    /// `ERROR`, `FATAL` or `PANIC`, never localised.
    pub severity: String,
    /// SQLSTATE, five characters.
    pub code: String,
    /// The primary message.
    pub message: String,
    /// DETAIL.
    pub detail: Option<String>,
    /// HINT.
    pub hint: Option<String>,
    /// Schema of the object concerned.
    pub schema: Option<String>,
    /// Table concerned.
    pub table: Option<String>,
    /// Column concerned.
    pub column: Option<String>,
    /// Constraint concerned.
    pub constraint: Option<String>,
    /// Where the error happened: the call stack of PL/pgSQL functions and triggers.
    pub context: Option<String>,
}

impl fmt::Display for DbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (SQLSTATE {})", self.message, self.code)?;
        if let Some(detail) = &self.detail {
            write!(f, ": {detail}")?;
        }
        if let Some(context) = &self.context {
            write!(f, " [{}]", context.replace('\n', "; "))?;
        }
        Ok(())
    }
}

impl std::error::Error for DbError {}

impl Error {
    /// The database's error, if it is one.
    pub fn database(&self) -> Option<&DbError> {
        match self {
            Error::Database(error) => Some(error),
            _ => None,
        }
    }

    /// Whether the request may be tried again later: the database was unreachable or had no free connection.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Error::Exhausted | Error::Unavailable(_) | Error::Broken(_) | Error::Lost(_) => true,
            // 57P01-57P03: shutting down or starting up; 53300: too many connections.
            Error::Database(error) => matches!(error.code.as_str(), "57P01" | "57P02" | "57P03" | "53300"),
            Error::Protocol(_) | Error::TooLarge(_) => false,
        }
    }

    /// Converts the driver's error. Not a `From`, so that `?` cannot convert errors implicitly.
    pub(crate) fn from_driver(error: tokio_postgres::Error) -> Self {
        if let Some(db) = error.as_db_error() {
            return Error::Database(Box::new(DbError {
                severity: db.severity().to_owned(),
                code: db.code().code().to_owned(),
                message: db.message().to_owned(),
                detail: db.detail().map(Into::into),
                hint: db.hint().map(Into::into),
                schema: db.schema().map(Into::into),
                table: db.table().map(Into::into),
                column: db.column().map(Into::into),
                constraint: db.constraint().map(Into::into),
                context: db.where_().map(Into::into),
            }));
        }
        let text = source_chain(&error);
        if error.is_closed() || text.contains("error communicating") {
            Error::Lost(text)
        } else if text.contains("error connecting") || text.contains("TLS handshake") {
            Error::Unavailable(text)
        } else {
            Error::Protocol(text)
        }
    }
}

/// An error with all of its causes in one line. The driver's own message contains only the outermost.
pub(crate) fn source_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

/// Turns the violation of a named constraint into the caller's own error.
pub trait OnConstraint<T> {
    /// If the error is a violation of `constraint`, `make` replaces it. The outer result still contains every other error.
    ///
    /// ```
    /// use pg::{Error, OnConstraint};
    /// struct EmailExists;
    /// let inserted: Result<u64, Error> = Ok(1);
    /// assert!(matches!(inserted.on_constraint("users_email_partial_key", || EmailExists), Ok(Ok(1))));
    /// ```
    fn on_constraint<E>(self, constraint: &str, make: impl FnOnce() -> E) -> Result<Result<T, Error>, E>;
}

impl<T> OnConstraint<T> for Result<T, Error> {
    fn on_constraint<E>(self, constraint: &str, make: impl FnOnce() -> E) -> Result<Result<T, Error>, E> {
        match self {
            Err(Error::Database(db)) if db.constraint.as_deref() == Some(constraint) => Err(make()),
            other => Ok(other),
        }
    }
}
