//! How often one client may ask, and how much the project sends.
//!
//! Everything is counted in the memory of this process, which is bounded: who has not asked for longest is forgotten first.
//! Source: supabase/auth, `internal/api/apilimiter/` and `middleware.go`.
//!
//! DEVIATION: a limit is looked at before the token of a request; GoTrue looks at the token first where a route needs one.

mod admit;
mod bucket;
mod counters;
mod guesses;
mod sender;

pub(crate) use admit::{admit, check, code_requested, email, guess, sms};
pub(crate) use counters::{Bucket, Limit, Limits};
pub(crate) use guesses::{Guess, Subject};
