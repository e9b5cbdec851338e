//! A running binary.

use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use reqwest::Method;
use rustix::process::{Pid, Signal, kill_process};

use super::{Calls, Request, secrets};

/// Ended with SIGKILL when dropped; its PostgreSQL then ends by itself.
pub struct Process {
    child: Child,
    url: String,
    log: PathBuf,
}

impl Process {
    pub(super) fn new(child: Child, url: String, log: PathBuf) -> Self {
        Process { child, url, log }
    }

    /// The base URL.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The log of this process and of its predecessors in the same data directory.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub fn signal(&self, signal: Signal) {
        kill(self.pid(), signal);
    }

    /// Kills the process, as a power cut would.
    pub async fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.ended(Duration::from_secs(5)).await;
    }

    /// Shuts the process down in an orderly way.
    pub async fn stop(&mut self) {
        self.signal(Signal::TERM);
        let status = self.ended(Duration::from_secs(20)).await;
        assert!(status.success(), "{status}: {}", self.log());
    }

    /// Waits until the process has ended, and returns how.
    ///
    /// # Panics
    /// When it is still running after `patience`.
    pub async fn ended(&mut self, patience: Duration) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.exited() {
                return status;
            }
            assert!(begun.elapsed() < patience, "still running after {patience:?}:\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// How the process ended, if it has.
    pub fn exited(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }
}

impl Calls for Process {
    fn request(&self, method: Method, path: &str) -> Request {
        Request::new(method, &format!("{}{path}", self.url))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            self.signal(Signal::KILL);
            let _ = self.child.wait();
        }
        if !std::thread::panicking() {
            let leaks = secrets::search(&self.url, &self.log());
            assert!(leaks.is_empty(), "secrets in the log: {leaks:?}");
        }
    }
}

pub(super) fn kill(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    // The process may have ended already.
    let _ = kill_process(pid, signal);
}
