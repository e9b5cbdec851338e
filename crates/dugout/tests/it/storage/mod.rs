//! `/storage/v1`.

mod hostile;
mod objects;
mod render;
mod resumable;
mod s3;
mod schema;
