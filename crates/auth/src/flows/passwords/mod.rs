//! Passwords: rules for new ones, storage of their hashes, and protection against guessing.

mod guesses;
mod policy;
mod stored;

pub(crate) use guesses::{Guesses, account};
pub(crate) use policy::check;
pub(crate) use stored::{open, seal};
