//! `/storage/v1`.

mod hostile;
mod objects;
mod render;
mod resumable;
mod schema;
