//! The server: configuration, database, services and the app on one origin, from start to stop.

pub mod config;
pub mod secrets;

pub use app::{File, SiteFiles};
pub use config::{Config, Problem, Sources};
mod app;
