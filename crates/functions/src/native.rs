//! Functions in Rust: under the same addresses and rules as those in Deno, with a transaction in the caller's role.

use std::sync::OnceLock;

use gateway::Caller;
use gateway::faults::report;
use gateway::service::BoxFuture;
use pg::pool::Transaction;
use serde_json::Value;

/// A function in Rust. It goes before a Deno function with the same name.
#[derive(Clone, Copy)]
pub struct Native {
    /// The last part of `/functions/v1/<name>`.
    pub name: &'static str,
    /// Whether it wants a token, as `verify_jwt` in config.toml.
    pub verify_jwt: bool,
    /// What it does.
    pub handler: Handler,
}

/// The work of a native function. Its transaction is committed after a [`Reply`], and rolled back after an error.
pub type Handler = for<'a> fn(&'a Call<'a>) -> BoxFuture<'a, Result<Reply, NativeError>>;

/// One request.
pub struct Call<'a> {
    /// Who asks, with the claims of the token.
    pub caller: &'a Caller,
    /// `GET`, `POST`, …
    pub method: &'a str,
    /// What follows the function's name in the path: empty, or with a slash at its start.
    pub path: &'a str,
    /// The query without its question mark.
    pub query: &'a str,
    /// The body: at most `gateway::body::DEFAULT_LIMIT` bytes.
    pub body: &'a [u8],
    /// A transaction in the caller's role: row policies hold.
    pub transaction: &'a Transaction<'a>,
}

/// A response with JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The status of the response.
    pub status: u16,
    /// Its body.
    pub body: Value,
}

/// An error: the status, and the members of the body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NativeError {
    /// The status of the response.
    pub status: u16,
    /// What a program goes by.
    pub code: String,
    /// What a person reads.
    pub message: String,
}

impl Reply {
    /// A response with status 200.
    pub fn ok(body: Value) -> Self {
        Reply { status: 200, body }
    }
}

impl NativeError {
    /// A request that the function cannot use.
    pub fn bad_request(message: impl Into<String>) -> Self {
        NativeError { status: 400, code: "BAD_REQUEST".to_owned(), message: message.into() }
    }

    /// No connection is free in time.
    pub(crate) fn busy() -> Self {
        NativeError {
            status: 503,
            code: "DATABASE_UNAVAILABLE".to_owned(),
            message: "The database is busy, try again later".to_owned(),
        }
    }

    /// A failure of our own; the details are in the log.
    fn internal(detail: impl std::fmt::Display) -> Self {
        report("functions", "a native function", detail);
        let message = "Request failed due to an internal server error".to_owned();
        NativeError { status: 500, code: "Internal Server Error".to_owned(), message }
    }
}

impl From<pg::Error> for NativeError {
    /// What the caller may not do, and what the database's own functions raise, are the caller's to know.
    fn from(error: pg::Error) -> Self {
        match error {
            pg::Error::Database(error) => match status(&error.code) {
                Some(status) => NativeError { status, code: error.code, message: error.message },
                None => NativeError::internal(error),
            },
            pg::Error::Exhausted | pg::Error::Unavailable(_) | pg::Error::Broken(_) => NativeError::busy(),
            error => NativeError::internal(error),
        }
    }
}

/// The status for an error of the database that the caller may know; `PT4xx` asks for the status 4xx, as in the data API.
fn status(code: &str) -> Option<u16> {
    match code {
        "42501" => Some(403),
        "P0001" => Some(400),
        code if code.starts_with("23") => Some(400),
        code => code.strip_prefix("PT")?.parse().ok().filter(|status| (400..500).contains(status)),
    }
}

static REGISTERED: OnceLock<&'static [Native]> = OnceLock::new();

/// Registers the native functions of this program, before its server starts. Only the first call counts.
pub fn register(natives: &'static [Native]) {
    let _ = REGISTERED.set(natives);
}

/// The native function with this name.
pub(crate) fn find(name: &str) -> Option<&'static Native> {
    REGISTERED.get()?.iter().find(|native| native.name == name)
}
