//! What requests may hold: memory, and connections to the database.

use gateway::budget::{Budget, DEFAULT_BUDGET};

use super::{Problem, Resolved, positive};

/// The limits that protect the server from its visitors.
///
/// DEVIATION (stricter): under `dugout start` the body of an anonymous request is 1 MiB at most, and anonymous requests
/// hold half of the data API's connections at most; PostgREST has neither limit, and `dugout rest` does not have them
/// either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// `anon_body_limit`: the largest body of an anonymous request, in bytes.
    pub anonymous_body: usize,
    /// `buffer_memory`: what bodies and answers that wait for their clients may hold all together, in bytes.
    pub buffers: usize,
    /// `anon_lane_share`: the share of the data API's connections that anonymous requests may hold, in percent.
    pub anonymous_share: u8,
}

impl Limits {
    pub(super) fn parse(resolved: &Resolved, problems: &mut Vec<Problem>) -> Self {
        const BYTES: &str = "a number of bytes above 0";
        const PERCENT: &str = "a percentage from 1 to 100";
        let share = resolved.parse::<u8>("anon_lane_share", PERCENT, problems).unwrap_or(100);
        if !(1..=100).contains(&share) {
            resolved.complain("anon_lane_share", &format!("must be {PERCENT}"), problems);
        }
        Limits {
            anonymous_body: positive(resolved, "anon_body_limit", BYTES, problems).unwrap_or(1),
            buffers: positive(resolved, "buffer_memory", BYTES, problems).unwrap_or(DEFAULT_BUDGET),
            anonymous_share: share,
        }
    }

    /// The budget of the buffers.
    pub fn budget(&self) -> Budget {
        Budget::new(self.buffers)
    }
}
