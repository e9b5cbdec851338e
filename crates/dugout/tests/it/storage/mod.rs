//! `/storage/v1`.

mod cdn;
mod consent;
mod declared;
mod events;
mod faults;
mod hostile;
mod listing;
mod objects;
mod policies;
mod remote;
mod removals;
mod render;
mod resumable;
pub mod s3;
mod schema;
mod sessions;
mod stripped;
mod vector_signatures;
mod vectors;
