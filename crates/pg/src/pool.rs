//! The pool of connections for everything except the data API's requests: auth, storage and the server itself.

mod transaction;

use std::borrow::Cow;
use std::time::Duration;

use deadpool_postgres::{Connect, Manager, ManagerConfig, PoolError, RecyclingMethod, Runtime, TimeoutType};
use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_postgres::types::{ToSql, Type};

use crate::Snippet;
use crate::error::Error;
use crate::session::{self, Access, Isolation, Session};
use crate::target::Target;
use crate::tls;

pub use transaction::Transaction;

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

    /// A transaction that begins with its first statement, in the same round trip, and fails with it. Only for logins without rights of
    /// their own: where BEGIN alone fails, the statement has run as the login.
    pub fn begin_later(&mut self, session: Session, isolation: Isolation, access: Access) -> Transaction<'_> {
        Transaction::later(&self.inner, session::begin(isolation, access), session)
    }

    /// Begins a read-write transaction as the connection's own role.
    ///
    /// # Errors
    /// The connection's error.
    pub async fn transaction(&mut self) -> Result<Transaction<'_>, Error> {
        let transaction = Transaction::begun_already(&self.inner);
        self.inner.batch_execute("begin").await.map_err(Error::from_driver)?;
        Ok(transaction)
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

impl Query for Connection {
    async fn query(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        let statement = self.inner.prepare_cached(sql).await.map_err(Error::from_driver)?;
        self.inner.query(&statement, params).await.map_err(Error::from_driver)
    }
    async fn query_opt(&self, sql: &'static str, params: Params<'_>) -> Result<Option<Row>, Error> {
        let statement = self.inner.prepare_cached(sql).await.map_err(Error::from_driver)?;
        self.inner.query_opt(&statement, params).await.map_err(Error::from_driver)
    }
    async fn query_one(&self, sql: &'static str, params: Params<'_>) -> Result<Row, Error> {
        let statement = self.inner.prepare_cached(sql).await.map_err(Error::from_driver)?;
        self.inner.query_one(&statement, params).await.map_err(Error::from_driver)
    }
    async fn execute(&self, sql: &'static str, params: Params<'_>) -> Result<u64, Error> {
        let statement = self.inner.prepare_cached(sql).await.map_err(Error::from_driver)?;
        self.inner.execute(&statement, params).await.map_err(Error::from_driver)
    }
}
