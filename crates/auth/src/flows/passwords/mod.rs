//! Passwords: the rules for new ones, the form in which their hashes are stored, and how often one account may be guessed at.

mod guesses;
mod policy;
mod stored;

pub(crate) use guesses::{Guesses, account};
pub(crate) use policy::check;
pub(crate) use stored::{open, seal};
