//! `/storage/v1`.

mod objects;
mod render;
mod resumable;
mod schema;
