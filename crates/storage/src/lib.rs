//! Supabase Storage: buckets and objects over the schema `storage`.

mod schema;

pub use schema::SCHEMA;
