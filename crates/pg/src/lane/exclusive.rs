//! The exclusive lane's pool: each connection serves one request at a time.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, timeout_at};

use super::LaneConfig;
use super::connect::{Address, ConnectError, Endpoint, Retry};
use super::connection::{Connection, State};
use super::startup::Startup;
use super::statements::Statements;
use super::tail::Pace;
use super::wire::Wire;
use crate::Error;
use crate::target::Target;

/// How long to wait before a server that is starting is tried again.
const RETRY_EVERY: Duration = Duration::from_millis(25);

pub(super) struct Pool {
    endpoint: Arc<Endpoint>,
    config: LaneConfig,
    /// One permit a connection; waiters are served in the order they came.
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
    open: Arc<AtomicUsize>,
    waiting: AtomicUsize,
    closed: AtomicBool,
    /// Counts the flushes: a connection of an earlier generation is not used again.
    generation: AtomicU64,
}

/// A connection in the hands of one request. Dropped between transactions it goes back to the pool; dropped at any other
/// moment, because the client went away, what it does is cancelled and the connection closed.
pub(super) struct Checkout {
    pool: Arc<Pool>,
    connection: Option<Connection>,
    // After `connection`: the permit is free when the connection is back.
    _permit: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(target: &Target, config: &LaneConfig) -> Result<Self, Error> {
        Ok(Pool {
            endpoint: Arc::new(Endpoint::new(target)?),
            permits: Arc::new(Semaphore::new(config.size)),
            config: config.clone(),
            idle: Mutex::default(),
            open: Arc::default(),
            waiting: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            generation: AtomicU64::new(0),
        })
    }

    /// A connection, idle or new.
    pub(super) async fn acquire(self: &Arc<Self>) -> Result<Checkout, Error> {
        let deadline = Instant::now() + self.config.acquire_timeout;
        let waiting = Waiting::new(&self.waiting);
        let permit = match timeout_at(deadline, self.permits.clone().acquire_owned()).await {
            Ok(Ok(permit)) => permit,
            Ok(Err(_)) => return Err(closed()),
            Err(_) => return Err(Error::Exhausted),
        };
        drop(waiting);
        let mut checkout = Checkout { pool: self.clone(), connection: self.take_idle(), _permit: permit };
        if checkout.connection.is_none() {
            checkout.connection = Some(self.connect(deadline).await?);
        }
        Ok(checkout)
    }

    /// (open, idle, waiting)
    pub(super) fn status(&self) -> (usize, usize, usize) {
        (self.open.load(Ordering::Relaxed), self.idle().len(), self.waiting.load(Ordering::Relaxed))
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.permits.close();
        let idle = std::mem::take(&mut *self.idle());
        idle.into_iter().for_each(Connection::terminate);
    }

    /// Idle connections are closed, the others when their requests are done.
    pub(super) fn flush(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        let idle = std::mem::take(&mut *self.idle());
        idle.into_iter().for_each(Connection::terminate);
    }

    /// The connection used last, so that those not needed grow old, without those the server has left. Below it lie those
    /// that have been idle for longer: when it is too old, they are, too.
    fn take_idle(&self) -> Option<Connection> {
        loop {
            let mut connection = self.idle().pop()?;
            if connection.used.0.elapsed() >= self.config.max_idle {
                connection.terminate();
            } else if connection.is_alive() {
                return Some(connection);
            }
        }
    }

    fn give_back(&self, mut connection: Connection) {
        connection.used.0 = Instant::now().into_std();
        let mut idle = self.idle();
        // Looked at under the lock: `close` and `flush` either see this connection among the idle ones or are seen here.
        let is_stale = self.closed.load(Ordering::SeqCst)
            || connection.used.1 != self.generation.load(Ordering::SeqCst)
            || connection.born.elapsed() >= self.config.max_lifetime;
        if is_stale {
            connection.terminate();
        } else {
            idle.push(connection);
        }
    }

    /// How long a request waits for a connection.
    pub(super) fn acquire_timeout(&self) -> Duration {
        self.config.acquire_timeout
    }

    /// How long a connection is used.
    pub(super) fn max_lifetime(&self) -> Duration {
        self.config.max_lifetime
    }

    /// A new connection; a server that is starting or restarting is tried until `deadline`.
    pub(super) async fn connect(&self, deadline: Instant) -> Result<Connection, Error> {
        let mut last = "no attempt was finished in time".to_owned();
        loop {
            match timeout_at(deadline, self.connect_somewhere()).await {
                Ok(Ok(connection)) => return Ok(connection),
                Ok(Err(error)) if error.retry == Retry::Never => return Err(Error::Unavailable(error.reason)),
                Ok(Err(error)) => last = error.reason,
                Err(_) => return Err(Error::Unavailable(last)),
            }
            if Instant::now() + RETRY_EVERY >= deadline {
                return Err(Error::Unavailable(last));
            }
            if self.closed.load(Ordering::SeqCst) {
                return Err(closed());
            }
            sleep(RETRY_EVERY).await;
        }
    }

    /// Tries every address once.
    async fn connect_somewhere(&self) -> Result<Connection, ConnectError> {
        let mut failure = ConnectError::never("the database URL names no host");
        for address in self.endpoint.addresses() {
            match self.connect_to(address).await {
                Ok(connection) => return Ok(connection),
                // One address that may do better soon is reason enough to try all of them again.
                Err(error) if failure.retry == Retry::Soon && error.retry == Retry::Never => {}
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    async fn connect_to(&self, address: Address) -> Result<Connection, ConnectError> {
        let open = Open::new(&self.open);
        let generation = self.generation.load(Ordering::SeqCst);
        let opened = self.endpoint.open(&address).await?;
        let mut wire = Wire::new(opened.stream, self.config.max_answer);
        let config = &self.endpoint.config;
        let startup = Startup { wire: &mut wire, config, address: &address, end_point: opened.end_point };
        let key = startup.run().await?;
        let mut connection = Connection::new(wire, Statements::new(self.config.statement_cache), address, key, open);
        connection.used.1 = generation;
        Ok(connection)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Checkout {
    /// How slowly an answer in pieces may be taken.
    pub(super) fn pace(&self) -> Pace {
        self.pool.config.pace
    }

    /// Throws the connection away and makes a new one.
    pub(super) async fn reconnect(&mut self) -> Result<(), Error> {
        self.connection = None;
        self.connection = Some(self.pool.connect(Instant::now() + self.pool.config.acquire_timeout).await?);
        Ok(())
    }
}

const OCCUPIED: &str = "a checkout holds a connection except while it reconnects, when nobody else can reach it";

impl Deref for Checkout {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect(OCCUPIED)
    }
}

impl DerefMut for Checkout {
    fn deref_mut(&mut self) -> &mut Connection {
        self.connection.as_mut().expect(OCCUPIED)
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        match (connection.state(), connection.key) {
            (State::Idle, _) => self.pool.give_back(connection),
            // The server rolls back by itself when the connection closes.
            (State::InTransaction, _) | (State::Busy, None) => connection.terminate(),
            // A server that is busy looks at its socket only when it has something to say.
            (State::Busy, Some(key)) => {
                if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                    let endpoint = self.pool.endpoint.clone();
                    let address = connection.address.clone();
                    runtime.spawn(async move { endpoint.cancel(&address, key).await });
                }
            }
        }
    }
}

/// Counts the connections of a pool.
pub(super) struct Open(Arc<AtomicUsize>);

impl Open {
    pub(super) fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Open(count.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts a waiting request, also when it stops waiting because the client went away.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn closed() -> Error {
    Error::Unavailable("the server is shutting down".to_owned())
}
