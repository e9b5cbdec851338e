//! Limits of the memory that requests use.

use gateway::budget::{Budget, DEFAULT_BUDGET};
use gateway::settings::{Problem, Resolved};

/// Limits that protect the server from its clients.
///
/// DEVIATION (stricter): under `dugout start` the body of an anonymous request is 1 MiB at most; PostgREST has no such limit,
/// and `dugout rest` does not have it either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// `anon_body_limit`: the largest body of an anonymous request, in bytes.
    pub anonymous_body: usize,
    /// `buffer_memory`: how much all bodies and responses that wait for their clients may occupy together, in bytes.
    pub buffers: usize,
}

impl Limits {
    pub(super) fn parse(resolved: &Resolved, problems: &mut Vec<Problem>) -> Self {
        const BYTES: &str = "a number of bytes above 0";
        Limits {
            anonymous_body: resolved.positive("anon_body_limit", BYTES, problems).unwrap_or(1),
            buffers: resolved.positive("buffer_memory", BYTES, problems).unwrap_or(DEFAULT_BUDGET),
        }
    }

    /// The memory budget of these buffers.
    pub fn budget(&self) -> Budget {
        Budget::new(self.buffers)
    }
}
