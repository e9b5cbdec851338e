//! The process of a function while it runs: its requests, its limits, its end.

mod limits;
mod start;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use gateway::Secret;
use http_body_util::{BodyExt, Empty};
use pg::supervise::{Signal, State, Supervisor};
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::timeout;

use super::connections::{Body, BodyError, Connections};
use super::folders::Scratch;
use super::log::Log;
use crate::config::Limits;
use crate::model::graph::Graph;

pub(crate) use start::NotStarted;

/// How often the use of a process is looked at.
const SAMPLE: Duration = Duration::from_millis(100);
/// How long a process may take to answer the supervisor.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between the end of a connection and the news that its process has ended.
const NEWS: Duration = Duration::from_secs(1);
/// The signals that stop a process whose requests have ended.
const STOP: [(Signal, Duration); 2] = [(Signal::TERM, Duration::from_secs(1)), (Signal::KILL, Duration::from_secs(5))];
/// The signals that stop a process which has exceeded a limit.
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
    load: Mutex<Load>,
    /// A sign of life since the last sample.
    progress: AtomicBool,
    /// True when there are no requests in flight.
    quiet: watch::Sender<bool>,
    /// Its place among the processes that may run.
    place: Mutex<Option<OwnedSemaphorePermit>>,
    scratch: Scratch,
}

/// The current load of a process.
#[derive(Debug)]
struct Load {
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
pub(crate) struct Ticket {
    pub(crate) worker: Arc<Worker>,
}

/// How a process ended during a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It used too much.
    Limit,
    /// Anything else.
    Failed,
}

#[derive(Deserialize)]
struct Pending {
    pending: u64,
}

impl Worker {
    fn load(&self) -> MutexGuard<'_, Load> {
        self.load.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut load = self.load();
        if load.is_retired || self.has_ended() {
            return None;
        }
        if load.in_flight == 0 {
            self.quiet.send_replace(false);
        }
        load.in_flight += 1;
        Some(Ticket { worker: Arc::clone(self) })
    }

    /// True when the process has ended.
    pub(crate) fn has_ended(&self) -> bool {
        *self.supervisor.state().borrow() == State::Stopped
    }

    /// True when it takes no more requests.
    pub(crate) fn is_retired(&self) -> bool {
        self.load().is_retired
    }

    /// How long it has had no request; `None` while it has one.
    pub(crate) fn quiet_for(&self) -> Option<Duration> {
        let load = self.load();
        (load.in_flight == 0).then(|| load.quiet_since.elapsed())
    }

    /// Notes that the process has sent something: its CPU time is counted from here.
    pub(crate) fn note_progress(&self) {
        self.progress.store(true, Ordering::Relaxed);
    }

    /// How the process ended; waits for the news of it. `None` when it has not.
    pub(crate) async fn ending(&self) -> Option<Ending> {
        let mut state = self.supervisor.state();
        let ended = timeout(NEWS, state.wait_for(|state| *state == State::Stopped)).await;
        ended.ok()?.ok()?;
        let is_limit = self.load().limit.is_some() || self.log.ends_with(OUT_OF_MEMORY);
        Some(if is_limit { Ending::Limit } else { Ending::Failed })
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
        let mut load = self.load();
        load.is_retired |= load.in_flight == 0;
        load.is_retired
    }

    /// Stops the process when its requests and its work in the background have ended, in the time of the longest request at most.
    pub(crate) async fn retire(self: Arc<Self>, reason: &'static str) {
        self.load().is_retired = true;
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
        self.load().is_retired = true;
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
            let mut connection = self.connections.open().await.ok()?;
            let body: Body = Empty::new().map_err(BodyError::from).boxed_unsync();
            let request = http::Request::get(format!("/{}/{what}", self.nonce.reveal())).header("host", "supervisor");
            let response = connection.send(request.body(body).ok()?).await.ok()?;
            Some(response.into_body().collect().await.ok()?.to_bytes())
        };
        timeout(patience, asked).await.ok()?
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut load = self.worker.load();
        load.in_flight -= 1;
        if load.in_flight == 0 {
            load.quiet_since = Instant::now();
            self.worker.quiet.send_replace(true);
        }
    }
}

impl Drop for Worker {
    /// A process that nobody has a handle to would never end.
    fn drop(&mut self) {
        self.supervisor.signal_to_stop(Signal::KILL);
    }
}
