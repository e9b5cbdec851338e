//! The thread that runs `postgres`, starts it again when it dies, and forwards what it logs.
//!
//! A thread and not a task: the kernel stops PostgreSQL when the thread that spawned it ends (see [`spawn::die_with_parent`]),
//! so that thread must live as long as the process. No async runtime promises that of its threads.

mod log;

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use tokio::sync::watch;

use super::State;
use super::owner::Owner;
use super::processes::{self, Identity};
use super::spawn;
use log::Tail;

/// How often the files are looked at while PostgreSQL starts, which takes about 40 ms.
const POLL: Duration = Duration::from_millis(2);
/// The longest pause between two attempts to start it again.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How long to wait for the log of a start that failed.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// A run of this length ends a series of failures.
const STABLE: Duration = Duration::from_secs(60);

/// Everything needed to start PostgreSQL, the first time and again.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) postgres: PathBuf,
    pub(super) cluster: PathBuf,
    pub(super) sockets: PathBuf,
    pub(super) name: String,
    pub(super) owner: Owner,
}

/// The handle to the thread.
#[derive(Clone, Debug)]
pub(super) struct Supervisor {
    shared: Arc<Shared>,
    state: watch::Receiver<State>,
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
    /// The running postmaster. It is taken out before the process is waited for, so a signal never hits a stranger that got
    /// the same number.
    postmaster: Option<Pid>,
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
    pub(super) fn start(plan: Plan) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (sender, state) = watch::channel(State::Starting);
        let of_thread = Arc::clone(&shared);
        thread::Builder::new().name("postgres".to_owned()).spawn(move || {
            supervise(&plan, &of_thread, &sender);
            sender.send_replace(State::Stopped);
        })?;
        Ok(Supervisor { shared, state })
    }

    pub(super) fn state(&self) -> watch::Receiver<State> {
        self.state.clone()
    }

    pub(super) fn pid(&self) -> Option<u32> {
        self.shared.control().postmaster.map(|pid| pid.as_raw_nonzero().get().unsigned_abs())
    }

    /// Why the first start failed.
    pub(super) fn failure(&self) -> Option<String> {
        self.shared.control().failure.clone()
    }

    /// What PostgreSQL said last.
    pub(super) fn last_words(&self) -> String {
        self.shared.tail.last_words()
    }

    /// Sends `signal`, after which PostgreSQL is not started again.
    pub(super) fn stop(&self, signal: Signal) {
        let mut control = self.shared.control();
        control.stopping = true;
        self.shared.stopping.notify_all();
        if let Some(pid) = control.postmaster {
            // It may have ended by itself meanwhile.
            let _ = kill_process(pid, signal);
        }
    }
}

fn supervise(plan: &Plan, shared: &Shared, state: &watch::Sender<State>) {
    let mut failures = 0;
    let mut was_up = false;
    loop {
        let began = Instant::now();
        let outcome = run_once(plan, shared, state);
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
        if !was_up {
            control.failure = Some(reason);
            return;
        }
        state.send_replace(State::Down);
        failures = if began.elapsed() >= STABLE { 0 } else { failures };
        // The first attempt comes at once: most deaths are single ones.
        let pause = if failures == 0 { Duration::ZERO } else { Duration::from_millis(100 << failures.min(6)) };
        failures += 1;
        tracing::error!(attempt = failures, "PostgreSQL is down and started again: {reason}");
        let until = Instant::now() + pause.min(LONGEST_PAUSE);
        while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            control = shared.stopping.wait_timeout(control, left).unwrap_or_else(PoisonError::into_inner).0;
            if control.stopping {
                return;
            }
        }
    }
}

/// One life of the postmaster.
fn run_once(plan: &Plan, shared: &Shared, state: &watch::Sender<State>) -> Result<ExitStatus, String> {
    let identity = Identity { cluster: &plan.cluster, name: &plan.name, uid: plan.owner.uid };
    processes::clear(&identity).map_err(|error| error.to_string())?;
    remove_sockets(plan);
    let (mut child, pid) = {
        let mut control = shared.control();
        if control.stopping {
            return Err("stopped before it was started".to_owned());
        }
        let child = spawn_postmaster(plan).map_err(|error| format!("{}: {error}", plan.postmaster()))?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or("it has no process id")?;
        control.postmaster = Some(pid);
        (child, pid)
    };
    shared.tail.clear();
    let forwarding = forward_log(&mut child, &shared.tail);
    let ended = loop {
        if has_ended(pid, WaitIdOptions::NOHANG) {
            break true;
        }
        if is_ready(plan, pid) {
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
    shared.control().postmaster = None;
    child.wait().map_err(|error| error.to_string())
}

fn forward_log(child: &mut Child, tail: &Tail) -> Option<JoinHandle<()>> {
    let stderr = child.stderr.take()?;
    let tail = tail.clone();
    match thread::Builder::new().name("postgres-log".to_owned()).spawn(move || log::forward(stderr, &tail)) {
        Ok(thread) => Some(thread),
        Err(error) => {
            tracing::warn!("PostgreSQL's log is not forwarded: {error}");
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

/// The postmaster writes its state into the last line of its pid file; pg_ctl goes by it too
/// (<https://github.com/postgres/postgres/blob/REL_17_STABLE/src/include/utils/pidfile.h>).
fn is_ready(plan: &Plan, pid: Pid) -> bool {
    let Ok(text) = fs::read_to_string(plan.cluster.join("postmaster.pid")) else { return false };
    let mut lines = text.lines();
    lines.next().is_some_and(|line| line.trim() == pid.as_raw_nonzero().to_string())
        && lines.nth(6).is_some_and(|state| state.trim() == "ready")
}

/// Sockets outlive a killed postmaster, and the lock file beside them names a process that may be a stranger by now. The
/// folder is ours alone and no postmaster runs.
fn remove_sockets(plan: &Plan) {
    for entry in fs::read_dir(&plan.sockets).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(".s.PGSQL.") {
            // If it cannot be removed, PostgreSQL says so with more detail.
            let _ = fs::remove_file(entry.path());
        }
    }
}

impl Plan {
    fn postmaster(&self) -> String {
        self.postgres.display().to_string()
    }
}

fn spawn_postmaster(plan: &Plan) -> io::Result<Child> {
    let mut command = spawn::program(&plan.postgres, &plan.owner);
    // SIGINT is PostgreSQL's fast shutdown: transactions are aborted, a checkpoint is made.
    spawn::die_with_parent(&mut command, Signal::INT);
    command.arg("-D").arg(&plan.cluster);
    // A group of its own: Ctrl-C at the terminal is for us, who first let the requests in flight finish.
    command.process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
}
