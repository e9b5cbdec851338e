//! A cache of verified tokens, so that their signature need not be computed at every request.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use moka::notification::RemovalCause;
use moka::sync::Cache;

use crate::claims::Claims;

/// Maximum size of the cache in bytes, if no number of tokens is given. Users determine the length of their tokens by
/// their user_metadata, so a number of tokens would be no bound.
const BYTES: u64 = 32 * 1024 * 1024;
const LONGEST: Duration = Duration::from_secs(3600);

/// Counters of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Look-ups.
    pub requests: u64,
    /// Look-ups that found the token.
    pub hits: u64,
    /// Evicted tokens.
    pub evictions: u64,
}

pub(super) struct Seen {
    tokens: Option<Cache<Arc<str>, Claims>>,
    /// Only if requested: counters shared by all threads have a cost.
    counters: Option<Arc<Counters>>,
}

#[derive(Default)]
struct Counters {
    requests: AtomicU64,
    hits: AtomicU64,
    evictions: AtomicU64,
}

impl Seen {
    pub(super) fn by_size() -> Self {
        let tokens = Cache::builder().max_capacity(BYTES).weigher(|token: &Arc<str>, _: &Claims| weight(token));
        Seen { tokens: Some(tokens.time_to_live(LONGEST).build()), counters: None }
    }

    pub(super) fn by_number(number: usize) -> Self {
        let counters = Arc::new(Counters::default());
        let counting = Arc::clone(&counters);
        let evicted = move |_: Arc<Arc<str>>, _: Claims, cause: RemovalCause| {
            if cause == RemovalCause::Size {
                counting.evictions.fetch_add(1, Ordering::Relaxed);
            }
        };
        let tokens = (number > 0).then(|| {
            let capacity = u64::try_from(number).unwrap_or(u64::MAX);
            Cache::builder().max_capacity(capacity).eviction_listener(evicted).build()
        });
        Seen { tokens, counters: Some(counters) }
    }

    pub(super) fn get(&self, token: &str) -> Option<Claims> {
        let tokens = self.tokens.as_ref()?;
        let found = tokens.get(token);
        if let Some(counters) = &self.counters {
            counters.requests.fetch_add(1, Ordering::Relaxed);
            counters.hits.fetch_add(u64::from(found.is_some()), Ordering::Relaxed);
        }
        found
    }

    pub(super) fn insert(&self, token: &str, claims: &Claims) {
        if let Some(tokens) = &self.tokens {
            tokens.insert(token.into(), claims.clone());
        }
    }

    pub(super) fn counts(&self) -> CacheCounts {
        let Some(counters) = &self.counters else { return CacheCounts::default() };
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        CacheCounts {
            requests: read(&counters.requests),
            hits: read(&counters.hits),
            evictions: read(&counters.evictions),
        }
    }

    #[cfg(test)]
    pub(super) fn held(&self) -> (usize, usize) {
        let Some(tokens) = &self.tokens else { return (0, 0) };
        tokens.run_pending_tasks();
        tokens.iter().fold((0, 0), |(number, bytes), (token, _)| (number + 1, bytes + token.len()))
    }
}

/// Approximate memory use of a token in bytes: the token, its claims as text, and as a map.
fn weight(token: &str) -> u32 {
    u32::try_from(token.len()).unwrap_or(u32::MAX).saturating_mul(5).saturating_add(1024)
}
