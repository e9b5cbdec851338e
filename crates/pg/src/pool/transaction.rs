//! Transactions of a pool's connections.

use std::borrow::Cow;
use std::pin::pin;

use deadpool_postgres::Client;
use futures_util::future::{self, BoxFuture};
use futures_util::{FutureExt, TryStreamExt};
use tokio::sync::Mutex;
use tokio::task::unconstrained;
use tokio_postgres::types::{ToSql, Type};

use super::{Params, Query, Row};
use crate::Snippet;
use crate::error::Error;
use crate::session::{self, Session};

/// An open transaction, rolled back if dropped without [`Transaction::commit`].
pub struct Transaction<'a> {
    inner: &'a Client,
    beginning: Mutex<Beginning>,
    is_open: bool,
}

const NOT_BEGUN: &str = "the transaction could not begin";

/// How far the beginning of a transaction is.
enum Beginning {
    /// Nothing has been sent yet.
    Later(String, Session),
    Done,
    /// It failed, or nobody waited for its outcome. Statements would run outside of a transaction.
    Lost,
}

impl<'a> Transaction<'a> {
    /// One that begins with its first statement.
    pub(super) fn later(inner: &'a Client, begin: String, session: Session) -> Self {
        Transaction { inner, beginning: Mutex::new(Beginning::Later(begin, session)), is_open: true }
    }

    /// One whose BEGIN the caller sends.
    pub(super) fn begun_already(inner: &'a Client) -> Self {
        Transaction { inner, beginning: Mutex::new(Beginning::Done), is_open: true }
    }

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
        match self.beginning.get_mut() {
            Beginning::Later(..) => return Ok(()),
            Beginning::Lost => return self.rollback().await.and(Err(Error::Lost(NOT_BEGUN.to_owned()))),
            Beginning::Done => {}
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
    pub(super) fn begun(&self) -> BoxFuture<'_, Result<(), Error>> {
        let is_done = self.beginning.try_lock().is_ok_and(|beginning| matches!(*beginning, Beginning::Done));
        if is_done { Box::pin(future::ready(Ok(()))) } else { Box::pin(self.begin_now()) }
    }

    async fn begin_now(&self) -> Result<(), Error> {
        // Without tokio's budget, so that the first poll sends BEGIN, ahead of the statement behind it.
        let mut beginning = unconstrained(self.beginning.lock()).await;
        let (begin, session) = match std::mem::replace(&mut *beginning, Beginning::Lost) {
            Beginning::Later(begin, session) => (begin, session),
            Beginning::Done => {
                *beginning = Beginning::Done;
                return Ok(());
            }
            Beginning::Lost => return Err(Error::Lost(NOT_BEGUN.to_owned())),
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

impl Query for Transaction<'_> {
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

/// Runs a statement behind the beginning of its transaction, in one round trip. If the settings cannot be applied, the transaction is
/// aborted, and the statement fails, too.
async fn behind<T>(
    mut begun: impl Future<Output = Result<(), Error>> + Unpin,
    run: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, Error> {
    // The first poll sends BEGIN, or says that there is no transaction any more.
    let sent = future::poll_immediate(&mut begun).await;
    let done = match sent {
        Some(begun) => begun.map(|()| run)?.await,
        None => {
            let (begun, done) = future::join(begun, run).await;
            begun?;
            done
        }
    };
    done.map_err(Error::from_driver)
}
