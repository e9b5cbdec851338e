//! Child processes: spawned from a thread that lives as long as the process, started again with a growing pause when they die,
//! stopped in order.
//!
//! A thread and not a task: the kernel stops the child when the thread that spawned it ends (see [`die_with_parent`]), so that
//! thread must live as long as the process. No async runtime promises that of its threads.
//!
//! It is in this crate because the embedded PostgreSQL is the first child, and every crate that may have another one is above.

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

/// How often a child is looked at while it starts.
const POLL: Duration = Duration::from_millis(2);
/// The longest pause between two attempts to start it again.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How long to wait for the log of a start that failed.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// A run of this length ends a series of failures.
const STABLE: Duration = Duration::from_secs(60);

/// What is run.
pub trait Program: Send + 'static {
    /// Its name, for messages and threads.
    fn name(&self) -> &'static str;

    /// Removes what would keep it from starting; called before each start, while no child of ours runs.
    ///
    /// # Errors
    /// The reason why it cannot start.
    fn clear(&self) -> Result<(), String>;

    /// Spawns it with [`die_with_parent`], its standard error piped.
    ///
    /// # Errors
    /// Those of the operating system.
    fn spawn(&self) -> io::Result<Child>;

    /// Whether it does its work already.
    fn is_ready(&self, pid: Pid) -> bool;

    /// Reads what it writes until the end, and keeps in the [`Tail`] what would explain its end. Runs on a thread of its own.
    fn forward(stderr: ChildStderr, tail: &Tail);

    /// Whether it is started again when it dies.
    fn restarts(&self) -> bool {
        true
    }
}

/// How a child is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not ready for the first time yet.
    Starting,
    /// Ready for work.
    Up,
    /// It died and is being started again.
    Down,
    /// Stopped for good.
    Stopped,
}

/// The signals that stop a child, each with the time that it has to end then. The last one should be SIGKILL.
pub type Steps = [(Signal, Duration)];

/// The handle to the thread. Cloning shares it.
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
    /// Wakes the thread from a pause between two attempts.
    stopping: Condvar,
    tail: Tail,
}

#[derive(Debug, Default)]
struct Control {
    /// The running child. It is taken out before the process is waited for, so a signal never hits a stranger that got
    /// the same number.
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
    /// Starts the thread. The state goes from `Starting` to `Up`, or to `Stopped` when the first start fails.
    ///
    /// # Errors
    /// When the operating system gives no thread.
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

    /// How the child is doing, now and from now on.
    pub fn state(&self) -> watch::Receiver<State> {
        self.state.clone()
    }

    /// Its process id, while there is one.
    pub fn pid(&self) -> Option<u32> {
        self.shared.control().child.map(|pid| pid.as_raw_nonzero().get().unsigned_abs())
    }

    /// Why the first start failed, or how a program ended that is not started again.
    pub fn failure(&self) -> Option<String> {
        self.shared.control().failure.clone()
    }

    /// What the child said last.
    pub fn last_words(&self) -> String {
        self.shared.tail.last_words()
    }

    /// Sends `signal`, after which the child is not started again.
    pub fn signal_to_stop(&self, signal: Signal) {
        let mut control = self.shared.control();
        control.stopping = true;
        self.shared.stopping.notify_all();
        if let Some(pid) = control.child {
            // It may have ended by itself meanwhile.
            let _ = kill_process(pid, signal);
        }
    }
}

impl Supervisor {
    /// Stops the child step by step, until it has ended.
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

    /// The same, on this thread.
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
            Ok(status) => format!("it ended with {status} and said: {}", shared.tail.last_words()),
            Err(error) => error,
        };
        if !was_up || !program.restarts() {
            control.failure = Some(reason);
            return;
        }
        state.send_replace(State::Down);
        failures = if began.elapsed() >= STABLE { 0 } else { failures };
        // The first attempt comes at once: most deaths are single ones.
        let pause = if failures == 0 { Duration::ZERO } else { Duration::from_millis(100 << failures.min(6)) };
        failures += 1;
        let name = program.name();
        tracing::error!(attempt = failures, "{name} is down and started again: {reason}");
        let until = Instant::now() + pause.min(LONGEST_PAUSE);
        while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            control = shared.stopping.wait_timeout(control, left).unwrap_or_else(PoisonError::into_inner).0;
            if control.stopping {
                return;
            }
        }
    }
}

/// One life of the child.
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
        // Its last words may still be on their way. A backend may hold the pipe open, hence not for ever.
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

/// Whether the process has ended; its number stays taken until it is waited for.
fn has_ended(pid: Pid, patience: WaitIdOptions) -> bool {
    match waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | patience) {
        Ok(status) => status.is_some(),
        Err(error) => error != rustix::io::Errno::INTR,
    }
}
