//! What PostgreSQL writes to its standard error becomes events of ours.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// How many lines are kept to explain a failure.
const KEPT: usize = 20;

/// The last lines, for messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<String>>>);

impl Tail {
    fn push(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// The lines that tell why it ended, in one line.
    pub(super) fn explain(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let telling: Vec<&str> = lines
            .iter()
            .map(String::as_str)
            .filter(|line| !["LOG:", "STATEMENT:", "CONTEXT:"].iter().any(|dull| line.starts_with(dull)))
            .collect();
        let telling =
            if telling.is_empty() { lines.iter().rev().take(3).map(String::as_str).collect() } else { telling };
        if telling.is_empty() { "it said nothing".to_owned() } else { telling.join("; ") }
    }
}

/// Reads lines until every process that could write has ended.
pub(super) fn forward(stderr: impl Read, tail: &Tail) {
    let mut reader = BufReader::new(stderr);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_until(b'\n', &mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&buffer);
        let line = Line::parse(text.trim_end());
        if !line.text.trim().is_empty() {
            line.emit();
            tail.push(line.text.trim().to_owned());
        }
    }
}

/// A line with the prefix `%p|%e|%u|`; lines before the settings are read, and continued ones, have none.
#[derive(Debug, PartialEq, Eq)]
struct Line<'a> {
    pid: &'a str,
    state: &'a str,
    user: &'a str,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn parse(line: &'a str) -> Self {
        let mut fields = line.splitn(4, '|');
        if let (Some(pid), Some(state), Some(user), Some(text)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
            && pid.parse::<u32>().is_ok()
            && state.len() == 5
        {
            return Line { pid, state, user, text };
        }
        Line { pid: "", state: "", user: "", text: line }
    }

    fn emit(&self) {
        let Line { pid, state, user, text } = *self;
        let severity = text.split(':').next().unwrap_or_default();
        match severity {
            "PANIC" => tracing::error!(target: "postgres", pid, state, user, "{text}"),
            // 57P01-57P03: it is stopping or starting, which we know.
            "FATAL" if !state.starts_with("57P0") => tracing::warn!(target: "postgres", pid, state, user, "{text}"),
            "WARNING" => tracing::warn!(target: "postgres", pid, state, user, "{text}"),
            // An ERROR is told to the client that caused it.
            _ => tracing::debug!(target: "postgres", pid, state, user, "{text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_taken_apart() {
        let line = Line::parse("412|28P01|ana|FATAL:  password | failed");
        assert_eq!(line, Line { pid: "412", state: "28P01", user: "ana", text: "FATAL:  password | failed" });
        assert_eq!(Line::parse("\tselect a|b|c|d").text, "\tselect a|b|c|d");
        assert_eq!(Line::parse("postgres: could not|find|a|file").pid, "");
    }

    #[test]
    fn a_failure_is_explained_by_what_is_not_routine() {
        let tail = Tail::default();
        assert_eq!(tail.explain(), "it said nothing");
        let text =
            "1|00000||LOG:  starting\n1|F0000||FATAL:  no space\n1|F0000||HINT:  Free some.\n1|00000||LOG:  down\n";
        forward(text.as_bytes(), &tail);
        assert_eq!(tail.explain(), "FATAL:  no space; HINT:  Free some.");
    }
}
