//! The wire format and its values, without side effects.

pub(crate) mod filter;
pub(crate) mod frame;
pub(crate) mod join;
pub(crate) mod message;
pub(crate) mod presence;
pub(crate) mod reason;
pub(crate) mod token;
