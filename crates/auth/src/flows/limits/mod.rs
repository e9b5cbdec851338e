//! Rate limits: how often one client may ask, and how much the project sends.
//!
//! Counters live in the memory of this process, which is bounded: the least recently used entry is evicted first.
//! Source: supabase/auth, `internal/api/apilimiter/` and `middleware.go`.
//!
//! DEVIATION (words): a rate limit is checked before the token of a request; GoTrue checks the token first on routes
//! that need one.

mod admit;
mod counters;
mod guesses;
mod sender;

pub(crate) use admit::{admit, check, code_requested, email, guess, sms};
pub(crate) use counters::{Bucket, Limit, Limits};
pub(crate) use guesses::{Guess, Subject};
