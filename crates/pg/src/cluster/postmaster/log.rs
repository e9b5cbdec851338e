//! Turns PostgreSQL's standard error into log events.

use std::io::{BufRead, BufReader, Read};

use crate::supervise::Tail;

/// Bytes of the longest line; what is longer is logged in parts.
const LONGEST_LINE: u64 = 64 * 1024;

/// Reads lines until all processes that write to the pipe have ended.
pub(super) fn forward(stderr: impl Read, tail: &Tail) {
    let mut reader = BufReader::new(stderr);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&buffer);
        let line = Line::parse(text.trim_end());
        if !line.text.trim().is_empty() {
            line.emit();
            if !line.is_routine() {
                tail.push(line.text.trim().to_owned());
            }
        }
    }
}

/// A line with the prefix `%p|%e|%u|`. Lines before the configuration is read and continuation lines have no prefix.
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

    /// Whether this is a message of every start and stop, or one to a client that connects meanwhile (57P01-57P03).
    fn is_routine(&self) -> bool {
        const ROUTINE: [&str; 4] =
            ["starting PostgreSQL", "listening on", "database system is", "database system was shut down"];
        let logged = self.text.strip_prefix("LOG:").map(str::trim_start);
        self.state.starts_with("57P0") || logged.is_some_and(|text| ROUTINE.iter().any(|start| text.starts_with(start)))
    }

    fn emit(&self) {
        let Line { pid, state, user, text } = *self;
        let severity = text.split(':').next().unwrap_or_default();
        match severity {
            "PANIC" => tracing::error!(target: "postgres", pid, state, user, "{text}"),
            "FATAL" if !self.is_routine() => tracing::warn!(target: "postgres", pid, state, user, "{text}"),
            "WARNING" => tracing::warn!(target: "postgres", pid, state, user, "{text}"),
            // The client that caused an ERROR receives it.
            _ => tracing::debug!(target: "postgres", pid, state, user, "{text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_parsed() {
        let line = Line::parse("412|28P01|ana|FATAL:  password | failed");
        assert_eq!(line, Line { pid: "412", state: "28P01", user: "ana", text: "FATAL:  password | failed" });
        assert_eq!(Line::parse("\tselect a|b|c|d").text, "\tselect a|b|c|d");
        assert_eq!(Line::parse("postgres: could not|find|a|file").pid, "");
    }

    #[test]
    fn the_last_words_leave_out_routine_messages() {
        let tail = Tail::default();
        assert_eq!(tail.last_words(), "nothing");
        let text = "1|00000||LOG:  starting PostgreSQL 17\n1|57P03|a|FATAL:  the database system is starting up\n\
                    1|F0000||FATAL:  no space\n1|F0000||HINT:  Free some.\n1|00000||LOG:  database system is shut down\n";
        forward(text.as_bytes(), &tail);
        assert_eq!(tail.last_words(), "FATAL:  no space; HINT:  Free some.");
        for line in 0..2 * crate::supervise::KEPT {
            tail.push(line.to_string());
        }
        assert_eq!(tail.last_words(), "35; 36; 37; 38; 39");
    }

    #[test]
    fn a_line_without_an_end_is_read_in_parts() {
        let tail = Tail::default();
        forward("x".repeat(200_000).as_bytes(), &tail);
        let words = tail.last_words();
        let parts: Vec<usize> = words.split("; ").map(str::len).collect();
        assert_eq!(parts, [65_536, 65_536, 65_536, 3_392]);
    }
}
