//! Settings of a lane.

use std::time::Duration;

use tokio::runtime::Handle;

use super::watch::PoolWatch;

/// Size and patience of a [`Lane`].
#[derive(Clone, Debug)]
pub struct LaneConfig {
    /// Connections at most.
    pub size: usize,
    /// How many of them the hot lane may take for itself, once it has use for them; one at least is left.
    pub hot: usize,
    /// How many connections of the exclusive lane [guests](Work::is_guest) may hold or wait for at once; further guests wait
    /// for each other, where nobody else has to.
    pub guests: usize,
    /// How many connections of the hot lane guests may share while others read there, one at least.
    pub hot_guests: usize,
    /// Which lane takes what.
    pub lanes: Lanes,
    /// How long a request waits for a connection. For a server that does not take any it waits a second at most.
    pub acquire_timeout: Duration,
    /// How long a connection is used. A server process that has seen many tables and plans does not give their memory back.
    pub max_lifetime: Duration,
    /// How long a connection is kept that nobody uses; it is closed when the next one is wanted.
    pub max_idle: Duration,
    /// Prepared statements a connection keeps; 0 where a pooler between us and the server cannot keep them.
    pub statement_cache: usize,
    /// The largest answer to one transaction that is held whole, in bytes.
    pub max_answer: usize,
    /// How slowly an answer in pieces may be taken.
    pub pace: Pace,
    /// After how long without a result the server is asked whether it is still there, and how long it then has to answer.
    pub patience: Duration,
    /// The runtime that the sockets belong to, where several runtimes share the lane: it has to outlive them. Without one
    /// they belong to the runtime of the request that they were made for.
    pub runtime: Option<Handle>,
    /// Hears what happens to the connections that requests have for themselves.
    pub watch: PoolWatch,
}

impl Default for LaneConfig {
    fn default() -> Self {
        LaneConfig {
            size: 10,
            hot: 0,
            guests: usize::MAX,
            hot_guests: usize::MAX,
            lanes: Lanes::Auto,
            acquire_timeout: Duration::from_secs(10),
            max_lifetime: Duration::from_secs(30 * 60),
            max_idle: Duration::MAX,
            statement_cache: 256,
            max_answer: 512 * 1024 * 1024,
            pace: Pace::default(),
            patience: Duration::from_secs(5),
            runtime: None,
            watch: PoolWatch::default(),
        }
    }
}

/// Which lane takes reads that might share a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lanes {
    /// The hot lane takes those that look fast.
    #[default]
    Auto,
    /// The hot lane takes all of them: for tests.
    Hot,
    /// The exclusive lane takes all of them.
    Exclusive,
}

/// How slowly an answer in pieces may be taken: a transaction and its connection are held for as long.
///
/// DEVIATION (stricter): PostgREST holds every answer whole and waits for its client for ever; an answer of more than 1 MB, passed on
/// while PostgreSQL sends it, breaks off where the client takes nothing for 30 seconds, less than 16 kB a second on average,
/// or longer than 15 minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// How long nothing may be taken.
    pub patience: Duration,
    /// And, beyond that, how many bytes a second must be taken on average.
    pub bytes_a_second: u32,
    /// And how long all of it may take.
    pub longest: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { patience: Duration::from_secs(30), bytes_a_second: 16 * 1024, longest: Duration::from_secs(15 * 60) }
    }
}
