//! Converts ErrorResponse and NoticeResponse into [`DbError`].

use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::ErrorFields;

use crate::error::DbError;

/// Reads the fields (<https://www.postgresql.org/docs/current/protocol-error-fields.html>). Malformed ones are ignored.
pub(super) fn read(fields: &mut ErrorFields<'_>) -> DbError {
    let mut error = DbError::default();
    while let Ok(Some(field)) = fields.next() {
        let value = String::from_utf8_lossy(field.value_bytes()).into_owned();
        match field.type_() {
            // `S` is localised, `V` (since 9.6) is not and comes after it.
            b'S' | b'V' => error.severity = value,
            b'C' => error.code = value,
            b'M' => error.message = value,
            b'D' => error.detail = Some(value),
            b'H' => error.hint = Some(value),
            b's' => error.schema = Some(value),
            b't' => error.table = Some(value),
            b'c' => error.column = Some(value),
            b'n' => error.constraint = Some(value),
            b'W' => error.context = Some(value),
            _ => {}
        }
    }
    error
}

/// Whether the server closes the connection after this error.
pub(super) fn is_fatal(error: &DbError) -> bool {
    matches!(error.severity.as_str(), "FATAL" | "PANIC")
}
