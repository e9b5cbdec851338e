//! The server: configuration, database, services and the app on one origin, from start to stop.

mod app;
pub mod config;
mod database;
mod doctor;
mod error;
mod http;
mod offline;
mod postgres_watch;
mod private_file;
mod progress;
mod project;
pub mod registry;
pub mod secrets;
mod services;
mod sockets;
pub mod standalone;
mod start;
mod state_file;
mod workers;

pub use app::{File, SiteFiles};
pub use config::{Config, Problem, Sources};
pub use database::Stages;
pub use doctor::doctor;
pub use error::StartError;
pub use functions;
pub use offline::{Done, Opened, Shadow, Work, client_programs, open, upgrade, with_database};
pub use progress::Progress;
pub use start::{Hurry, Running, start};
pub use state_file::{State, StateError};
