//! PostgREST's metrics, under its names, in Prometheus's text format.
//!
//! Source: PostgREST `Metrics.hs`, `docs/references/observability.rst`. DEVIATION: there are no `ghc_…` metrics, which
//! describe Haskell's runtime.

use std::sync::atomic::{AtomicU64, Ordering};

use gateway::keys::CacheCounts;

use crate::Rest;
use crate::observation::Observation;

/// Counters that only observations provide.
#[derive(Debug, Default)]
pub(super) struct Counters {
    loads: AtomicU64,
    failed_loads: AtomicU64,
    /// The duration of the last load, in microseconds.
    query_time: AtomicU64,
    timeouts: AtomicU64,
}

impl Counters {
    pub(super) fn count(&self, observation: &Observation<'_>) {
        match observation {
            Observation::CatalogLoaded { queried, .. } => {
                self.loads.fetch_add(1, Ordering::Relaxed);
                let microseconds = u64::try_from(queried.as_micros()).unwrap_or(u64::MAX);
                self.query_time.store(microseconds, Ordering::Relaxed);
            }
            Observation::CatalogFailed { .. } => drop(self.failed_loads.fetch_add(1, Ordering::Relaxed)),
            Observation::PoolTimeout { .. } => drop(self.timeouts.fetch_add(1, Ordering::Relaxed)),
            _ => {}
        }
    }

    /// All metrics as text.
    pub(super) fn render(&self, rest: &Rest, tokens: CacheCounts) -> String {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
        let (_, idle, waiting) = rest.connections();
        let mut text = Text::default();
        text.add("pgrst_db_pool_timeouts_total", "Acquisitions that timed out", "counter", read(&self.timeouts));
        text.add("pgrst_db_pool_available", "Idle connections of the pool", "gauge", idle as f64);
        text.add("pgrst_db_pool_waiting", "Requests that wait for a connection", "gauge", waiting as f64);
        text.add("pgrst_db_pool_max", "Connections of the pool at most", "gauge", rest.config().db_pool as f64);
        text.head("pgrst_schema_cache_loads_total", "Loads of the schema cache", "counter");
        // A status that has not occurred has no sample, as in upstream's client library.
        for (status, count) in [("SUCCESS", read(&self.loads)), ("FAIL", read(&self.failed_loads))] {
            if count > 0.0 {
                text.sample(&format!("pgrst_schema_cache_loads_total{{status=\"{status}\"}}"), count);
            }
        }
        let seconds = read(&self.query_time) / 1_000_000.0;
        let what = "How long the last load of the schema cache took to query";
        text.add("pgrst_schema_cache_query_time_seconds", what, "gauge", seconds);
        let CacheCounts { requests, hits, evictions } = tokens;
        text.add("pgrst_jwt_cache_requests_total", "Look-ups in the JWT cache", "counter", requests as f64);
        text.add("pgrst_jwt_cache_hits_total", "Look-ups that found the token", "counter", hits as f64);
        text.add("pgrst_jwt_cache_evictions_total", "Tokens forgotten to make room", "counter", evictions as f64);
        text.0
    }
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn add(&mut self, name: &str, help: &str, kind: &str, value: f64) {
        self.head(name, help, kind);
        self.sample(name, value);
    }

    fn head(&mut self, name: &str, help: &str, kind: &str) {
        self.0.push_str(&format!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
    }

    /// Numbers always have a fraction, as in upstream's output.
    fn sample(&mut self, name: &str, value: f64) {
        self.0.push_str(&format!("{name} {value:?}\n"));
    }
}
