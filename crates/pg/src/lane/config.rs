//! Settings of a lane.

use std::time::Duration;

use tokio::runtime::Handle;

use super::watch::PoolWatch;

/// Sizes and time limits of a [`Lane`].
#[derive(Clone, Debug)]
pub struct LaneConfig {
    /// The maximum number of connections.
    pub size: usize,
    /// How many of them the hot lane may take when it needs them; it leaves at least one.
    pub hot: usize,
    /// How many connections of the exclusive lane [guests](super::Work::is_guest) may hold or wait for at once while
    /// others use it; further guests queue behind other guests only. After a minute without others, all but one.
    pub guests: usize,
    /// How many connections of the hot lane guests may share while other requests use it, at least one.
    pub hot_guests: usize,
    /// Which lane reads use.
    pub lanes: Lanes,
    /// How long a request waits for a connection; at most a second for a server that refuses connections.
    pub acquire_timeout: Duration,
    /// How long a connection is used. Server processes never release the memory of cached tables and plans.
    pub max_lifetime: Duration,
    /// How long an idle connection is kept; it is closed when the next one is requested.
    pub max_idle: Duration,
    /// How many prepared statements a connection keeps; 0 behind a pooler that does not support them.
    pub statement_cache: usize,
    /// The largest response to a transaction that is buffered, in bytes.
    pub max_answer: usize,
    /// The minimum speed at which clients must take streamed responses.
    pub pace: Pace,
    /// After this long without a response the server is probed, and must react within the same time.
    pub patience: Duration,
    /// The runtime that the sockets belong to, if several runtimes share the lane; it must outlive them. Otherwise
    /// they belong to the runtime of the request that opened them.
    pub runtime: Option<Handle>,
    /// Observes events of exclusive connections.
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

/// Which lane reads use that could share a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lanes {
    /// The hot lane takes reads that are expected to be fast.
    #[default]
    Auto,
    /// The hot lane takes all of them, for tests.
    Hot,
    /// The exclusive lane takes all of them.
    Exclusive,
}

/// The minimum speed at which clients must take a streamed response: it holds a transaction and a connection.
///
/// DEVIATION (stricter): PostgREST buffers every response and waits for clients forever. A response of more than 1 MB,
/// which is streamed from PostgreSQL, is aborted if the client takes nothing for 30 seconds, takes less than 16 kB a
/// second on average, or needs longer than 15 minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// How long the client may take nothing.
    pub patience: Duration,
    /// The minimum average speed after that, in bytes per second.
    pub bytes_a_second: u32,
    /// The maximum total duration.
    pub longest: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { patience: Duration::from_secs(30), bytes_a_second: 16 * 1024, longest: Duration::from_secs(15 * 60) }
    }
}
