//! The process of a function while it runs: its requests, its limits, its end.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use gateway::Secret;
use http_body_util::{BodyExt, Empty};
use pg::supervise::{Signal, State, Supervisor};
use serde::Deserialize;
use tokio::net::UnixStream;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::timeout;

use super::connections::{Body, BodyError, Connections};
use super::folders::Scratch;
use super::launch::Launch;
use super::log::Log;
use super::usage::Usage;
use super::warm::{Assignment, Warm};
use crate::config::Limits;
use crate::model::graph::Graph;

/// How often the use of a process is looked at.
const SAMPLE: Duration = Duration::from_millis(100);
/// How long a process may take to answer the supervisor.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long listeners of `beforeunload` may run when a limit is reached.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// Between the end of a connection and the news that its process has ended.
const NEWS: Duration = Duration::from_secs(1);
/// Memory of a process besides its heap: Deno itself.
const OVERHEAD: u64 = 96 * 1024 * 1024;
const MEBIBYTE: u64 = 1024 * 1024;
/// The signals that stop a process whose requests have ended.
const STOP: [(Signal, Duration); 2] = [(Signal::TERM, Duration::from_secs(1)), (Signal::KILL, Duration::from_secs(5))];
/// How often a waiting process is asked whether it listens, once it has its function.
const LISTENS: Duration = Duration::from_millis(1);
const KILL: [(Signal, Duration); 1] = [(Signal::KILL, Duration::from_secs(5))];
/// What V8 writes when its heap is full.
const OUT_OF_MEMORY: &str = "out of memory";

/// A process that serves.
#[derive(Debug)]
pub(crate) struct Worker {
    supervisor: Supervisor,
    pub(crate) connections: Connections,
    /// The files that it was started from.
    pub(crate) graph: Graph,
    /// The deployed version that it runs; `None` for a function of the project's folder.
    pub(crate) version: Option<u32>,
    limits: Limits,
    nonce: Secret<String>,
    log: Log,
    usage: Mutex<Use>,
    /// A sign of life since the last sample.
    progress: AtomicBool,
    /// True when there are no requests in flight.
    quiet: watch::Sender<bool>,
    /// Its place among the processes that may run.
    place: Mutex<Option<OwnedSemaphorePermit>>,
    _scratch: Scratch,
}

#[derive(Debug)]
struct Use {
    in_flight: usize,
    quiet_since: Instant,
    /// No more requests: it is about to be stopped.
    is_retired: bool,
    /// The limit that it was stopped at.
    limit: Option<&'static str>,
}

/// What a process runs.
pub(crate) struct Run {
    /// The files.
    pub(crate) graph: Graph,
    /// The number of the deployed version; `None` for a function of the project's folder.
    pub(crate) version: Option<u32>,
    pub(crate) limits: Limits,
    pub(crate) log: Log,
}

/// A request in flight; keeps the process from being stopped as idle.
#[derive(Debug)]
pub(crate) struct Ticket(pub(crate) Arc<Worker>);

/// How a process ended during a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It used too much.
    Limit,
    /// Anything else.
    Failed,
}

/// Why a process does not serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotStarted {
    /// It ended.
    Ended,
    /// It did not serve in time.
    Late,
}

#[derive(Deserialize)]
struct Pending {
    pending: u64,
}

impl Worker {
    /// Starts a process and waits until it serves.
    ///
    /// # Errors
    /// [`NotStarted`], and those of the operating system.
    pub(crate) async fn start(launch: Launch, run: Run, scratch: Scratch) -> io::Result<Result<Arc<Self>, NotStarted>> {
        let nonce = launch.nonce.clone();
        let supervisor = Supervisor::start(launch)?;
        let mut state = supervisor.state();
        let started = timeout(run.limits.boot, state.wait_for(|state| *state != State::Starting)).await;
        let started = match started.map(|state| state.map(|state| *state)) {
            Ok(Ok(State::Up)) => Ok(()),
            Ok(_) => Err(NotStarted::Ended),
            Err(_) => Err(NotStarted::Late),
        };
        Ok(Self::started(started, supervisor, nonce, run, scratch).await)
    }

    /// Gives a waiting process its function, and waits until it serves.
    ///
    /// # Errors
    /// [`NotStarted`], and those of [`Warm::become_function`].
    pub(crate) async fn adopt(
        warm: Warm,
        assignment: &Assignment,
        run: Run,
    ) -> io::Result<Result<Arc<Self>, NotStarted>> {
        let nonce = warm.nonce.clone();
        let until = Instant::now() + run.limits.boot;
        let (supervisor, scratch) = warm.become_function(assignment, run.log.clone())?;
        let started = loop {
            if UnixStream::connect(scratch.socket()).await.is_ok() {
                break Ok(());
            }
            if *supervisor.state().borrow() == State::Stopped {
                break Err(NotStarted::Ended);
            }
            if Instant::now() >= until {
                break Err(NotStarted::Late);
            }
            tokio::time::sleep(LISTENS).await;
        };
        Ok(Self::started(started, supervisor, nonce, run, scratch).await)
    }

    /// The process, unless it did not start: then its log says why.
    async fn started(
        started: Result<(), NotStarted>,
        supervisor: Supervisor,
        nonce: Secret<String>,
        run: Run,
        scratch: Scratch,
    ) -> Result<Arc<Self>, NotStarted> {
        let Run { graph, version, limits, log } = run;
        match started {
            Ok(()) => {}
            Err(NotStarted::Ended) => {
                let reason = supervisor.failure().unwrap_or_default();
                log.say(&format!("did not start: {}", reason.split(" and said").next().unwrap_or_default()));
            }
            Err(NotStarted::Late) => {
                log.say(&format!("did not serve within {:?}: is there a call of Deno.serve?", limits.boot));
                supervisor.stop(&KILL).await;
            }
        }
        started?;
        let usage = Use { in_flight: 0, quiet_since: Instant::now(), is_retired: false, limit: None };
        Ok(Arc::new(Worker {
            supervisor,
            connections: Connections::new(scratch.socket()),
            graph,
            version,
            limits,
            nonce,
            log,
            usage: Mutex::new(usage),
            progress: AtomicBool::new(true),
            quiet: watch::Sender::new(true),
            place: Mutex::default(),
            _scratch: scratch,
        }))
    }

    fn use_(&self) -> MutexGuard<'_, Use> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the place of the process until it has ended.
    pub(crate) fn keep(&self, place: OwnedSemaphorePermit) {
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
    }

    fn give_place_back(&self) {
        self.place.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Enters a request; `None` when the process is about to be stopped, or has ended.
    pub(crate) fn enter(self: &Arc<Self>) -> Option<Ticket> {
        let mut use_ = self.use_();
        if use_.is_retired || self.has_ended() {
            return None;
        }
        if use_.in_flight == 0 {
            self.quiet.send_replace(false);
        }
        use_.in_flight += 1;
        Some(Ticket(Arc::clone(self)))
    }

    /// True when the process has ended.
    pub(crate) fn has_ended(&self) -> bool {
        *self.supervisor.state().borrow() == State::Stopped
    }

    /// True when it takes no more requests.
    pub(crate) fn is_retired(&self) -> bool {
        self.use_().is_retired
    }

    /// How long it has had no request; `None` while it has one.
    pub(crate) fn quiet_for(&self) -> Option<Duration> {
        let use_ = self.use_();
        (use_.in_flight == 0).then(|| use_.quiet_since.elapsed())
    }

    /// The process has sent something.
    pub(crate) fn is_alive(&self) {
        self.progress.store(true, Ordering::Relaxed);
    }

    /// How the process ended; waits for the news of it. `None` when it has not.
    pub(crate) async fn ending(&self) -> Option<Ending> {
        let mut state = self.supervisor.state();
        let ended = timeout(NEWS, state.wait_for(|state| *state == State::Stopped)).await;
        ended.ok()?.ok()?;
        let is_limit = self.use_().limit.is_some() || self.log.ends_with(OUT_OF_MEMORY);
        Some(if is_limit { Ending::Limit } else { Ending::Failed })
    }

    /// Watches the limits until the process has ended, and stops it when it was idle for long.
    pub(crate) async fn watch(&self) {
        let mut state = self.supervisor.state();
        let mut since = Duration::ZERO;
        loop {
            if timeout(SAMPLE, state.wait_for(|state| *state == State::Stopped)).await.is_ok() {
                let how = self.supervisor.failure().unwrap_or_default();
                let was_stopped = self.use_().is_retired;
                if !was_stopped {
                    self.log.say(&format!("ended by itself: {}", how.split(" and said").next().unwrap_or_default()));
                }
                self.use_().is_retired = true;
                self.give_place_back();
                return;
            }
            if let Some(usage) = self.supervisor.pid().and_then(Usage::of) {
                if self.progress.swap(false, Ordering::Relaxed) {
                    since = usage.cpu;
                }
                if let Some(limit) = self.exceeded(usage, usage.cpu.saturating_sub(since)) {
                    self.stop_at(limit).await;
                    continue;
                }
            }
            let Some(quiet) = self.quiet_for().filter(|quiet| *quiet >= self.limits.idle) else { continue };
            let reason = if self.retire_if_idle().await {
                "early_drop"
            } else if quiet >= self.limits.wall_clock && self.retire_if_quiet() {
                self.log.say("stopped at its limit: its work in the background did not end within the wall clock time");
                "wall_clock"
            } else {
                continue;
            };
            self.unload(reason, PATIENCE).await;
            self.supervisor.stop(&STOP).await;
        }
    }

    /// The limit that is exceeded.
    ///
    /// DEVIATION (behaviour): CPU time is counted for a process from the last piece of a response on, because one process serves
    /// concurrent requests; upstream counts it for each request.
    fn exceeded(&self, usage: Usage, cpu: Duration) -> Option<&'static str> {
        if usage.memory > self.limits.memory * MEBIBYTE + OVERHEAD {
            return Some("memory");
        }
        (cpu > self.limits.cpu).then_some("cpu")
    }

    async fn stop_at(&self, limit: &'static str) {
        {
            let mut use_ = self.use_();
            use_.limit = Some(limit);
            use_.is_retired = true;
        }
        self.log.say(&format!("stopped at its limit: {limit}"));
        if limit != "memory" {
            self.unload(limit, LAST_WORDS).await;
        }
        self.supervisor.stop(&KILL).await;
    }

    /// Takes no more requests if there are none and no work goes on in the background.
    pub(crate) async fn retire_if_idle(&self) -> bool {
        let pending = self.ask("pending", PATIENCE).await;
        let pending = pending.and_then(|body| serde_json::from_slice::<Pending>(&body).ok());
        // A process that does not answer is busy.
        if pending.is_none_or(|pending| pending.pending > 0) {
            return false;
        }
        self.retire_if_quiet()
    }

    /// Takes no more requests if there are none.
    fn retire_if_quiet(&self) -> bool {
        let mut use_ = self.use_();
        use_.is_retired |= use_.in_flight == 0;
        use_.is_retired
    }

    /// Stops the process when its requests and its work in the background have ended, in the time of the longest request at most.
    pub(crate) async fn retire(self: Arc<Self>, reason: &'static str) {
        self.use_().is_retired = true;
        let until = Instant::now() + self.limits.wall_clock;
        let mut quiet = self.quiet.subscribe();
        let _ = tokio::time::timeout_at(until.into(), quiet.wait_for(|quiet| *quiet)).await;
        while Instant::now() < until && !self.has_ended() && !self.retire_if_idle().await {
            tokio::time::sleep(SAMPLE).await;
        }
        self.end(reason).await;
    }

    /// Stops the process now, after its listeners of `beforeunload`.
    pub(crate) async fn end(&self, reason: &'static str) {
        self.use_().is_retired = true;
        if !self.has_ended() {
            self.unload(reason, PATIENCE).await;
            self.supervisor.stop(&STOP).await;
        }
        self.give_place_back();
    }

    async fn unload(&self, reason: &'static str, patience: Duration) {
        self.ask(&format!("unload/{reason}"), patience).await;
    }

    /// Asks the code that runs before the function's own: see `runtime/preload.js`.
    async fn ask(&self, what: &str, patience: Duration) -> Option<Bytes> {
        let asked = async {
            let mut connection = self.connections.get().await.ok()?;
            let body: Body = Empty::new().map_err(BodyError::from).boxed_unsync();
            let request = http::Request::get(format!("/{}/{what}", self.nonce.reveal())).header("host", "supervisor");
            let response = connection.send(request.body(body).ok()?).await.ok()?;
            let bytes = response.into_body().collect().await.ok()?.to_bytes();
            self.connections.put_back(connection);
            Some(bytes)
        };
        timeout(patience, asked).await.ok()?
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut use_ = self.0.use_();
        use_.in_flight -= 1;
        if use_.in_flight == 0 {
            use_.quiet_since = Instant::now();
            self.0.quiet.send_replace(true);
        }
    }
}

impl Drop for Worker {
    /// A process that nobody has a handle to would never end.
    fn drop(&mut self) {
        self.supervisor.signal_to_stop(Signal::KILL);
    }
}
