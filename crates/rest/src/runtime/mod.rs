//! The data API at run time: its state, and how that is loaded, watched and reloaded.

mod lanes;
mod load;
mod reload;
pub(crate) mod rest;
mod settings;
pub(crate) mod status;
mod watch;
pub(crate) mod watch_error;
