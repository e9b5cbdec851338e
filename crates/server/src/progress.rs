//! What the start is doing, for a person who waits.

use std::fmt;
use std::sync::Arc;

/// Is told each step as it begins. Cloning shares it.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(&str) + Send + Sync>);

impl Progress {
    /// Hands every step to `show`.
    pub fn new(show: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Progress(Arc::new(show))
    }

    pub(crate) fn step(&self, text: &str) {
        (self.0)(text);
    }
}

impl Default for Progress {
    /// Nobody watches.
    fn default() -> Self {
        Progress::new(|_| {})
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}
