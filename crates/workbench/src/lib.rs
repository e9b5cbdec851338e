//! What developers do with a project's database: TypeScript types, dumps, differences and pgTAP tests, as the Supabase CLI does
//! them in containers.
//!
//! Nothing here starts a server or reads a configuration: callers bring a [`pg::Target`].

pub mod dump;
pub mod tap;
pub mod typescript;
