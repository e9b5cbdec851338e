//! `/storage/v1`.

mod objects;
mod schema;
