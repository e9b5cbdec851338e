//! HTTP clients for providers, and their limits.

use super::issuers::Issuers;
use gateway::HttpClient;
use std::time::Duration;

/// Time limit of a provider's answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum size of a provider's answer, in bytes.
pub(super) const MAX_ANSWER: usize = 1 << 20;

/// The HTTP clients and the cache of issuers. Clones share both.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    /// For providers that the operator has configured.
    pub(crate) own: HttpClient,
    /// For providers that administrators have added: never connects to our own network.
    pub(super) guarded: HttpClient,
    pub(crate) issuers: Issuers,
}
