//! `/storage/v1`.

mod declared;
mod hostile;
mod objects;
mod remote;
mod removals;
mod render;
mod resumable;
pub mod s3;
mod schema;
mod stripped;
