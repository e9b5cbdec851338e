//! The pool of connections for everything except the data API's requests: auth, storage and the server itself.

use std::borrow::Cow;
use std::pin::pin;
use std::time::Duration;

use deadpool_postgres::{Connect, Manager, ManagerConfig, PoolError, RecyclingMethod, Runtime, TimeoutType};
use futures_util::future::{self, BoxFuture, Ready};
use futures_util::{FutureExt, TryStreamExt};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio_postgres::types::{ToSql, Type};

use crate::Snippet;
use crate::error::Error;
use crate::session::{self, Access, Isolation, Session};
use crate::target::Target;
use crate::tls;

pub use tokio_postgres::Row;
pub use tokio_postgres::types::Json;

/// Parameters of a statement, in the driver's types.
pub type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Size and time limit of a pool.
#[derive(Clone, Debug)]
pub struct PoolConfig {
    /// The maximum number of connections.
    pub size: usize,
    /// How long a request waits for a free connection before [`Error::Exhausted`].
    pub acquire_timeout: Duration,
}

impl Default for PoolConfig {
    fn default() -> Self {
        PoolConfig { size: 10, acquire_timeout: Duration::from_secs(10) }
    }
}

/// A pool of connections of one database role. Clones share it.
#[derive(Clone)]
pub struct Pool {
    inner: deadpool_postgres::Pool,
}

/// A connection of a [`Pool`], to which it returns when dropped.
pub struct Connection {
    inner: deadpool_postgres::Object,
}

/// An open transaction, rolled back if dropped without [`Transaction::commit`].
pub struct Transaction<'a> {
    inner: &'a deadpool_postgres::Client,
    beginning: Mutex<Beginning>,
    is_open: bool,
}

/// How far the beginning of a transaction is.
enum Beginning {
    /// Nothing has been sent yet.
    Later(String, Session),
    Done,
    /// It failed, or nobody waited for its outcome. Statements would run outside of a transaction.
    Lost,
}

impl Pool {
    /// A pool on `target`. The first [`Pool::get`] opens the first connection.
    ///
    /// Connections belong to the current runtime, whichever thread uses them: a worker's own runtime is busy with requests and
    /// must not drive the sockets of others.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the TLS settings of the target are invalid.
    pub fn new(target: &Target, config: &PoolConfig) -> Result<Self, Error> {
        let manager = Manager::from_connect(
            target.driver_config(),
            OnRuntime { runtime: Handle::current(), tls: target.tls_connector()? },
            ManagerConfig { recycling_method: RecyclingMethod::Fast },
        );
        let inner = deadpool_postgres::Pool::builder(manager)
            .max_size(config.size)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(config.acquire_timeout))
            .create_timeout(Some(config.acquire_timeout))
            .build()
            .map_err(|error| Error::Unavailable(error.to_string()))?;
        Ok(Pool { inner })
    }

    /// A free connection.
    ///
    /// # Errors
    /// [`Error::Exhausted`] after the acquire timeout, [`Error::Unavailable`] if the server cannot be reached.
    pub async fn get(&self) -> Result<Connection, Error> {
        match self.inner.get().await {
            Ok(inner) => Ok(Connection { inner }),
            Err(PoolError::Timeout(TimeoutType::Wait)) => Err(Error::Exhausted),
            Err(PoolError::Timeout(_)) => Err(Error::Unavailable("the connection attempt timed out".to_owned())),
            Err(PoolError::Backend(error)) => Err(match Error::from_driver(error) {
                Error::Lost(text) | Error::Protocol(text) => Error::Unavailable(text),
                other => other,
            }),
            Err(other) => Err(Error::Unavailable(other.to_string())),
        }
    }

    /// The maximum number of connections.
    pub fn capacity(&self) -> usize {
        self.inner.status().max_size
    }

    /// (open, idle, waiting) connections, for metrics.
    pub fn status(&self) -> (usize, usize, usize) {
        let status = self.inner.status();
        (status.size, status.available, status.waiting)
    }

    /// Closes idle connections, because a connection keeps the role's settings of the time of its login.
    pub fn flush(&self) {
        self.inner.retain(|_, _| false);
    }

    /// Closes all connections. Later calls fail.
    pub fn close(&self) {
        self.inner.close();
    }
}

/// Opens connections whose socket and driver belong to the given runtime.
struct OnRuntime {
    runtime: Handle,
    tls: tls::Connector,
}

impl Connect for OnRuntime {
    fn connect(
        &self,
        config: &tokio_postgres::Config,
    ) -> BoxFuture<'_, Result<(tokio_postgres::Client, JoinHandle<()>), tokio_postgres::Error>> {
        let (config, tls) = (config.clone(), self.tls.clone());
        Box::pin(async move {
            let mut connecting = Box::pin(async move { config.connect(tls).await });
            // A socket registers with the runtime in whose context it is polled.
            let (client, driver) = std::future::poll_fn(|context| {
                let _entered = self.runtime.enter();
                connecting.as_mut().poll(context)
            })
            .await?;
            let driving = self.runtime.spawn(async move {
                if let Err(error) = driver.await {
                    tracing::warn!(event = "db_connection_ended", detail = crate::error::source_chain(&error));
                }
            });
            Ok((client, driving))
        })
    }
}

impl Connection {
    /// Executes a dynamic statement with text parameters and returns its rows.
    ///
    /// # Errors
    /// PostgreSQL's error.
    pub async fn rows(&self, statement: &Snippet) -> Result<Vec<Row>, Error> {
        let (text, values) = statement.render();
        let values: Vec<Option<Cow<'_, str>>> =
            values.iter().map(|value| value.as_deref().map(String::from_utf8_lossy)).collect();
        let values: Vec<Option<&str>> = values.iter().map(Option::as_deref).collect();
        let params: Vec<_> = values.iter().map(|value| (value as &(dyn ToSql + Sync), Type::TEXT)).collect();
        self.inner.query_typed(&text, &params).await.map_err(Error::from_driver)
    }

    /// Closes the connection instead of returning it, because server processes keep memory for what they have cached.
    pub fn close(self) {
        drop(deadpool_postgres::Object::take(self.inner));
    }

    /// Begins a transaction with the role and settings of `session`.
    ///
    /// # Errors
    /// PostgreSQL's error, such as an unknown role.
    pub async fn begin(
        &mut self,
        session: &Session,
        isolation: Isolation,
        access: Access,
    ) -> Result<Transaction<'_>, Error> {
        let transaction = self.begin_later(session.clone(), isolation, access);
        transaction.begun().await?;
        Ok(transaction)
    }

    /// A transaction that begins with its first statement, in the same round trip. The errors of [`Self::begin`] are those of that
    /// statement.
    pub fn begin_later(&mut self, session: Session, isolation: Isolation, access: Access) -> Transaction<'_> {
        let beginning = Beginning::Later(session::begin(isolation, access), session);
        Transaction { inner: &self.inner, beginning: Mutex::new(beginning), is_open: true }
    }

    /// Begins a read-write transaction as the connection's own role.
    ///
    /// # Errors
    /// The connection's error.
    pub async fn transaction(&mut self) -> Result<Transaction<'_>, Error> {
        let transaction = Transaction { inner: &self.inner, beginning: Mutex::new(Beginning::Done), is_open: true };
        self.inner.batch_execute("begin").await.map_err(Error::from_driver)?;
        Ok(transaction)
    }
}

impl Transaction<'_> {
    /// Applies the role and settings of another session, until the end of the transaction or a rollback to an earlier savepoint.
    ///
    /// # Errors
    /// PostgreSQL's error, such as an unknown role.
    pub async fn apply(&self, session: &Session) -> Result<(), Error> {
        self.begun().await?;
        session::apply(self.inner, session).await
    }

    /// Executes a dynamic statement with text parameters and returns its rows.
    ///
    /// # Errors
    /// PostgreSQL's error.
    pub async fn rows(&self, statement: &Snippet) -> Result<Vec<Row>, Error> {
        self.begun().await?;
        let (text, values) = statement.render();
        let values: Vec<Option<Cow<'_, str>>> =
            values.iter().map(|value| value.as_deref().map(String::from_utf8_lossy)).collect();
        let values: Vec<Option<&str>> = values.iter().map(Option::as_deref).collect();
        let params: Vec<_> = values.iter().map(|value| (value as &(dyn ToSql + Sync), Type::TEXT)).collect();
        self.inner.query_typed(&text, &params).await.map_err(Error::from_driver)
    }

    /// Executes a dynamic statement and ignores its rows.
    ///
    /// # Errors
    /// PostgreSQL's error.
    pub async fn call(&self, statement: &Snippet) -> Result<(), Error> {
        self.begun().await?;
        let (text, values) = statement.render();
        let values: Vec<Option<Cow<'_, str>>> =
            values.iter().map(|value| value.as_deref().map(String::from_utf8_lossy)).collect();
        session::run(self.inner, &text, values.iter().map(Option::as_deref).collect()).await
    }

    /// Executes dynamic statements without parameters in one round trip. Returns the first value of the last row.
    ///
    /// # Errors
    /// PostgreSQL's error.
    pub async fn script(&self, statements: &Snippet) -> Result<Option<String>, Error> {
        self.begun().await?;
        let (text, _) = statements.render();
        let messages = self.inner.simple_query(&text).await.map_err(Error::from_driver)?;
        let rows = messages.into_iter().filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        Ok(rows.last().and_then(|row| row.get(0).map(str::to_owned)))
    }

    /// Runs statements made at run time, which have no parameters, in one round trip. Gives the first value of every row up to
    /// the first statement that fails, and PostgreSQL's error of that.
    pub async fn answers(&self, statements: &Snippet) -> (Vec<Option<String>>, Result<(), Error>) {
        if let Err(error) = self.begun().await {
            return (Vec::new(), Err(error));
        }
        let (text, _) = statements.render();
        let mut rows = Vec::new();
        let read = async {
            let mut messages = pin!(self.inner.simple_query_raw(&text).await?);
            while let Some(message) = messages.try_next().await? {
                if let tokio_postgres::SimpleQueryMessage::Row(row) = message {
                    rows.push(row.get(0).map(str::to_owned));
                }
            }
            Ok::<(), tokio_postgres::Error>(())
        };
        let read = read.await.map_err(Error::from_driver);
        (rows, read)
    }

    /// Commits.
    ///
    /// # Errors
    /// A violation of a deferred constraint, or [`Error::Lost`] if the outcome is unknown.
    pub async fn commit(mut self) -> Result<(), Error> {
        self.is_open = false;
        if matches!(self.beginning.get_mut(), Beginning::Later(..)) {
            return Ok(());
        }
        self.inner.batch_execute("commit").await.map_err(Error::from_driver)
    }

    /// Rolls back.
    ///
    /// # Errors
    /// The connection's error.
    pub async fn rollback(mut self) -> Result<(), Error> {
        self.is_open = false;
        if matches!(self.beginning.get_mut(), Beginning::Later(..)) {
            return Ok(());
        }
        self.inner.batch_execute("rollback").await.map_err(Error::from_driver)
    }

    /// Begins, unless that has been done. Boxed, because every statement's future contains this one.
    fn begun(&self) -> BoxFuture<'_, Result<(), Error>> {
        let is_done = self.beginning.try_lock().is_ok_and(|beginning| matches!(*beginning, Beginning::Done));
        if is_done { Box::pin(future::ready(Ok(()))) } else { Box::pin(self.begin_now()) }
    }

    async fn begin_now(&self) -> Result<(), Error> {
        let mut beginning = self.beginning.lock().await;
        let (begin, session) = match std::mem::replace(&mut *beginning, Beginning::Lost) {
            Beginning::Later(begin, session) => (begin, session),
            Beginning::Done => {
                *beginning = Beginning::Done;
                return Ok(());
            }
            Beginning::Lost => return Err(Error::Lost("the transaction could not begin".to_owned())),
        };
        // Both statements share a round trip. Settings of `apply` are local to the transaction, so they have no effect if it
        // could not begin.
        let (begun, applied) =
            future::join(self.inner.batch_execute(&begin), session::apply(self.inner, &session)).await;
        begun.map_err(Error::from_driver)?;
        applied?;
        *beginning = Beginning::Done;
        Ok(())
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.is_open && !matches!(self.beginning.get_mut(), Beginning::Later(..)) {
            // The first poll sends the statement. The connection's next statement runs after it, so nothing has to wait for it.
            let _ = self.inner.batch_execute("rollback").now_or_never();
        }
    }
}

/// Constant SQL with typed parameters. Prepared statements are cached per connection.
pub trait Query {
    /// All rows.
    fn query(&self, sql: &'static str, params: Params<'_>) -> impl Future<Output = Result<Vec<Row>, Error>>;
    /// The row, if there is one; more than one is an error.
    fn query_opt(&self, sql: &'static str, params: Params<'_>) -> impl Future<Output = Result<Option<Row>, Error>>;
    /// Exactly one row.
    fn query_one(&self, sql: &'static str, params: Params<'_>) -> impl Future<Output = Result<Row, Error>>;
    /// The number of affected rows.
    fn execute(&self, sql: &'static str, params: Params<'_>) -> impl Future<Output = Result<u64, Error>>;
}

/// Runs a statement behind the beginning of its transaction, in one round trip. If that fails, so does the statement, because the
/// transaction is aborted or the connection is broken.
async fn behind<T>(
    begun: impl Future<Output = Result<(), Error>>,
    run: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, Error> {
    // The first polls send the statements, in this order.
    let (begun, done) = future::join(begun, run).await;
    begun?;
    done.map_err(Error::from_driver)
}

impl Connection {
    /// Statements of a connection need no transaction.
    fn begun(&self) -> Ready<Result<(), Error>> {
        future::ready(Ok(()))
    }
}

macro_rules! impl_query {
    ($($type:ty),*) => {$(
        impl Query for $type {
            async fn query(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
                let run = async { self.inner.query(&self.inner.prepare_cached(sql).await?, params).await };
                behind(self.begun(), run).await
            }
            async fn query_opt(&self, sql: &'static str, params: Params<'_>) -> Result<Option<Row>, Error> {
                let run = async { self.inner.query_opt(&self.inner.prepare_cached(sql).await?, params).await };
                behind(self.begun(), run).await
            }
            async fn query_one(&self, sql: &'static str, params: Params<'_>) -> Result<Row, Error> {
                let run = async { self.inner.query_one(&self.inner.prepare_cached(sql).await?, params).await };
                behind(self.begun(), run).await
            }
            async fn execute(&self, sql: &'static str, params: Params<'_>) -> Result<u64, Error> {
                let run = async { self.inner.execute(&self.inner.prepare_cached(sql).await?, params).await };
                behind(self.begun(), run).await
            }
        }
    )*};
}
impl_query!(Connection, Transaction<'_>);
