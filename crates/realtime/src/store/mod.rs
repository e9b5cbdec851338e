//! Statements on the tables of `realtime`.

pub(crate) mod catalog;
pub(crate) mod messages;
pub(crate) mod relay;
pub(crate) mod sessions;
