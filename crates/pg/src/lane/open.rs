//! Counts open connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts itself among the open connections of a pool while it exists.
pub(super) struct Open(Arc<AtomicUsize>);

impl Open {
    pub(super) fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Open(count.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
