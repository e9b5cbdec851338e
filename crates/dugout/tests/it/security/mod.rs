//! Permissions, and attacks by bad input.

mod bombs;
mod burst;
mod event_triggers;
mod hostile_migrations;
mod input;
mod isolation;
mod mailed_links;
mod secrets;
mod service_schemas;
mod shares;
mod slow;
mod tokens;
mod wire;
