//! The last lines that a child wrote, to explain its end.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many lines are kept.
pub const KEPT: usize = 20;
/// How many of them a message shows.
const LAST: usize = 5;

/// The last lines, for messages.
#[derive(Clone, Debug, Default)]
pub struct Tail(Arc<Mutex<VecDeque<String>>>);

impl Tail {
    /// Adds a line and removes the oldest if there are too many.
    pub fn push(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// Removes the lines of an earlier process.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The last few lines, joined.
    pub fn last_words(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last: Vec<&str> = lines.iter().skip(lines.len().saturating_sub(LAST)).map(String::as_str).collect();
        if last.is_empty() { "nothing".to_owned() } else { last.join("; ") }
    }
}
