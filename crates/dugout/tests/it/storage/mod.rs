//! `/storage/v1`.

mod schema;
