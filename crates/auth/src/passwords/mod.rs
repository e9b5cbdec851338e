//! Passwords: the rules for new ones, and hashing on threads of their own.

mod formats;
mod hashing;
mod policy;
mod pwned;
mod stored;

pub(crate) use formats::is_readable;
pub(crate) use hashing::Hasher;
pub(crate) use policy::{Weakness, check};
pub(crate) use pwned::Pwned;
pub(crate) use stored::{open, seal};
