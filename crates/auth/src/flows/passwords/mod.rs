//! Passwords: the rules for new ones, and the form in which their hashes are stored.

mod policy;
mod stored;

pub(crate) use policy::check;
pub(crate) use stored::{open, seal};
