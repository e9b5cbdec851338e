//! Enforces the limits of a running process.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use pg::supervise::State;
use tokio::time::timeout;

use super::{KILL, PATIENCE, SAMPLE, STOP, Worker};
use crate::outside::folders::is_full;
use crate::outside::usage::Usage;

/// How often the files of a process are counted.
const DISK: Duration = Duration::from_millis(500);
/// How long listeners of `beforeunload` may run when a limit is reached.
const LAST_WORDS: Duration = Duration::from_millis(200);

impl Worker {
    /// Enforces the limits until the process has ended, and stops it after its idle time.
    pub(crate) async fn watch(&self) {
        let mut state = self.supervisor.state();
        let mut since = Duration::ZERO;
        let (mut written_at, mut looked_at) = (Duration::ZERO, Instant::now());
        loop {
            if timeout(SAMPLE, state.wait_for(|state| *state == State::Stopped)).await.is_ok() {
                let how = self.supervisor.failure().unwrap_or_default();
                let was_stopped = self.load().is_retired;
                if !was_stopped {
                    self.log.say(&format!("ended by itself: {}", how.split(" and said").next().unwrap_or_default()));
                }
                self.load().is_retired = true;
                self.give_place_back();
                return;
            }
            if let Some(usage) = self.supervisor.pid().and_then(Usage::of) {
                if self.progress.swap(false, Ordering::Relaxed) {
                    since = usage.cpu;
                }
                let mut limit = self.exceeded(usage, usage.cpu.saturating_sub(since));
                // A process that used no CPU time since the last count has written nothing.
                if limit.is_none() && usage.cpu != written_at && looked_at.elapsed() >= DISK {
                    (written_at, looked_at) = (usage.cpu, Instant::now());
                    limit = self.fills_the_disk().await.then_some("disk");
                }
                if let Some(limit) = limit {
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

    /// The exceeded limit, if any.
    ///
    /// DEVIATION (behaviour): CPU time is counted for a process from the last piece of a response on, because one process serves
    /// concurrent requests; upstream counts it for each request.
    fn exceeded(&self, usage: Usage, cpu: Duration) -> Option<&'static str> {
        if usage.is_above(self.limits) {
            return Some("memory");
        }
        (cpu > self.limits.cpu).then_some("cpu")
    }

    async fn fills_the_disk(&self) -> bool {
        let (tmp, pid) = (self.scratch.tmp(), self.supervisor.pid());
        tokio::task::spawn_blocking(move || is_full(&tmp, pid)).await.unwrap_or(false)
    }

    async fn stop_at(&self, limit: &'static str) {
        {
            let mut load = self.load();
            load.limit = Some(limit);
            load.is_retired = true;
        }
        self.log.say(&format!("stopped at its limit: {limit}"));
        if limit != "memory" {
            self.unload(limit, LAST_WORDS).await;
        }
        self.supervisor.stop(&KILL).await;
    }
}
