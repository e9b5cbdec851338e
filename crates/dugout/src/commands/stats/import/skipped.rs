//! What an import left out, and why.

use std::collections::BTreeMap;
use std::fmt;

/// Number of skipped rows by reason, each with the first of them.
#[derive(Default)]
pub struct Skipped(BTreeMap<String, (usize, String)>);

impl Skipped {
    /// Notes a row.
    pub fn add(&mut self, reason: impl Into<String>, row: impl fmt::Display) {
        let entry = self.0.entry(reason.into()).or_insert_with(|| (0, row.to_string()));
        entry.0 += 1;
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return writeln!(f, "Nothing was skipped.");
        }
        for (reason, (count, first)) in &self.0 {
            match count {
                1 => writeln!(f, "Skipped, {reason}: {first}")?,
                _ => writeln!(f, "Skipped {count} rows, {reason}: {first}, …")?,
            }
        }
        Ok(())
    }
}
