//! What functions write: to the server's log and to a file each, up to a rate and a length.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The rest of a longer line is dropped, in bytes.
pub(crate) const MAX_LINE: usize = 16 * 1024;
/// Lines that may come at once.
const BURST: u32 = 1000;
/// Lines a second after that; others are counted and dropped.
const RATE: u32 = 200;
/// A longer file is renamed, replacing the one before it, in bytes.
const MAX_FILE: u64 = 4 * 1024 * 1024;
/// The last lines, which explain an end.
const KEPT: usize = 20;

/// The log of one function.
#[derive(Clone, Debug)]
pub(crate) struct Log(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    name: String,
    path: PathBuf,
    file: Option<(File, u64)>,
    last: VecDeque<String>,
    allowance: Allowance,
    dropped: u64,
}

/// A bucket of lines.
#[derive(Debug)]
struct Allowance {
    lines: f64,
    at: Instant,
}

impl Allowance {
    fn take(&mut self, now: Instant) -> bool {
        let earned = now.saturating_duration_since(self.at).as_secs_f64() * f64::from(RATE);
        self.lines = (self.lines + earned).min(f64::from(BURST));
        self.at = now;
        let is_enough = self.lines >= 1.0;
        if is_enough {
            self.lines -= 1.0;
        }
        is_enough
    }
}

impl Log {
    /// The log of the function `name`, in the file `path`.
    pub(crate) fn new(name: &str, path: PathBuf) -> Self {
        let allowance = Allowance { lines: f64::from(BURST), at: Instant::now() };
        let inner = Inner { name: name.to_owned(), path, file: None, last: VecDeque::new(), allowance, dropped: 0 };
        Log(Arc::new(Mutex::new(inner)))
    }

    /// Reads everything that a process writes, until it ends.
    pub(crate) fn follow(&self, output: impl Read) {
        let mut output = BufReader::with_capacity(64 * 1024, output);
        let mut line = Vec::new();
        loop {
            match read_line(&mut output, &mut line) {
                Ok(true) => self.write(&String::from_utf8_lossy(&line)),
                // The pipe's other end is closed.
                Ok(false) | Err(_) => return,
            }
        }
    }

    /// Writes a line of the function, if it has not written too many.
    fn write(&self, line: &str) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Kept even if it is dropped: the last words of a process explain its end.
        if inner.last.len() == KEPT {
            inner.last.pop_front();
        }
        inner.last.push_back(line.to_owned());
        if !inner.allowance.take(Instant::now()) {
            inner.dropped += 1;
            return;
        }
        let dropped = std::mem::take(&mut inner.dropped);
        if dropped > 0 {
            inner.emit(&format!("({dropped} lines were dropped: too many in a short time)"));
        }
        inner.emit(line);
    }

    /// Writes a line of the supervisor's.
    pub(crate) fn say(&self, line: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).emit(line);
    }

    /// True if one of the last lines has this text.
    pub(crate) fn ends_with(&self, text: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).last.iter().any(|line| line.contains(text))
    }

    /// Forgets the last lines: those of an earlier process.
    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).last.clear();
    }
}

impl Inner {
    fn emit(&mut self, line: &str) {
        tracing::info!(event = "function_log", function = self.name, "{line}");
        let time = chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        let text = format!("{time} {line}\n");
        if self.file.as_ref().is_some_and(|(_, length)| length + text.len() as u64 > MAX_FILE) {
            self.file = None;
            let _ = fs::rename(&self.path, self.path.with_extension("log.1"));
        }
        if self.file.is_none() {
            let opened = OpenOptions::new().append(true).create(true).mode(0o600).open(&self.path);
            self.file = opened.ok().map(|file| {
                let length = file.metadata().map_or(0, |data| data.len());
                (file, length)
            });
        }
        // A full disk must not stop the function.
        if let Some((file, length)) = &mut self.file
            && file.write_all(text.as_bytes()).is_ok()
        {
            *length += text.len() as u64;
        }
    }
}

/// Reads a line without its end, of at most [`MAX_LINE`] bytes. False at the end of the output.
fn read_line(output: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let mut has_any = false;
    loop {
        let chunk = match output.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(has_any);
        }
        has_any = true;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&part[..part.len().min(MAX_LINE - line.len())]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        output.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn long_lines_are_cut_and_too_many_are_dropped() {
        let path = std::env::temp_dir().join(format!("dugout-function-log-{}.log", std::process::id()));
        let log = Log::new("x", path.clone());
        let long = "y".repeat(MAX_LINE + 1);
        let output = format!("{long}\n{}last", "z\n".repeat(BURST as usize + 4000));
        log.follow(output.as_bytes());
        let text = fs::read_to_string(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let first = text.lines().next().unwrap();
        assert_eq!(first.split(' ').nth(1).unwrap().len(), MAX_LINE);
        assert!(text.lines().count() < BURST as usize + 2000, "{}", text.lines().count());
        assert!(log.ends_with("last"));
        let later = Instant::now() + Duration::from_secs(1);
        assert!(log.0.lock().unwrap().allowance.take(later), "the allowance comes back");
    }
}
