//! Rows and value types shared by the floors above. Pure data: no decisions, no I/O.

pub(crate) mod account;
pub(crate) mod address;
pub(crate) mod addresses;
pub(crate) mod audit_log_entry;
pub(crate) mod authentication_method;
pub(crate) mod chain;
pub(crate) mod client;
pub(crate) mod duration;
pub(crate) mod email_kind;
pub(crate) mod encryption;
pub(crate) mod factor;
pub(crate) mod oauth_authorization;
pub(crate) mod oauth_client;
pub(crate) mod pagination;
pub(crate) mod passkey;
pub(crate) mod pkce;
pub(crate) mod redirect_pattern;
pub(crate) mod redirects;
pub(crate) mod requester;
pub(crate) mod scopes;
pub(crate) mod session;
pub(crate) mod standing;
pub(crate) mod timestamp;
pub(crate) mod trace;
