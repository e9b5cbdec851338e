//! One line on the terminal that says what the start is doing. Log lines push it down; it is gone when the start is over. Where
//! standard error is no terminal there is no such line.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Back to the first column, and the line is empty.
const CLEAR: &str = "\r\x1b[2K";

/// What the line says, while there is one.
static LINE: Mutex<Option<String>> = Mutex::new(None);

/// Shows the step in place of the one before.
pub fn show(step: &str) {
    if !io::stderr().is_terminal() {
        return;
    }
    let mut line = lock();
    let text = format!("dugout: {step} …");
    put(&[CLEAR, &text]);
    *line = Some(text);
}

/// Removes the line.
pub fn end() {
    if lock().take().is_some() {
        put(&[CLEAR]);
    }
}

/// Where log lines go: standard error, above the line.
#[derive(Clone, Copy, Debug)]
pub struct AboveLine;

impl Write for AboveLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = lock();
        let mut stderr = io::stderr().lock();
        let Some(text) = line.as_ref() else {
            stderr.write_all(bytes)?;
            return Ok(bytes.len());
        };
        stderr.write_all(CLEAR.as_bytes())?;
        stderr.write_all(bytes)?;
        stderr.write_all(text.as_bytes())?;
        stderr.flush()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

fn lock() -> MutexGuard<'static, Option<String>> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A terminal that is gone is no reason to stop.
fn put(parts: &[&str]) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(parts.concat().as_bytes()).and_then(|()| stderr.flush());
}
