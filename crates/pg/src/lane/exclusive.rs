//! The exclusive lane's pool: each connection serves one request at a time.

use std::future::poll_fn;
use std::ops::{Deref, DerefMut};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, timeout_at};

use super::config::{LaneConfig, Pace};
use super::connect::{Address, ConnectError, Endpoint, Retry};
use super::connection::{Connection, State};
use super::open::Open;
use super::others::Others;
use super::silence::Server;
use super::startup::Startup;
use super::statements::Statements;
use super::watch::{PoolEvent, Termination};
use super::wire::Wire;
use crate::error::Error;
use crate::target::Target;

/// Delay before a failed connection attempt is repeated; it doubles each time.
const RETRY_FIRST: Duration = Duration::from_millis(25);
/// How long attempts are repeated.
const RETRY_FOR: Duration = Duration::from_secs(1);

pub(super) struct Pool {
    endpoint: Arc<Endpoint>,
    config: LaneConfig,
    /// One permit per connection. Waiters are served in order.
    permits: Arc<Semaphore>,
    /// One permit per guest that may hold or wait for a connection.
    guests: Arc<Semaphore>,
    /// Further permits for guests while nobody else uses the pool. They leave one connection to the first of the others, besides
    /// those that the hot lane may take.
    spare: Arc<Semaphore>,
    others: Others,
    idle: Mutex<Vec<Connection>>,
    open: Arc<AtomicUsize>,
    waiting: AtomicUsize,
    closed: AtomicBool,
    /// Number of flushes. Connections of an earlier generation are not reused.
    generation: AtomicU64,
    /// When and why connecting last failed; `None` after a success.
    outage: Mutex<Option<(Instant, String)>>,
    /// One permit per streamed response, so that slow clients cannot hold all connections.
    tails: Arc<Semaphore>,
}

/// A connection in use by one request. If it is dropped outside a transaction, the connection returns to the pool. If it is
/// dropped at another moment, because the client disconnected, the query is cancelled and the connection closed.
pub(super) struct Checkout {
    pool: Arc<Pool>,
    connection: Option<Connection>,
    // Declared after `connection`, so that the permits are released after the connection has returned.
    _permit: OwnedSemaphorePermit,
    _guest: Option<OwnedSemaphorePermit>,
}

impl Pool {
    pub(super) fn new(target: &Target, config: &LaneConfig) -> Result<Self, Error> {
        let guests = config.guests.clamp(1, config.size.max(1));
        let own = config.size - config.hot.min(config.size.saturating_sub(1));
        Ok(Pool {
            endpoint: Arc::new(Endpoint::new(target)?),
            permits: Arc::new(Semaphore::new(config.size)),
            guests: Arc::new(Semaphore::new(guests)),
            spare: Arc::new(Semaphore::new(own.saturating_sub(guests + 1))),
            others: Others::new(),
            tails: Arc::new(Semaphore::new((config.size.saturating_sub(config.hot) / 2).max(1))),
            config: config.clone(),
            idle: Mutex::default(),
            open: Arc::default(),
            waiting: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            generation: AtomicU64::new(0),
            outage: Mutex::default(),
        })
    }

    /// An idle or a new connection. A guest first waits for its permit, so that others wait for few guests only.
    pub(super) async fn acquire(self: &Arc<Self>, is_guest: bool) -> Result<Checkout, Error> {
        let begun = Instant::now();
        let deadline = begun + self.config.acquire_timeout;
        self.tell(PoolEvent::Requested);
        let waiting = Waiting::new(&self.waiting);
        let guest = if is_guest { Some(self.guest(deadline).await?) } else { None };
        let permit = permit(&self.permits, deadline).await?;
        drop(waiting);
        let mut checkout =
            Checkout { pool: self.clone(), connection: self.take_idle(), _permit: permit, _guest: guest };
        if checkout.connection.is_none() {
            // If connecting failed for another request while this one waited, do not try again.
            if let Some((_, reason)) = self.outage().clone().filter(|(since, _)| *since > begun) {
                return Err(Error::Unavailable(reason));
            }
            checkout.connection = Some(self.connect(deadline).await?);
        }
        self.tell(PoolEvent::Used(checkout.number));
        self.tell(PoolEvent::Fulfilled);
        Ok(checkout)
    }

    /// A request that is not a guest uses the pool.
    pub(super) fn others_came(&self) {
        self.others.came(Instant::now());
    }

    /// The permit of a guest. Guests that wait for a spare one leave it unused when others have come meanwhile.
    async fn guest(&self, deadline: Instant) -> Result<OwnedSemaphorePermit, Error> {
        let mut own = pin!(permit(&self.guests, deadline));
        if self.others.are_here(Instant::now()) {
            return own.await;
        }
        let spare = tokio::select! {
            biased;
            permit = &mut own => return permit,
            permit = permit(&self.spare, deadline) => permit?,
        };
        if !self.others.are_here(Instant::now()) {
            return Ok(spare);
        }
        drop(spare);
        own.await
    }

    /// (open, idle, waiting)
    pub(super) fn status(&self) -> (usize, usize, usize) {
        (self.open.load(Ordering::Relaxed), self.idle().len(), self.waiting.load(Ordering::Relaxed))
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.permits.close();
        self.guests.close();
        self.spare.close();
        let idle = std::mem::take(&mut *self.idle());
        idle.into_iter().for_each(|connection| self.end(connection, Termination::Released));
    }

    /// Closes idle connections now, and the others after their requests.
    pub(super) fn flush(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        let idle = std::mem::take(&mut *self.idle());
        idle.into_iter().for_each(|connection| self.end(connection, Termination::Released));
    }

    /// The most recently used connection, so that surplus ones become old. Closed by the server: dropped. Those further down
    /// have been idle for longer, so if this one is too old, they are, too.
    fn take_idle(&self) -> Option<Connection> {
        loop {
            let mut connection = self.idle().pop()?;
            if connection.used.0.elapsed() >= self.config.max_idle {
                self.end(connection, Termination::MaxIdle);
            } else if connection.is_alive() {
                return Some(connection);
            } else {
                self.tell(PoolEvent::Terminated(connection.number, Termination::Broken));
            }
        }
    }

    fn give_back(&self, mut connection: Connection) {
        connection.used.0 = Instant::now().into_std();
        let mut idle = self.idle();
        // Checked under the lock: `close` and `flush` either find this connection among the idle ones or are noticed here.
        if !self.is_current(connection.used.1) {
            self.end(connection, Termination::Released);
        } else if connection.born.elapsed() >= self.config.max_lifetime {
            self.end(connection, Termination::MaxLifetime);
        } else {
            self.tell(PoolEvent::Released(connection.number));
            idle.push(connection);
        }
    }

    /// The maximum lifetime and the maximum idle time.
    pub(super) fn lifetimes(&self) -> (Duration, Duration) {
        (self.config.max_lifetime, self.config.max_idle)
    }

    /// Whether a request waits for a connection.
    pub(super) fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Whether a connection of this generation may be used further.
    pub(super) fn is_current(&self, generation: u64) -> bool {
        !self.closed.load(Ordering::SeqCst) && generation == self.generation.load(Ordering::SeqCst)
    }

    /// Opens a connection. Retries for a second, unless connecting has failed before.
    async fn connect(&self, deadline: Instant) -> Result<Connection, Error> {
        let begun = Instant::now();
        let patience = if self.outage().is_some() { Duration::ZERO } else { RETRY_FOR };
        let mut pause = RETRY_FIRST;
        loop {
            let runtime = self.config.runtime.as_ref();
            let (reason, retry) = match timeout_at(deadline, on(runtime, self.connect_somewhere())).await {
                Ok(Ok(connection)) => {
                    *self.outage() = None;
                    return Ok(connection);
                }
                Ok(Err(error)) => (error.reason, error.retry),
                Err(_) => ("no attempt was finished in time".to_owned(), Retry::Never),
            };
            let next = Instant::now() + pause;
            if retry == Retry::Never || next > deadline.min(begun + patience) {
                *self.outage() = Some((Instant::now(), reason.clone()));
                return Err(Error::Unavailable(reason));
            }
            if self.closed.load(Ordering::SeqCst) {
                return Err(closed());
            }
            sleep(pause).await;
            pause *= 2;
        }
    }

    /// Tries every address once.
    async fn connect_somewhere(&self) -> Result<Connection, ConnectError> {
        let mut failure = ConnectError::never("the database URL names no host");
        for address in self.endpoint.addresses() {
            match self.connect_to(address).await {
                Ok(connection) => return Ok(connection),
                // If one address may work soon, all are tried again.
                Err(error) if failure.retry == Retry::Soon && error.retry == Retry::Never => {}
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    async fn connect_to(&self, address: Address) -> Result<Connection, ConnectError> {
        let (open, number) = (Open::new(&self.open), self.config.watch.number());
        self.tell(PoolEvent::Connecting(number));
        let made = self.connected(address, open, number).await;
        self.tell(match made {
            Ok(_) => PoolEvent::Connected(number),
            Err(_) => PoolEvent::Terminated(number, Termination::Failed),
        });
        made
    }

    async fn connected(&self, address: Address, open: Open, number: u64) -> Result<Connection, ConnectError> {
        let generation = self.generation.load(Ordering::SeqCst);
        let opened = self.endpoint.open(&address).await?;
        let mut wire = Wire::new(opened.stream, self.config.max_answer);
        let config = &self.endpoint.config;
        let startup = Startup { wire: &mut wire, config, address: &address, end_point: opened.end_point };
        let key = startup.run().await?;
        let (statements, tails) = (Statements::new(self.config.statement_cache), self.tails.clone());
        let mut connection = Connection::new(wire, statements, address.into(), key, tails, open);
        connection.used.1 = generation;
        connection.number = number;
        Ok(connection)
    }

    fn tell(&self, event: PoolEvent) {
        self.config.watch.tell(event);
    }

    fn end(&self, connection: Connection, why: Termination) {
        self.tell(PoolEvent::Terminated(connection.number, why));
        connection.terminate();
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn outage(&self) -> MutexGuard<'_, Option<(Instant, String)>> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Checkout {
    /// The minimum speed for a streamed response.
    pub(super) fn pace(&self) -> Pace {
        self.pool.config.pace
    }

    /// The server of this connection.
    pub(super) fn server(&self) -> Server {
        let (endpoint, address) = (self.pool.endpoint.clone(), self.address.clone());
        Server { endpoint, address, patience: self.pool.config.patience }
    }

    /// Removes the connection from the pool. Its place stays occupied until the checkout is dropped.
    pub(super) fn take(&mut self) -> Option<Connection> {
        self.connection.take()
    }

    /// Replaces the connection by a new one.
    pub(super) async fn reconnect(&mut self) -> Result<(), Error> {
        self.connection = None;
        self.connection = Some(self.pool.connect(Instant::now() + self.pool.config.acquire_timeout).await?);
        Ok(())
    }
}

const OCCUPIED: &str = "a checkout has a connection, except during `take` and `reconnect`";

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
            // The server rolls back when the connection closes.
            (State::InTransaction, _) | (State::Busy, None) => self.pool.end(connection, Termination::Broken),
            // A busy server does not notice a closed socket, so its query has to be cancelled.
            (State::Busy, Some(key)) => {
                self.pool.tell(PoolEvent::Terminated(connection.number, Termination::Broken));
                if let Ok(runtime) = Handle::try_current() {
                    let endpoint = self.pool.endpoint.clone();
                    let address = connection.address.clone();
                    runtime.spawn(async move { endpoint.cancel(&address, key).await });
                }
            }
        }
    }
}

/// Counts a waiting request until it is dropped.
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

/// Polls `work` inside `runtime`, so that its sockets belong to that runtime.
async fn on<T>(runtime: Option<&Handle>, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    poll_fn(|cx| {
        let _entered = runtime.map(Handle::enter);
        work.as_mut().poll(cx)
    })
    .await
}

async fn permit(permits: &Arc<Semaphore>, deadline: Instant) -> Result<OwnedSemaphorePermit, Error> {
    match timeout_at(deadline, permits.clone().acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        Ok(Err(_)) => Err(closed()),
        Err(_) => Err(Error::Exhausted),
    }
}

fn closed() -> Error {
    Error::Unavailable("the server is shutting down".to_owned())
}
