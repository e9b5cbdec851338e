//! Starts a process, or gives a warm one its function, and waits until it serves.

use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gateway::Secret;
use pg::supervise::{State, Supervisor};
use tokio::net::UnixStream;
use tokio::sync::watch;
use tokio::time::timeout;

use super::{KILL, Load, Run, SAMPLE, Worker};
use crate::config::Limits;
use crate::outside::connections::Connections;
use crate::outside::folders::Scratch;
use crate::outside::launch::Launch;
use crate::outside::usage::Usage;
use crate::outside::warm::{Assignment, Warm};

/// Pause between attempts to connect to a warm process that was given its function.
const LISTENS: Duration = Duration::from_millis(1);

/// Why a process did not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotStarted {
    /// It ended.
    Ended,
    /// It did not serve in time.
    Late,
    /// It used too much memory.
    Memory,
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
        let started = within(&supervisor, run.limits, async {
            match state.wait_for(|state| *state != State::Starting).await.map(|state| *state) {
                Ok(State::Up) => Ok(()),
                _ => Err(NotStarted::Ended),
            }
        })
        .await;
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
        let (supervisor, scratch) = warm.become_function(assignment, run.log.clone())?;
        let started = within(&supervisor, run.limits, async {
            while UnixStream::connect(scratch.socket()).await.is_err() {
                if *supervisor.state().borrow() == State::Stopped {
                    return Err(NotStarted::Ended);
                }
                tokio::time::sleep(LISTENS).await;
            }
            Ok(())
        })
        .await;
        Ok(Self::started(started, supervisor, nonce, run, scratch).await)
    }

    /// The worker of a started process. If the start failed, logs the reason and stops the process.
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
            Err(NotStarted::Memory) => {
                log.say("stopped at its limit before it served: memory");
                supervisor.stop(&KILL).await;
            }
        }
        started?;
        let load = Load { in_flight: 0, quiet_since: Instant::now(), is_retired: false, limit: None };
        Ok(Arc::new(Worker {
            supervisor,
            connections: Connections::new(scratch.socket()),
            graph,
            version,
            limits,
            nonce,
            log,
            load: Mutex::new(load),
            progress: AtomicBool::new(true),
            quiet: watch::Sender::new(true),
            place: Mutex::default(),
            scratch,
        }))
    }
}

/// Waits for `serves`, at most until the boot time or the memory limit is exceeded.
async fn within(
    supervisor: &Supervisor,
    limits: Limits,
    serves: impl Future<Output = Result<(), NotStarted>>,
) -> Result<(), NotStarted> {
    let uses_too_much = async {
        while !supervisor.pid().and_then(Usage::of).is_some_and(|usage| usage.is_above(limits)) {
            tokio::time::sleep(SAMPLE).await;
        }
    };
    tokio::select! {
        served = timeout(limits.boot, serves) => served.unwrap_or(Err(NotStarted::Late)),
        () = uses_too_much => Err(NotStarted::Memory),
    }
}
