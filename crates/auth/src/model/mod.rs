//! Rows and value types that every floor above shares. Nothing here decides, waits or leaves the process.

pub(crate) mod account;
pub(crate) mod addresses;
pub(crate) mod authentication_method;
pub(crate) mod client;
pub(crate) mod duration;
pub(crate) mod encryption;
pub(crate) mod pagination;
pub(crate) mod pkce;
pub(crate) mod redirects;
pub(crate) mod requester;
pub(crate) mod session;
pub(crate) mod timestamp;
