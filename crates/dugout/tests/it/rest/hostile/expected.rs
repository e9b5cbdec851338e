//! The expected responses to hostile requests.

use serde_json::Value::{self, Null};

use Expected::Error;

pub(super) enum Expected {
    /// Accepted.
    Ok(u16),
    /// Refused below the API, by the HTTP layer, but with an error in the API's shape.
    Refused(u16),
    /// Status and code of an error whose message repeats too much of the request.
    Code(u16, &'static str),
    /// Status, code, message, details, hint.
    Error(u16, &'static str, String, Value, Value),
}

const STACK: &str = "Increase the configuration parameter \"max_stack_depth\" (currently 2048kB), after ensuring the platform's \
     stack depth limit is adequate.";

pub(super) fn error(status: u16, code: &'static str, message: &str) -> Expected {
    Error(status, code, message.to_owned(), Null, Null)
}

pub(super) fn nul() -> Expected {
    error(400, "22021", "invalid byte sequence for encoding \"UTF8\": 0x00")
}

pub(super) fn empty() -> Expected {
    error(400, "PGRST100", "A name in the request is empty")
}

pub(super) fn path() -> Expected {
    error(404, "PGRST125", "Invalid path specified in request URL")
}

pub(super) fn unread(what: &str, column: usize, details: &str) -> Expected {
    Error(400, "PGRST100", format!("\"failed to parse {what}\" (line 1, column {column})"), details.into(), Null)
}

pub(super) fn no_table(name: &str) -> Expected {
    error(404, "PGRST205", &format!("Could not find the table 'api.{name}' in the schema cache"))
}

pub(super) fn no_column(name: &str) -> Expected {
    error(400, "PGRST204", &format!("Could not find the '{name}' column of 't' in the schema cache"))
}

pub(super) fn no_schema(name: &str) -> Expected {
    let hint = "Only the following schemas are exposed: api".into();
    Error(406, "PGRST106", format!("Invalid schema: {name}"), Null, hint)
}

pub(super) fn window(details: &str) -> Expected {
    Error(416, "PGRST103", "Requested range not satisfiable".to_owned(), details.into(), Null)
}

pub(super) fn too_large(number: &str) -> Expected {
    error(400, "22003", &format!("value \"{number}\" is out of range for type bigint"))
}

pub(super) fn token_error(message: &str, details: Value) -> Expected {
    Error(401, "PGRST301", message.to_owned(), details, Null)
}

pub(super) fn parts(number: usize) -> Expected {
    token_error(&format!("Expected 3 parts in JWT; got {number}"), Null)
}

pub(super) fn body(message: &str) -> Expected {
    error(400, "PGRST102", message)
}

pub(super) fn escape() -> Expected {
    let details = "\\u0000 cannot be converted to text.".into();
    Error(400, "22P05", "unsupported Unicode escape sequence".to_owned(), details, Null)
}

pub(super) fn taken() -> Expected {
    let message = "duplicate key value violates unique constraint \"t_pkey\"".to_owned();
    Error(409, "23505", message, "Key (id)=(1) already exists.".into(), Null)
}

pub(super) fn stack() -> Expected {
    Error(500, "54001", "stack depth limit exceeded".to_owned(), Null, STACK.into())
}
