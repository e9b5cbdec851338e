//! What takes more than one table or touches both rows and bytes.

pub(crate) mod copy;
pub(crate) mod receive;
pub(crate) mod remove;
pub(crate) mod serve;
pub(crate) mod sign;
pub(crate) mod upload;
