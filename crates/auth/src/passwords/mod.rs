//! Passwords: the rules for new ones, hashing on threads of their own, and how often one account may be guessed at.

mod formats;
mod guesses;
mod hashing;
mod policy;
mod pwned;
mod stored;
mod turns;

pub(crate) use formats::is_readable;
pub(crate) use guesses::{Guesses, account};
pub(crate) use hashing::Hasher;
pub(crate) use policy::{Weakness, check};
pub(crate) use pwned::Pwned;
pub(crate) use stored::{open, seal};
pub(crate) use turns::Turn;
