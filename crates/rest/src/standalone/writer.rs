//! Writes lines on a thread, so that a slow reader of the log does not block requests.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

/// How many bytes may be buffered. Further lines are dropped and counted.
const MAX_WAITING: usize = 8 * 1024 * 1024;
/// How long shutdown waits for a slow reader.
const PATIENCE: Duration = Duration::from_secs(2);

/// A handle to the writing thread, which ends after the last handle is dropped and everything is written.
pub(super) struct Writer {
    entries: Sender<Entry>,
    shared: Arc<Shared>,
}

enum Entry {
    Line(String),
    /// Answered as soon as everything before it is written.
    Flush(SyncSender<()>),
}

#[derive(Default)]
struct Shared {
    /// Bytes that are buffered.
    waiting: AtomicUsize,
    /// Lines dropped since the last write.
    lost: AtomicUsize,
}

impl Writer {
    /// Writes to what `sink` returns; `tell` words the message about dropped lines.
    pub(super) fn new<W: Write>(
        sink: impl FnOnce() -> W + Send + 'static,
        tell: impl Fn(usize) + Send + 'static,
    ) -> std::io::Result<Self> {
        let (entries, receiver) = channel();
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("access log".to_owned());
        thread.spawn(move || write_all(&receiver, &own, sink(), tell))?;
        Ok(Writer { entries, shared })
    }

    /// Buffers a line, without waiting.
    pub(super) fn write(&self, mut line: String) {
        line.push('\n');
        let len = line.len();
        if self.shared.waiting.fetch_add(len, Ordering::Relaxed) + len > MAX_WAITING {
            self.shared.waiting.fetch_sub(len, Ordering::Relaxed);
            self.shared.lost.fetch_add(1, Ordering::Relaxed);
        } else {
            // The thread ends afterwards.
            let _ = self.entries.send(Entry::Line(line));
        }
    }

    /// Waits until every line is written, up to a limit.
    pub(super) fn flush(&self) {
        let (done, waiting) = sync_channel(1);
        if self.entries.send(Entry::Flush(done)).is_ok() {
            let _ = waiting.recv_timeout(PATIENCE);
        }
    }
}

fn write_all(entries: &Receiver<Entry>, shared: &Shared, mut sink: impl Write, tell: impl Fn(usize)) {
    let mut text = String::new();
    while let Ok(first) = entries.recv() {
        // One write for all lines that have arrived meanwhile.
        let mut done = Vec::new();
        for entry in std::iter::once(first).chain(entries.try_iter()) {
            match entry {
                Entry::Line(line) => text.push_str(&line),
                Entry::Flush(waiting) => done.push(waiting),
            }
        }
        // A closed stdout must not stop the server.
        let _ = sink.write_all(text.as_bytes()).and_then(|()| sink.flush());
        shared.waiting.fetch_sub(text.len(), Ordering::Relaxed);
        text = String::new();
        match shared.lost.swap(0, Ordering::Relaxed) {
            0 => {}
            lost => tell(lost),
        }
        for waiting in done {
            let _ = waiting.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// The written bytes; each write waits for a permit.
    struct Slow {
        leave: Receiver<()>,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let _ = self.leave.recv();
            self.written.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_does_not_read_keeps_nobody_waiting_and_is_told_what_it_missed() {
        let (leave, waits) = channel();
        let (written, lost) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
        let sink = Slow { leave: waits, written: Arc::clone(&written) };
        let told = Arc::clone(&lost);
        let tell = move |lines| _ = told.fetch_add(lines, Ordering::Relaxed);
        let writer = Writer::new(move || sink, tell).unwrap();
        let line = "x".repeat(1023);
        // No call blocks, although nothing can be written; otherwise this test would hang.
        (0..MAX_WAITING / 1024 + 5).for_each(|_| writer.write(line.clone()));
        assert!(written.lock().unwrap().is_empty());
        drop(leave);
        writer.flush();
        assert_eq!(written.lock().unwrap().len(), MAX_WAITING, "what there was room for");
        assert_eq!(lost.load(Ordering::Relaxed), 5);
        writer.write("after".to_owned());
        writer.flush();
        assert!(written.lock().unwrap().ends_with(b"x\nafter\n"));
    }
}
