//! Supervised child processes: restarted with growing delays when they die, and stopped with a sequence of signals.
//!
//! A thread spawns the child, because the kernel ends the child when the spawning thread ends (see [`die_with_parent`]). So that
//! thread must live as long as our process, which async runtimes do not guarantee for theirs.
//!
//! This is in this crate because PostgreSQL is such a child, and all crates that may have others depend on this one.

mod parent;
mod tail;

use std::fmt;
use std::io;
use std::process::{Child, ChildStderr, ExitStatus};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, kill_process, waitid};
use tokio::sync::watch;

pub use parent::die_with_parent;
pub use rustix::process::Signal;
pub use tail::{KEPT, Tail};

/// How often a starting child is checked.
const POLL: Duration = Duration::from_millis(2);
/// The longest delay before a restart.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How long to wait for the output of a child that failed to start.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// After a run of this length, a failure counts as the first again.
const STABLE: Duration = Duration::from_secs(60);

/// A program to supervise.
pub trait Program: Send + 'static {
    /// Its name, for messages and threads.
    fn name(&self) -> &'static str;

    /// Removes what would prevent a start. Called before each start, while no child of ours runs.
    ///
    /// # Errors
    /// Why it cannot start.
    fn clear(&self) -> Result<(), String>;

    /// Spawns it with [`die_with_parent`] and a piped standard error.
    ///
    /// # Errors
    /// The operating system's error.
    fn spawn(&self) -> io::Result<Child>;

    /// Whether the program is ready for use.
    fn is_ready(&self, pid: Pid) -> bool;

    /// Reads its standard error to the end, and stores lines that may explain a failure in the [`Tail`]. Runs on its own thread.
    fn forward(stderr: ChildStderr, tail: &Tail);

    /// Whether it is started again when it dies.
    fn restarts(&self) -> bool {
        true
    }
}

/// The state of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not ready for the first time yet.
    Starting,
    /// Ready for work.
    Up,
    /// It died and is being restarted.
    Down,
    /// Stopped for good.
    Stopped,
}

/// The signals that stop a child, each with the time to wait before the next. The last one should be SIGKILL.
pub type Steps = [(Signal, Duration)];

/// Handle to the supervising thread. Clones share it.
#[derive(Clone)]
pub struct Supervisor {
    shared: Arc<Shared>,
    state: watch::Receiver<State>,
}

impl fmt::Debug for Supervisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Supervisor").field("state", &*self.state.borrow()).finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct Shared {
    control: Mutex<Control>,
    /// Wakes the thread from the delay before a restart.
    stopping: Condvar,
    tail: Tail,
}

#[derive(Debug, Default)]
struct Control {
    /// The running child. Removed before the process is reaped, so that a signal never reaches another process with the same
    /// pid.
    child: Option<Pid>,
    stopping: bool,
    failure: Option<String>,
}

impl Shared {
    fn control(&self) -> MutexGuard<'_, Control> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Supervisor {
    /// Starts the thread. The state changes from `Starting` to `Up`, or to `Stopped` if the first start fails.
    ///
    /// # Errors
    /// The thread could not be created.
    pub fn start(program: impl Program) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (sender, state) = watch::channel(State::Starting);
        let of_thread = Arc::clone(&shared);
        thread::Builder::new().name(program.name().to_lowercase()).spawn(move || {
            supervise(&program, &of_thread, &sender);
            sender.send_replace(State::Stopped);
        })?;
        Ok(Supervisor { shared, state })
    }

    /// The current state and its changes.
    pub fn state(&self) -> watch::Receiver<State> {
        self.state.clone()
    }

    /// The process id, if it is running.
    pub fn pid(&self) -> Option<u32> {
        self.shared.control().child.map(|pid| pid.as_raw_nonzero().get().unsigned_abs())
    }

    /// Why the first start failed, or how a program ended that is not started again.
    pub fn failure(&self) -> Option<String> {
        self.shared.control().failure.clone()
    }

    /// The last lines that the child wrote.
    pub fn last_words(&self) -> String {
        self.shared.tail.last_words()
    }

    /// Sends `signal`. The child is not restarted afterwards.
    pub fn signal_to_stop(&self, signal: Signal) {
        let mut control = self.shared.control();
        control.stopping = true;
        self.shared.stopping.notify_all();
        if let Some(pid) = control.child {
            // The process may have ended meanwhile.
            let _ = kill_process(pid, signal);
        }
    }
}

impl Supervisor {
    /// Sends the signals one after the other until the child has ended.
    pub async fn stop(&self, steps: &Steps) {
        let mut state = self.state();
        for (signal, patience) in steps {
            self.signal_to_stop(*signal);
            let stopped = state.wait_for(|state| *state == State::Stopped);
            if tokio::time::timeout(*patience, stopped).await.is_ok() {
                return;
            }
        }
    }

    /// Like [`Supervisor::stop`], but blocks the thread.
    pub fn stop_blocking(&self, steps: &Steps) {
        for (signal, patience) in steps {
            if *self.state.borrow() == State::Stopped {
                return;
            }
            self.signal_to_stop(*signal);
            let until = Instant::now() + *patience;
            while *self.state.borrow() != State::Stopped && Instant::now() < until {
                thread::sleep(POLL);
            }
        }
    }
}

fn supervise<P: Program>(program: &P, shared: &Shared, state: &watch::Sender<State>) {
    let mut failures = 0;
    let mut was_up = false;
    loop {
        let began = Instant::now();
        let outcome = run_once(program, shared, state);
        let is_up = matches!(*state.borrow(), State::Up);
        was_up |= is_up;
        let mut control = shared.control();
        if control.stopping {
            return;
        }
        let reason = match outcome {
            Ok(status) => format!("it ended with {status} and logged: {}", shared.tail.last_words()),
            Err(error) => error,
        };
        if !was_up || !program.restarts() {
            control.failure = Some(reason);
            return;
        }
        state.send_replace(State::Down);
        failures = if began.elapsed() >= STABLE { 0 } else { failures };
        // The first restart is immediate, because most failures do not repeat.
        let pause = if failures == 0 { Duration::ZERO } else { Duration::from_millis(100 << failures.min(6)) };
        failures += 1;
        let name = program.name();
        tracing::error!(attempt = failures, "{name} is down and is being restarted: {reason}");
        let until = Instant::now() + pause.min(LONGEST_PAUSE);
        while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            control = shared.stopping.wait_timeout(control, left).unwrap_or_else(PoisonError::into_inner).0;
            if control.stopping {
                return;
            }
        }
    }
}

/// Runs the child once.
fn run_once<P: Program>(program: &P, shared: &Shared, state: &watch::Sender<State>) -> Result<ExitStatus, String> {
    program.clear()?;
    let (mut child, pid) = {
        let mut control = shared.control();
        if control.stopping {
            return Err("stopped before it was started".to_owned());
        }
        let child = program.spawn().map_err(|error| format!("it cannot be run: {error}"))?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or("it has no process id")?;
        control.child = Some(pid);
        (child, pid)
    };
    shared.tail.clear();
    let forwarding = forward_log::<P>(program, &mut child, &shared.tail);
    let ended = loop {
        if has_ended(pid, WaitIdOptions::NOHANG) {
            break true;
        }
        if program.is_ready(pid) {
            break false;
        }
        thread::sleep(POLL);
    };
    if ended {
        // Its last output may still be in the pipe. Waits for a limited time, because a backend may keep the pipe open.
        let until = Instant::now() + LAST_WORDS;
        while forwarding.as_ref().is_some_and(|thread| !thread.is_finished()) && Instant::now() < until {
            thread::sleep(POLL);
        }
    } else {
        state.send_replace(State::Up);
        while !has_ended(pid, WaitIdOptions::empty()) {}
    }
    shared.control().child = None;
    child.wait().map_err(|error| error.to_string())
}

fn forward_log<P: Program>(program: &P, child: &mut Child, tail: &Tail) -> Option<JoinHandle<()>> {
    let stderr = child.stderr.take()?;
    let tail = tail.clone();
    match thread::Builder::new()
        .name(format!("{}-log", program.name().to_lowercase()))
        .spawn(move || P::forward(stderr, &tail))
    {
        Ok(thread) => Some(thread),
        Err(error) => {
            tracing::warn!("the log of {} is not forwarded: {error}", program.name());
            None
        }
    }
}

/// Whether the process has ended. Does not reap it, so that its pid is not reused.
fn has_ended(pid: Pid, patience: WaitIdOptions) -> bool {
    match waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | patience) {
        Ok(status) => status.is_some(),
        Err(error) => error != rustix::io::Errno::INTR,
    }
}
