//! Requests to other servers.

pub(crate) mod cdn;
mod outbox;
pub(crate) mod webhook;
