//! The embedded cluster: PostgreSQL as a child process, with its data in our data directory.
//!
//! Start-up is the recovery procedure: [`Cluster::start`] handles whatever a kill at any moment has left behind,
//! without manual steps. The lock on `dugout.lock` distinguishes another running instance, which causes an error, from
//! an orphaned postmaster, which is stopped.

mod binaries;
mod conf;
mod config;
mod error;
mod extensions;
mod initdb;
mod installation;
mod lock;
mod owner;
mod package;
mod postmaster;
mod prepare;
mod processes;
mod spawn;
mod timings;
mod upgrade;
mod vault_key;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::sync::watch;

pub use crate::supervise::State;
pub use binaries::Version;
pub use config::{ClusterConfig, Durability, SUPERUSER, TcpConfig};
pub use error::ClusterError;
pub use installation::{Installation, installation};
pub use timings::Timings;
pub use upgrade::{Upgraded, client_programs, upgrade};

use crate::Target;
use crate::supervise::Supervisor;
use lock::Lock;
use prepare::Prepared;

/// The major version that this release supports and contains.
pub const EXPECTED_MAJOR: u32 = 18;

/// The first major version with the setting `event_triggers`.
const WITH_EVENT_TRIGGERS_OFF: u32 = 17;

/// A running cluster. Dropping it stops PostgreSQL too, but blocks the thread: prefer [`Cluster::stop`].
#[derive(Debug)]
pub struct Cluster {
    supervisor: Supervisor,
    version: Version,
    programs: PathBuf,
    sockets: PathBuf,
    port: u16,
    timings: Timings,
    _lock: Lock,
}

impl Cluster {
    /// Starts the cluster in `config.data_dir`, creates it if necessary, and returns when it accepts connections.
    ///
    /// # Errors
    /// [`ClusterError`]; no process is left running.
    pub async fn start(config: ClusterConfig) -> Result<Self, ClusterError> {
        let patience = config.start_timeout;
        let ended = |error: &dyn std::error::Error| ClusterError::Ended(error.to_string());
        let prepared = tokio::task::spawn_blocking(move || prepare::prepare(&config)).await;
        let Prepared { plan, port, version, timings, lock } = prepared.map_err(|error| ended(&error))??;
        let sockets = plan.sockets.clone();
        let programs = plan.postgres.parent().unwrap_or(&plan.postgres).to_owned();
        let began = Instant::now();
        let supervisor = Supervisor::start(plan).map_err(|error| ended(&error))?;
        let mut cluster = Cluster { supervisor, version, programs, sockets, port, timings, _lock: lock };
        let mut state = cluster.state();
        let settled = state.wait_for(|state| matches!(state, State::Up | State::Stopped));
        match tokio::time::timeout(patience, settled).await.map(|state| state.is_ok_and(|state| *state == State::Up)) {
            Ok(true) => {
                cluster.timings.ready = began.elapsed();
                Ok(cluster)
            }
            Ok(false) => Err(ClusterError::Ended(cluster.supervisor.failure().unwrap_or_default())),
            Err(_) => {
                let output = cluster.supervisor.last_words();
                cluster.stop().await;
                Err(ClusterError::NotReady { seconds: patience.as_secs(), output })
            }
        }
    }

    /// The address of a database for a role, over the unix socket and so without a password. Sessions of the
    /// superuser run no event triggers, if PostgreSQL supports that.
    pub fn target(&self, user: &str, database: &str) -> Target {
        let target = Target::unix(&self.sockets, self.port, user, database).without_preloads().with_log_of_ours();
        let guarded = user == SUPERUSER && self.version.major >= WITH_EVENT_TRIGGERS_OFF;
        if guarded { target.without_event_triggers() } else { target }
    }

    /// The version of the binaries.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Whether `create extension` finds those of ours: pg_cron, pg_net, supabase_vault and others.
    pub fn has_own_extensions(&self) -> bool {
        self.version.major >= extensions::FIRST_MAJOR
    }

    /// The folder of the binaries.
    pub fn programs(&self) -> &Path {
        &self.programs
    }

    /// How long the start took.
    pub fn timings(&self) -> Timings {
        self.timings
    }

    /// The process id of the postmaster, if it is running.
    pub fn postmaster_pid(&self) -> Option<u32> {
        self.supervisor.pid()
    }

    /// The current state, and later changes.
    pub fn state(&self) -> watch::Receiver<State> {
        self.supervisor.state()
    }

    /// Stops PostgreSQL: aborts open transactions and writes a checkpoint. After ten seconds it forces an immediate
    /// shutdown, and PostgreSQL recovers at the next start.
    pub async fn stop(self) {
        self.supervisor.stop(&STOP).await;
    }
}

/// Fast shutdown, immediate shutdown, and kill.
const STOP: [(Signal, Duration); 3] = [
    (Signal::INT, Duration::from_secs(10)),
    (Signal::QUIT, Duration::from_secs(5)),
    (Signal::KILL, Duration::from_secs(1)),
];

impl Drop for Cluster {
    fn drop(&mut self) {
        self.supervisor.stop_blocking(&STOP);
    }
}
