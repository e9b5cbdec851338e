//! The data API's own way to PostgreSQL: settings and query of a request in one write.
//!
//! tokio-postgres ends every query with a Sync of its own, which costs the server several times what the query costs;
//! this is a small connection on `postgres-protocol`, the crate underneath it, that sends a whole transaction at once.
//!
//! A [`Lane`] is two: on the *exclusive lane* a connection belongs to one request at a time. No task drives the connections;
//! the request's own future reads and writes, on the thread it runs on. On the [*hot lane*](hot) many short reads share
//! few connections.
//!
//! Invariants:
//! - A connection goes back to the pool only when the server has said that it is between transactions.
//! - Nothing that may have been done is done twice: only work that was rolled back, or could only read, runs again.
//! - Values travel as text of unknown type, results as text.
//!
//! A socket belongs to a runtime, which wakes those who wait for it: a [`Lane`] is fastest where only one worker uses it.

mod answer;
mod batch;
mod channel_binding;
mod config;
mod connect;
mod connection;
mod error_response;
mod exclusive;
mod hot;
mod open;
mod rows;
mod shapes;
mod silence;
mod startup;
mod statements;
mod tail;
mod watch;
mod wire;
mod work;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use self::answer::Rows;
pub use self::config::{LaneConfig, Lanes, Pace};
use self::connection::{Failure, Started};
use self::exclusive::{Checkout, Pool};
use self::hot::HotLane;
pub use self::rows::{Column, Row};
use self::shapes::Shapes;
pub use self::tail::Tail;
pub use self::watch::{PoolEvent, PoolWatch, Termination};
use self::work::Ending;
pub use self::work::{Cost, Delivery, LaneFailure, Work};
use crate::error::Error;
use crate::session::{Access, Verdict};
use crate::target::Target;

/// A bounded pool of connections that run one transaction a request, and a few that fast reads share. Cloning shares it.
#[derive(Clone)]
pub struct Lane {
    pool: Arc<Pool>,
    hot: Option<Arc<HotLane>>,
    shapes: Arc<Shapes>,
    lanes: Lanes,
}

impl Lane {
    /// A lane to `target`. No connection is made before it is needed.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the TLS settings of the target cannot be used.
    pub fn new(target: &Target, config: &LaneConfig) -> Result<Lane, Error> {
        let pool = Arc::new(Pool::new(target, config)?);
        let wanted = if config.lanes == Lanes::Exclusive { 0 } else { config.hot.min(config.size.saturating_sub(1)) };
        let hot = (wanted > 0).then(|| Arc::new(HotLane::new(pool.clone(), wanted, config)));
        Ok(Lane { pool, hot, shapes: Arc::new(Shapes::new()), lanes: config.lanes })
    }

    /// Runs `work` in one round trip and, in a second one, ends the transaction as `judge` decides on the rows.
    ///
    /// [`Verdict::Rollback`] checks the deferred constraints first, and one that fails is the answer. An `Err` of `judge`
    /// rolls back and comes out as [`LaneFailure::Judged`].
    ///
    /// # Errors
    /// [`Error::Exhausted`] and [`Error::Unavailable`]: nothing was done. [`Error::Broken`]: nothing of it was kept.
    /// [`Error::Lost`]: the connection broke while committing, so that nobody knows.
    pub async fn run<E>(
        &self,
        work: &Work,
        judge: impl FnOnce(&Rows) -> Result<Verdict, E>,
    ) -> Result<Rows, LaneFailure<E>> {
        let (mut connection, started, _) = self.start(work, Ending::Open).await.map_err(LaneFailure::Database)?;
        let rows = match started {
            Started::Whole(rows) => rows,
            // Only read, so whichever way it ends is as good; refused, it is given up with its connection.
            Started::Long(rows, unread) => {
                judge(&rows).map_err(LaneFailure::Judged)?;
                return Ok(Tail::attach(rows, connection, unread));
            }
        };
        let server = connection.server();
        let ended = match judge(&rows) {
            Ok(Verdict::Commit) => match server.unless_silent(connection.commit(), |silent| silent).await {
                // What was only read is as good without its commit.
                Err(Error::Lost(_)) if work.access == Access::ReadOnly => Ok(()),
                ended => ended,
            },
            Ok(Verdict::Rollback) => {
                server.unless_silent(connection.check_and_roll_back(), nothing_kept).await.map_err(nothing_kept)
            }
            Err(verdict) => {
                // When this fails the connection is gone, and the transaction with it.
                let _ = server.unless_silent(connection.roll_back(), |silent| silent).await;
                return Err(LaneFailure::Judged(verdict));
            }
        };
        ended.map(|()| rows).map_err(LaneFailure::Database)
    }

    /// Runs `work` and commits, in one round trip; on the hot lane if it fits there.
    ///
    /// # Errors
    /// As [`Lane::run`].
    pub async fn read(&self, work: &Work) -> Result<Rows, Error> {
        let Some(hot) = self.hot.as_ref().filter(|_| work.may_share()) else {
            let (connection, started, _) = self.start(work, Ending::Commit).await?;
            return Ok(started.rows(connection));
        };
        let shape = self.shapes.of(work.session.role(), &work.query.text, work.cost);
        if (self.lanes == Lanes::Hot || shape.is_fast())
            && let Some(answer) = hot.run(work, shape.clone()).await.answer()
        {
            return answer;
        }
        let (connection, started, took) = self.start(work, Ending::Commit).await?;
        shape.ran(took, started.size());
        Ok(started.rows(connection))
    }

    /// (open, idle, waiting): connections, connections, requests; for metrics.
    pub fn status(&self) -> (usize, usize, usize) {
        let (open, idle, waiting) = self.pool.status();
        (open, idle + self.hot.as_ref().map_or(0, |hot| hot.idle()), waiting)
    }

    /// Closes idle connections now and the others when their requests are done; later requests make new ones. A server
    /// process keeps what it knows of the catalog, and the settings its role had when it was made.
    pub fn flush(&self) {
        if let Some(hot) = &self.hot {
            hot.flush();
        }
        self.pool.flush();
    }

    /// Closes idle connections now and the others when their requests are done; later requests fail.
    pub fn close(&self) {
        if let Some(hot) = &self.hot {
            hot.close();
        }
        self.pool.close();
    }

    /// The first write, and how long it took to be answered; run again where that cannot do anything twice.
    async fn start(&self, work: &Work, ending: Ending) -> Result<(Checkout, Started, Duration), Error> {
        let mut connection = self.pool.acquire(work.is_guest).await?;
        let (mut reparsed, mut reconnected) = (false, false);
        loop {
            let begun = Instant::now();
            let server = connection.server();
            match server.unless_silent(connection.start(work, ending), Failure::Broken).await {
                Ok(started) => return Ok((connection, started, begun.elapsed())),
                // Rolled back as a whole, and the statement is parsed anew now.
                Err(Failure::Stale(_)) if !reparsed => reparsed = true,
                Err(Failure::Stale(error) | Failure::Refused(error)) => return Err(error),
                Err(Failure::Broken(Error::Lost(reason))) if work.access == Access::ReadOnly && !reconnected => {
                    reconnected = true;
                    connection.reconnect().await.map_err(|_| Error::Broken(reason))?;
                }
                Err(Failure::Broken(error)) => {
                    let may_be_kept = ending == Ending::Commit && work.access == Access::ReadWrite;
                    return Err(if may_be_kept { error } else { nothing_kept(error) });
                }
            }
        }
    }
}

/// A connection that broke before COMMIT was sent has rolled back: the outcome is known.
fn nothing_kept(error: Error) -> Error {
    match error {
        Error::Lost(reason) => Error::Broken(reason),
        other => other,
    }
}
