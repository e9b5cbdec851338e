//! Supabase Realtime: broadcasts, presence and changes of tables over WebSockets.
//!
//! A frame goes from [`routes`] to the socket in [`flows`], and from there to the [`hub`], which knows who has joined which topic.
//! The database decides who may read and write on private topics. The original is supabase/realtime.
//!
//! Invariants:
//! - what a client sends as JSON is passed on unchanged, once it is known to be JSON;
//! - nobody waits for a slow client: its queue is bounded, and it is disconnected;
//! - private and public channels of one name never meet.

mod alone;
mod changes;
mod config;
mod flows;
mod hub;
mod meter;
mod partitions;
mod protocol;
mod relay;
mod room;
mod routes;
mod schema;
mod service;
mod sessions;
mod state;
mod store;
mod wire;

pub use schema::SCHEMA;
pub use service::SERVICE;
