//! Supabase Storage: buckets and objects over the schema `storage`, with their contents in files.
//!
//! A request goes from [`routes`] (one file per endpoint) to the flows, and from there to `store` (one file per table)
//! and `backend` (the files). The database decides about permission: before reading any byte of a body, the service
//! executes the intended statement in a transaction under the caller's role and rolls it back. The original is
//! supabase/storage.
//!
//! Invariants:
//! - a file gets its name when it is complete and synced, and rows refer only to such files;
//! - a row is deleted before its file: a crash can only leave a file without a row;
//! - no content that a browser could execute is served as a page.

mod alone;
mod backend;
mod caller;
mod config;
mod declared;
mod error;
mod flows;
mod fsck;
mod lanes;
mod outside;
mod picture;
mod protocol;
mod refusal;
mod routes;
mod s3_keys;
mod schema;
mod service;
mod session;
mod sessions;
mod state;
mod store;
mod strip;
mod wire;

pub use schema::SCHEMA;
pub use service::SERVICE;
