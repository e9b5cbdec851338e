//! The clients to providers, and their limits.

use super::issuers::Issuers;
use gateway::HttpClient;
use std::time::Duration;

/// How long a provider may take for an answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// An answer of theirs is read up to here, in bytes.
pub(super) const MAX_ANSWER: usize = 1 << 20;

/// The ways to providers, and what is known of them. Cloning shares both.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    /// To those whom the operator has set up.
    pub(crate) own: HttpClient,
    /// To those whom administrators have added: never into our own network.
    pub(super) guarded: HttpClient,
    pub(crate) issuers: Issuers,
}
