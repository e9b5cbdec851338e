//! Divides the connections of `db-pool` among the workers.

use pg::Target;
use pg::lane::{Lane, LaneConfig, PoolWatch};
use tokio::runtime::Handle;

use crate::Config;

/// Connections of a lane that pipeline fast reads. With two, one continues while the other waits for a lock or a page.
const HOT_CONNECTIONS: usize = 2;

/// The minimum number of connections per lane, if there are enough. With fewer, one long report would block a worker's
/// requests while other lanes are idle.
const LANE_CONNECTIONS: usize = 4;

/// One lane per worker, or one lane for several workers if there are too few connections.
///
/// # Errors
/// [`pg::Error::Unavailable`] when the target's TLS settings cannot be used.
pub(crate) fn lanes(
    target: &Target,
    config: &Config,
    workers: usize,
    watch: &PoolWatch,
) -> Result<Vec<Lane>, pg::Error> {
    let shares = shares(config.db_pool, workers);
    // Workers end one after another, so a shared lane must not depend on the runtime of one of them.
    let runtime = if shares.len() < workers { Handle::try_current().ok() } else { None };
    let make = |size: usize| {
        // Most connections stay with the exclusive lane. The hot lane opens its own only for fast reads, so not
        // if `db-pre-request` or `db-tx-end` forces explicit transactions.
        let hot = HOT_CONNECTIONS.min(size / 2);
        let lane = LaneConfig {
            size,
            hot,
            guests: guests(size - hot, config.anon_share),
            hot_guests: guests(hot, config.anon_share),
            lanes: config.lanes,
            acquire_timeout: config.db_pool_acquisition_timeout,
            max_lifetime: config.db_pool_max_lifetime,
            max_idle: config.db_pool_max_idletime,
            statement_cache: if config.db_prepared_statements { LaneConfig::default().statement_cache } else { 0 },
            runtime: runtime.clone(),
            watch: watch.clone(),
            ..LaneConfig::default()
        };
        Lane::new(target, &lane)
    };
    shares.into_iter().map(make).collect()
}

/// How many of `connections` anonymous requests may hold: `percent` of them, at least one.
fn guests(connections: usize, percent: u8) -> usize {
    if percent >= 100 { usize::MAX } else { (connections * usize::from(percent) / 100).max(1) }
}

/// The number of connections of each lane: `pool` in total, at least one each.
fn shares(pool: usize, workers: usize) -> Vec<usize> {
    let pool = pool.max(1);
    let lanes = workers.min(pool / LANE_CONNECTIONS).max(1);
    (0..lanes).map(|lane| pool / lanes + usize::from(lane < pool % lanes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_have_their_share_and_at_least_one() {
        for (connections, percent, expected) in [(10, 100, usize::MAX), (10, 50, 5), (5, 50, 2), (1, 50, 1), (3, 1, 1)]
        {
            assert_eq!(guests(connections, percent), expected, "{percent} % of {connections}");
        }
    }

    #[test]
    fn lanes_have_what_the_pool_has_and_four_connections_each_where_that_can_be() {
        for (pool, workers, expected) in [
            (10, 1, &[10][..]),
            (10, 2, &[5, 5]),
            (10, 10, &[5, 5]),
            (9, 2, &[5, 4]),
            (40, 10, &[4; 10]),
            (41, 64, &[5, 4, 4, 4, 4, 4, 4, 4, 4, 4]),
            (7, 4, &[7]),
            (1, 16, &[1]),
            (0, 2, &[1]),
        ] {
            assert_eq!(shares(pool, workers), expected, "{pool} for {workers}");
        }
    }
}
