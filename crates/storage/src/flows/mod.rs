//! Operations on more than one table, or on both rows and files.

pub(crate) mod bucket;
pub(crate) mod copy;
pub(crate) mod events;
pub(crate) mod multipart;
pub(crate) mod receive;
pub(crate) mod removals;
pub(crate) mod remove;
pub(crate) mod render;
pub(crate) mod resumable;
pub(crate) mod seed;
pub(crate) mod serve;
pub(crate) mod sign;
pub(crate) mod upload;
pub(crate) mod vectors;
