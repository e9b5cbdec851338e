//! `/rest/v1`: tables, views and functions as HTTP, compatible with PostgREST.
//!
//! One request runs through `request → plan → sql → execute → response` (see [`pipeline`]); each stage is a function from
//! data to data or an [`Error`]. Only `execute` reaches the database, and nothing after `request` knows HTTP text. `runtime`
//! loads the `catalog`, the description of the database that plans are checked against, and replaces it after DDL.

mod catalog;
pub mod config;
mod cors;
pub mod error;
mod execute;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
pub mod observation;
mod pipeline;
mod plan;
mod request;
mod response;
mod routes;
mod runtime;
mod service;
mod sql;
pub mod standalone;

pub use config::{Config, UPSTREAM_VERSION};
pub use error::Error;
pub use execute::body::{Body, Pieces};
pub use execute::session::Who;
pub use observation::{Observation, Observer};
pub use request::Incoming;
pub use response::Answer;
pub use runtime::rest::{Rest, Setup};
pub use runtime::status::Status;
pub use runtime::watch_error::WatchError;
pub use service::SERVICE;
