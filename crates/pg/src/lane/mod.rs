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

mod batch;
mod channel_binding;
mod connect;
mod connection;
mod error_response;
mod exclusive;
mod hot;
mod rows;
mod shapes;
mod silence;
mod startup;
mod statements;
mod tail;
mod watch;
mod wire;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use self::connection::{Failure, Started};
use self::exclusive::{Checkout, Pool};
use self::hot::HotLane;
pub use self::rows::{Column, Row, Rows};
use self::shapes::Shapes;
pub use self::tail::{Pace, Tail};
pub use self::watch::{PoolEvent, PoolWatch, Termination};
use crate::session::{Access, Isolation, Session, Verdict};
use crate::target::Target;
use crate::{BoundSql, Error, Snippet};

/// A bounded pool of connections that run one transaction a request, and a few that fast reads share. Cloning shares it.
#[derive(Clone)]
pub struct Lane {
    pool: Arc<Pool>,
    hot: Option<Arc<HotLane>>,
    shapes: Arc<Shapes>,
    lanes: Lanes,
}

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

/// What is known beforehand of how long a query takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cost {
    /// It must not share a connection: it has effects outside its transaction, or may take any time.
    #[default]
    Alone,
    /// Nothing; its last runs will tell.
    Unknown,
    /// It looks rows up by a unique key.
    ByKey,
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
    pub query: BoundSql,
    /// What is known of the query, for [`Lane::read`].
    pub cost: Cost,
    /// How the rows are handed over.
    pub delivery: Delivery,
    /// Whether only a part of the connections is for it: [`LaneConfig::guests`].
    pub is_guest: bool,
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

impl Work {
    /// A read-write transaction of `session` at PostgreSQL's default isolation, without anything before the query.
    pub fn new(session: Session, query: impl Into<BoundSql>) -> Self {
        Work {
            session,
            access: Access::default(),
            isolation: Isolation::default(),
            before: Vec::new(),
            ahead: None,
            query: query.into(),
            cost: Cost::default(),
            delivery: Delivery::default(),
            is_guest: false,
        }
    }

    /// How its rows can be handed over.
    fn delivery(&self) -> Delivery {
        match (self.access, self.isolation) {
            (Access::ReadWrite, _) | (_, Isolation::Serializable) => Delivery::Whole,
            _ => self.delivery,
        }
    }

    /// Whether it may run beside others in an implicit transaction.
    fn may_share(&self) -> bool {
        let is_plain = self.before.is_empty() && self.ahead.is_none();
        let reads = self.access == Access::ReadOnly && self.isolation == Isolation::ReadCommitted;
        is_plain && reads && self.cost != Cost::Alone
    }
}

/// A connection that broke before COMMIT was sent has rolled back: the outcome is known.
fn nothing_kept(error: Error) -> Error {
    match error {
        Error::Lost(reason) => Error::Broken(reason),
        other => other,
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
