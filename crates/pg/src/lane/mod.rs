//! The data API's connections to PostgreSQL: settings and query of a request in one write.
//!
//! tokio-postgres sends a Sync after every statement, which costs the server several times as much as a short query.
//! This client uses `postgres-protocol`, the crate underneath, and sends a whole transaction at once.
//!
//! A [`Lane`] has two parts. On the *exclusive lane* a connection belongs to one request at a time. No task drives
//! these connections; the request's own future reads and writes, on the thread it runs on. On the [*hot lane*](hot)
//! many short reads share few connections.
//!
//! Invariants:
//! - A connection returns to the pool only after the server has reported that it is outside a transaction.
//! - Nothing is done twice: only work that was rolled back, or could only read, is retried.
//! - Values are sent as text of unknown type, and results are received as text.
//!
//! A socket belongs to the runtime that polls it, so a [`Lane`] is fastest if only one worker uses it.

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
mod others;
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
use self::connect::Endpoint;
use self::connection::{Failure, Started};
use self::exclusive::{Checkout, Pool};
use self::hot::HotLane;
pub use self::rows::{Column, Row};
use self::shapes::Shapes;
pub use self::tail::Tail;
pub use self::watch::{PoolEvent, PoolWatch, Termination};
pub(crate) use self::wire::Duplex;
use self::work::Ending;
pub use self::work::{Cost, Delivery, LaneFailure, Work};
use crate::error::Error;
use crate::session::{Access, Verdict};
use crate::target::Target;

/// A bounded pool of connections that run one transaction per request, and a few that fast reads share. Clones share
/// it.
#[derive(Clone)]
pub struct Lane {
    pool: Arc<Pool>,
    hot: Option<Arc<HotLane>>,
    shapes: Arc<Shapes>,
    lanes: Lanes,
}

impl Lane {
    /// A lane to `target`. It connects when needed.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the TLS settings of the target cannot be used.
    pub fn new(target: &Target, config: &LaneConfig) -> Result<Lane, Error> {
        let pool = Arc::new(Pool::new(target, config)?);
        let wanted = if config.lanes == Lanes::Exclusive { 0 } else { config.hot.min(config.size.saturating_sub(1)) };
        let hot = (wanted > 0).then(|| Arc::new(HotLane::new(pool.clone(), wanted, config)));
        Ok(Lane { pool, hot, shapes: Arc::new(Shapes::new()), lanes: config.lanes })
    }

    /// Runs `work` in one round trip; in a second one, ends the transaction as `judge` decides from the rows.
    ///
    /// [`Verdict::Rollback`] checks deferred constraints first and returns a violation. If `judge` returns `Err`,
    /// the transaction is rolled back and the result is [`LaneFailure::Judged`].
    ///
    /// # Errors
    /// [`Error::Exhausted`] and [`Error::Unavailable`]: nothing was executed. [`Error::Broken`]: everything was
    /// rolled back. [`Error::Lost`]: the connection broke during the commit, so the outcome is unknown.
    pub async fn run<E>(
        &self,
        work: &Work,
        judge: impl FnOnce(&Rows) -> Result<Verdict, E>,
    ) -> Result<Rows, LaneFailure<E>> {
        let (mut connection, started, _) = self.start(work, Ending::Open).await.map_err(LaneFailure::Database)?;
        let rows = match started {
            Started::Whole(rows) => rows,
            // The transaction could only read, so commit and rollback are equal. On refusal the connection
            // is dropped.
            Started::Long(rows, unread) => {
                judge(&rows).map_err(LaneFailure::Judged)?;
                return Ok(Tail::attach(rows, connection, unread));
            }
        };
        let server = connection.server();
        let ended = match judge(&rows) {
            Ok(Verdict::Commit) => match server.unless_silent(connection.commit(), |silent| silent).await {
                // A read is complete without its commit.
                Err(Error::Lost(_)) if work.access == Access::ReadOnly => Ok(()),
                ended => ended,
            },
            Ok(Verdict::Rollback) => {
                server.unless_silent(connection.check_and_roll_back(), nothing_kept).await.map_err(nothing_kept)
            }
            Err(verdict) => {
                // If this fails, the connection is closed, which rolls the transaction back.
                let _ = server.unless_silent(connection.roll_back(), |silent| silent).await;
                return Err(LaneFailure::Judged(verdict));
            }
        };
        ended.map(|()| rows).map_err(LaneFailure::Database)
    }

    /// Runs `work` and commits, in one round trip; on the hot lane if possible.
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

    /// (open connections, idle connections, waiting requests), for metrics.
    pub fn status(&self) -> (usize, usize, usize) {
        let (open, idle, waiting) = self.pool.status();
        (open, idle + self.hot.as_ref().map_or(0, |hot| hot.idle()), waiting)
    }

    /// Closes idle connections now, and the others after their requests; later requests open new ones. Server
    /// processes cache catalog entries, and the role settings of the time of the login.
    pub fn flush(&self) {
        if let Some(hot) = &self.hot {
            hot.flush();
        }
        self.pool.flush();
    }

    /// Closes idle connections now, and the others after their requests; later requests fail.
    pub fn close(&self) {
        if let Some(hot) = &self.hot {
            hot.close();
        }
        self.pool.close();
    }

    /// Sends the first write and returns its response time; retries if nothing can happen twice.
    async fn start(&self, work: &Work, ending: Ending) -> Result<(Checkout, Started, Duration), Error> {
        if !work.is_guest {
            self.pool.others_came();
        }
        let mut connection = self.pool.acquire(work.is_guest).await?;
        let (mut reparsed, mut reconnected) = (false, false);
        loop {
            let begun = Instant::now();
            let server = connection.server();
            match server.unless_silent(connection.start(work, ending), Failure::Broken).await {
                Ok(started) => return Ok((connection, started, begun.elapsed())),
                // It was rolled back completely, and the retry prepares the statement again.
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

/// A connection to the server before its start-up message, with TLS if the target asks for it.
///
/// # Errors
/// [`Error::Unavailable`] with the reason for the last address.
pub(crate) async fn open_socket(target: &Target) -> Result<Box<dyn Duplex>, Error> {
    let endpoint = Endpoint::new(target)?;
    let mut reason = "there is no address to connect to".to_owned();
    for address in endpoint.addresses() {
        match endpoint.open(&address).await {
            Ok(opened) => return Ok(opened.stream),
            Err(error) => reason = error.reason,
        }
    }
    Err(Error::Unavailable(reason))
}

/// A connection that broke before COMMIT was sent has rolled back, so the outcome is known.
fn nothing_kept(error: Error) -> Error {
    match error {
        Error::Lost(reason) => Error::Broken(reason),
        other => other,
    }
}
