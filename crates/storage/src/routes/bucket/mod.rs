//! `/bucket`

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod empty;
pub(crate) mod get;
mod limits;
pub(crate) mod list;
pub(crate) mod update;
