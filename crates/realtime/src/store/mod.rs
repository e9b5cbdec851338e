//! Statements on the tables of `realtime`.

pub(crate) mod messages;
