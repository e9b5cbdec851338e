//! Requests to other servers.

pub(crate) mod cdn;
pub(crate) mod webhook;
