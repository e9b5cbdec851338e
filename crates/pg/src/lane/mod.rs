//! The data API's own way to PostgreSQL: settings and query of a request in one write.
//!
//! tokio-postgres ends every query with a Sync of its own, which costs the server several times what the query costs;
//! this is a small connection on `postgres-protocol`, the crate underneath it, that sends a whole transaction at once.
//!
//! [`Lane`] is the *exclusive lane*: a connection belongs to one request at a time. No task drives the connections; the
//! request's own future reads and writes, on the thread it runs on.
//!
//! Invariants:
//! - A connection goes back to the pool only when the server has said that it is between transactions.
//! - Nothing that may have been done is done twice: only work that was rolled back, or could only read, runs again.
//! - Values travel as text of unknown type, results as text.
//!
//! A socket belongs to the runtime that made it: make one [`Lane`] a worker, on that worker.

mod batch;
mod channel_binding;
mod connect;
mod connection;
mod error_response;
mod exclusive;
mod rows;
mod startup;
mod statements;
mod tail;
mod wire;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use self::connection::{Failure, Started};
use self::exclusive::{Checkout, Pool};
pub use self::rows::{Column, Row, Rows};
pub use self::tail::{Pace, Tail};
use crate::session::{Access, Isolation, Session, Verdict};
use crate::target::Target;
use crate::{Error, Snippet};

/// A bounded pool of connections that run one transaction a request. Cloning shares it.
#[derive(Clone)]
pub struct Lane {
    pool: Arc<Pool>,
}

/// Size and patience of a [`Lane`].
#[derive(Clone, Debug)]
pub struct LaneConfig {
    /// Connections at most.
    pub size: usize,
    /// How long a request waits for a connection, and for a server that is restarting.
    pub acquire_timeout: Duration,
    /// How long a connection is used. A server process that has seen many tables and plans does not give their memory back.
    pub max_lifetime: Duration,
    /// Prepared statements a connection keeps; 0 where a pooler between us and the server cannot keep them.
    pub statement_cache: usize,
    /// The largest answer to one transaction that is held whole, in bytes.
    pub max_answer: usize,
    /// How slowly an answer in pieces may be taken.
    pub pace: Pace,
}

impl Default for LaneConfig {
    fn default() -> Self {
        LaneConfig {
            size: 10,
            acquire_timeout: Duration::from_secs(10),
            max_lifetime: Duration::from_secs(30 * 60),
            statement_cache: 256,
            max_answer: 512 * 1024 * 1024,
            pace: Pace::default(),
        }
    }
}

/// One transaction: what a request wants done, and as whom.
#[derive(Clone, Debug)]
pub struct Work {
    /// Role and settings.
    pub session: Session,
    /// Whether it may write.
    pub access: Access,
    /// The isolation level.
    pub isolation: Isolation,
    /// Statements to run between the settings and the query, such as a pre-request function; their rows are ignored.
    pub before: Vec<Snippet>,
    /// A statement to run after those and before the query, whose rows are wanted too: [`Rows::ahead`].
    pub ahead: Option<Snippet>,
    /// The statement whose rows are the answer.
    pub query: Snippet,
    /// `statement_timeout` of every statement of this transaction. A server that is silent for longer than all of them
    /// may take is given up.
    pub timeout: Option<Duration>,
    /// How the rows are handed over.
    pub delivery: Delivery,
}

/// How the rows of a transaction are handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// When they are all there and the transaction has ended.
    #[default]
    Whole,
    /// For a query of one row: where its last value is long and nothing of the transaction can still fail, that value
    /// comes as a [`Tail`]. What writes is handed over whole all the same, for it counts only when it is committed; and so
    /// is what is serializable, which may be refused when it ends.
    InPieces,
}

/// Why [`Lane::run`] kept nothing.
#[derive(Debug)]
pub enum LaneFailure<E> {
    /// The database refused or could not be reached.
    Database(Error),
    /// The caller's own decision about the rows; the transaction was rolled back.
    Judged(E),
}

/// How the first write ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// With the transaction open, to be judged.
    Open,
    /// With `COMMIT`.
    Commit,
}

impl Lane {
    /// A lane to `target`. No connection is made before it is needed.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the TLS settings of the target cannot be used.
    pub fn new(target: &Target, config: &LaneConfig) -> Result<Lane, Error> {
        Ok(Lane { pool: Arc::new(Pool::new(target, config)?) })
    }

    /// Runs `work` in one round trip and, in a second one, ends the transaction as `judge` decides on the rows.
    ///
    /// [`Verdict::Rollback`] checks the deferred constraints first, and one that fails is the answer. An `Err` of `judge`
    /// rolls back and comes out as [`LaneFailure::Judged`].
    ///
    /// # Errors
    /// [`Error::Exhausted`] and [`Error::Unavailable`]: nothing was done, or nothing of it was kept. [`Error::Lost`]: the
    /// connection broke while committing, so that nobody knows.
    pub async fn run<E>(
        &self,
        work: &Work,
        judge: impl FnOnce(&Rows) -> Result<Verdict, E>,
    ) -> Result<Rows, LaneFailure<E>> {
        let (mut connection, started) = self.start(work, Ending::Open).await.map_err(LaneFailure::Database)?;
        let rows = match started {
            Started::Whole(rows) => rows,
            // Only read, so whichever way it ends is as good; refused, it is given up with its connection.
            Started::Long(rows, unread) => {
                judge(&rows).map_err(LaneFailure::Judged)?;
                return Ok(Tail::attach(rows, connection, unread));
            }
        };
        let ended = match judge(&rows) {
            Ok(Verdict::Commit) => match connection.commit().await {
                // What was only read is as good without its commit.
                Err(Error::Lost(_)) if work.access == Access::ReadOnly => Ok(()),
                ended => ended,
            },
            Ok(Verdict::Rollback) => connection.check_and_roll_back().await.map_err(nothing_kept),
            Err(verdict) => {
                // When this fails the connection is gone, and the transaction with it.
                let _ = connection.roll_back().await;
                return Err(LaneFailure::Judged(verdict));
            }
        };
        ended.map(|()| rows).map_err(LaneFailure::Database)
    }

    /// Runs `work` and commits, in one round trip.
    ///
    /// # Errors
    /// As [`Lane::run`].
    pub async fn read(&self, work: &Work) -> Result<Rows, Error> {
        Ok(match self.start(work, Ending::Commit).await? {
            (_, Started::Whole(rows)) => rows,
            (connection, Started::Long(rows, unread)) => Tail::attach(rows, connection, unread),
        })
    }

    /// (open, idle, waiting): connections, connections, requests; for metrics.
    pub fn status(&self) -> (usize, usize, usize) {
        self.pool.status()
    }

    /// Closes idle connections now and the others when their requests are done; later requests fail.
    pub fn close(&self) {
        self.pool.close();
    }

    /// The first write, run again where that cannot do anything twice.
    async fn start(&self, work: &Work, ending: Ending) -> Result<(Checkout, Started), Error> {
        let mut connection = self.pool.acquire().await?;
        let (mut reparsed, mut reconnected) = (false, false);
        loop {
            match within(work.patience(), connection.start(work, ending)).await {
                Ok(started) => return Ok((connection, started)),
                // Rolled back as a whole, and the statement is parsed anew now.
                Err(Failure::Stale(_)) if !reparsed => reparsed = true,
                Err(Failure::Stale(error) | Failure::Refused(error)) => return Err(error),
                Err(Failure::Broken(Error::Lost(_))) if work.access == Access::ReadOnly && !reconnected => {
                    reconnected = true;
                    connection.reconnect().await?;
                }
                Err(Failure::Broken(error) | Failure::Silent(error)) => {
                    let may_be_kept = ending == Ending::Commit && work.access == Access::ReadWrite;
                    return Err(if may_be_kept { error } else { nothing_kept(error) });
                }
            }
        }
    }
}

impl Work {
    /// A read-write transaction of `session` at PostgreSQL's default isolation, without anything before the query.
    pub fn new(session: Session, query: Snippet) -> Self {
        Work {
            session,
            access: Access::default(),
            isolation: Isolation::default(),
            before: Vec::new(),
            ahead: None,
            query,
            timeout: None,
            delivery: Delivery::default(),
        }
    }

    /// How its rows can be handed over.
    fn delivery(&self) -> Delivery {
        match (self.access, self.isolation) {
            (Access::ReadWrite, _) | (_, Isolation::Serializable) => Delivery::Whole,
            _ => self.delivery,
        }
    }

    /// The statement that puts session and time-out in force.
    fn settings(&self) -> Option<Snippet> {
        let session = match self.timeout {
            None => Cow::Borrowed(&self.session),
            Some(timeout) => {
                let mut session = self.session.clone();
                // 0 would mean no limit.
                session.set("statement_timeout", timeout.as_millis().max(1).to_string());
                Cow::Owned(session)
            }
        };
        session.statement()
    }

    /// How long the first write may go unanswered.
    fn patience(&self) -> Option<Duration> {
        let others = self.before.len() + usize::from(self.ahead.is_some());
        let statements = u32::try_from(others).unwrap_or(u32::MAX).saturating_add(1);
        self.timeout.map(|timeout| timeout.saturating_mul(statements).saturating_add(Duration::from_secs(2)))
    }
}

/// A connection that broke before COMMIT was sent has rolled back: the outcome is known.
fn nothing_kept(error: Error) -> Error {
    match error {
        Error::Lost(reason) => Error::Unavailable(format!("the connection broke before the commit: {reason}")),
        other => other,
    }
}

async fn within<T>(patience: Option<Duration>, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    match patience {
        None => work.await,
        Some(patience) => match tokio::time::timeout(patience, work).await {
            Ok(result) => result,
            Err(_) => Err(Failure::Silent(Error::Lost(format!("the server was silent for {patience:?}")))),
        },
    }
}

impl<E: std::fmt::Display> std::fmt::Display for LaneFailure<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LaneFailure::Database(error) => error.fmt(f),
            LaneFailure::Judged(verdict) => verdict.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for LaneFailure<E> {}
