//! Divides the service's connections: transactions have one half, reads of single objects share the other.

use std::sync::atomic::{AtomicUsize, Ordering};

use gateway::service::Context;
use pg::{Lane, LaneConfig, Pool, PoolConfig};
use tokio::runtime::Handle;

/// The smallest lane with a shared connection: one connection is shared by short reads, the other one serves slow reads.
const LANE_CONNECTIONS: usize = 2;
/// Connections of a lane that reads share. With two, one continues while the other waits for a lock or for the disk.
const SHARED: usize = 2;

/// The connections of the service.
pub(crate) struct Connections {
    pub(crate) pool: Pool,
    lanes: Vec<Lane>,
    mounted: AtomicUsize,
}

impl Connections {
    /// Opens nothing yet. Must be called on the server's main runtime.
    ///
    /// # Errors
    /// If the TLS settings of the target cannot be used.
    pub(crate) fn new(context: &Context) -> Result<Self, pg::Error> {
        let (size, shares) = shares(context.connections, context.workers);
        let pool = Pool::new(&context.target, &PoolConfig { size, acquire_timeout: context.acquire_timeout })?;
        // HTTP workers stop one after another, so a lane that they share must not run on the runtime of one of them.
        let runtime = if shares.len() < context.workers { Some(Handle::current()) } else { None };
        let lane = |size: usize| {
            let (acquire_timeout, runtime) = (context.acquire_timeout, runtime.clone());
            let hot = SHARED.min(size / 2);
            Lane::new(&context.target, &LaneConfig { size, hot, acquire_timeout, runtime, ..LaneConfig::default() })
        };
        let lanes = shares.into_iter().map(lane).collect::<Result<_, _>>()?;
        Ok(Connections { pool, lanes, mounted: AtomicUsize::new(0) })
    }

    /// The lane of the worker that is being set up, which other workers may share; `None` with a single connection.
    pub(crate) fn next_lane(&self) -> Option<Lane> {
        let number = self.mounted.fetch_add(1, Ordering::Relaxed);
        self.lanes.get(number % self.lanes.len().max(1)).cloned()
    }

    /// (open, idle, waiting), for metrics.
    pub(crate) fn status(&self) -> (usize, usize, usize) {
        let add = |(a, b, c): (usize, usize, usize), (x, y, z)| (a + x, b + y, c + z);
        self.lanes.iter().map(Lane::status).fold(self.pool.status(), add)
    }

    /// Closes them. Later requests fail.
    pub(crate) fn close(&self) {
        self.lanes.iter().for_each(Lane::close);
        self.pool.close();
    }
}

/// The sizes of the pool and of the lanes: one lane for each worker, or fewer if there are too few connections.
fn shares(connections: usize, workers: usize) -> (usize, Vec<usize>) {
    let shared = connections / 2;
    let lanes = workers.min((shared / LANE_CONNECTIONS).max(1)).min(shared);
    let lane = |number| shared / lanes + usize::from(number < shared % lanes);
    (connections - shared, (0..lanes).map(lane).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pool_and_lanes_have_a_half_each() {
        for (connections, workers, pool, lanes) in [
            (1, 2, 1, &[][..]),
            (2, 2, 1, &[1]),
            (3, 2, 2, &[1]),
            (4, 2, 2, &[2]),
            (8, 2, 4, &[2, 2]),
            (20, 2, 10, &[5, 5]),
            (20, 3, 10, &[4, 3, 3]),
            (20, 16, 10, &[2; 5]),
        ] {
            assert_eq!(shares(connections, workers), (pool, lanes.to_vec()), "{connections} for {workers}");
        }
    }
}
