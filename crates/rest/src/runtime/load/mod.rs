//! Loads the catalog.
//!
//! Notifications that arrive close together or during a load cause a single further load. Meanwhile requests use the
//! old catalog, and a failed load leaves it in place.

mod build;
mod keys;
mod node_tree;
mod rows;
mod views;

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use pg::pool::{Connection, Query};
use pg::{Access, Isolation, Session};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout, timeout_at};

use super::reload;
use super::rest::Rest;
use super::status::Status;
use super::watch_error::WatchError;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::observation::{Observation, Summary, Timings};
use rows::Rows;

/// Delay after the first failure; it doubles up to [`MAX_DELAY`].
const FIRST_DELAY: Duration = Duration::from_secs(1);
const MAX_DELAY: Duration = Duration::from_secs(32);

/// How long notifications must pause before a load begins: one migration sends many.
const QUIET: Duration = Duration::from_millis(50);
/// The longest time that a load waits for such a pause.
const LONGEST_WAIT: Duration = Duration::from_millis(400);

/// A load that takes longer counts as failed.
const LOAD_TIMEOUT: Duration = Duration::from_secs(120);
/// The limit for each statement of a load: the role's own limit is meant for requests.
const STATEMENT_TIMEOUT: &str = "60s";

/// SQLSTATE `invalid_password`: retrying needs another password.
const INVALID_PASSWORD: &str = "28P01";

/// How often to check whether a replaced catalog is still in use.
const LAST_READER_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) struct Loader<'a> {
    rest: &'a Rest,
    /// The possible commands on views and foreign tables, by OID, as of the last successful check.
    events: HashMap<u32, i32>,
}

/// Whether the load saw everything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    /// A view was locked by a concurrent change, so the information about it may be stale.
    Partial,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(rest: &'a Rest) -> Self {
        Loader { rest, events: HashMap::new() }
    }

    /// Loads the catalog now and after each request for a reload.
    pub(crate) async fn run(mut self) -> Result<Infallible, WatchError> {
        if self.rest.config().db_channel_enabled {
            // LISTEN first, so that the initial load need not be repeated.
            let _ = timeout(QUIET, self.rest.wanted_catalog.notified()).await;
        }
        let mut delay = FIRST_DELAY;
        loop {
            match self.load().await? {
                Ok(Extent::Whole) => {
                    delay = FIRST_DELAY;
                    self.rest.wanted_catalog.notified().await;
                    self.quiet().await;
                    continue;
                }
                Ok(Extent::Partial) => {}
                Err(failure) => {
                    self.rest.status.set(Status::Pending);
                    if let Some(ended) = self.is_final(&failure) {
                        return Err(ended);
                    }
                    self.rest.observer.observe(Observation::Retry(delay));
                    self.rest.retry_after.store(delay.as_secs(), Ordering::Relaxed);
                }
            }
            // A notification may mean that the cause of the failure is gone.
            let _ = timeout(delay, self.rest.wanted_catalog.notified()).await;
            delay = (delay * 2).min(MAX_DELAY);
        }
    }

    /// Waits until notifications pause.
    async fn quiet(&self) {
        let latest = tokio::time::Instant::now() + LONGEST_WAIT;
        while timeout_at(latest.min(tokio::time::Instant::now() + QUIET), self.rest.wanted_catalog.notified())
            .await
            .is_ok()
        {}
    }

    fn is_final(&self, failure: &pg::Error) -> Option<WatchError> {
        if failure.database().is_some_and(|error| error.code == INVALID_PASSWORD) {
            return Some(WatchError::Authentication(Error::of_load(failure).payload()));
        }
        if !self.rest.config().db_pool_automatic_recovery {
            self.rest.observer.observe(Observation::NoRecovery);
            return Some(WatchError::NoRecovery);
        }
        None
    }

    /// Loads the configuration, then the catalog for it.
    ///
    /// # Errors
    /// [`WatchError::Version`]; all other failures are temporary.
    async fn load(&mut self) -> Result<Result<Extent, pg::Error>, WatchError> {
        // Connections keep the role settings of the time when they were opened.
        self.rest.pool.flush();
        let failed = |failure: &pg::Error| {
            let config = self.rest.config();
            self.rest.observer.observe(Observation::CatalogFailed {
                schemas: &config.db_schemas,
                extra: &config.db_extra_search_path,
                error: &Error::of_load(failure),
            });
        };
        match reload::meet(self.rest).await.inspect_err(failed) {
            Ok(None) => {}
            Ok(Some(too_old)) => return Err(WatchError::Version(too_old)),
            Err(failure) => return Ok(Err(failure)),
        }
        if self.rest.config().db_config {
            reload::config(self.rest).await;
        }
        let started = Instant::now();
        let read = timeout(LOAD_TIMEOUT, read(self.rest, &mut self.events)).await;
        let read = read.unwrap_or_else(|_| Err(pg::Error::Unavailable("loading took too long".to_owned())));
        let Read { catalog, extent, queried, timings } = match read.inspect_err(failed) {
            Ok(read) => read,
            Err(failure) => return Ok(Err(failure)),
        };
        let summary = summary(&catalog);
        if let Some(old) = self.rest.publish(Some(Arc::new(catalog))) {
            tokio::spawn(drop_when_unused(old));
        }
        // Cached statements and catalog entries of the connections refer to the old catalog.
        self.rest.lanes.iter().for_each(pg::Lane::flush);
        self.rest.observer.observe(Observation::CatalogLoaded {
            queried,
            timings: &timings,
            built: started.elapsed() - queried,
            summary,
        });
        self.rest.status.set(Status::Loaded);
        Ok(Ok(extent))
    }
}

impl Rest {
    /// Loads the catalog once and returns it as JSON for people to read.
    ///
    /// # Errors
    /// The sentence to end the process with.
    pub async fn read_schema_cache_once(&self) -> Result<String, String> {
        let read = read(self, &mut HashMap::new()).await;
        read.map(|read| read.catalog.dump().to_string()).map_err(|failure| Error::of_load(&failure).payload())
    }
}

/// The result of a load, with its timings.
struct Read {
    catalog: Catalog,
    extent: Extent,
    /// The duration of all queries.
    queried: Duration,
    timings: Timings,
}

async fn read(rest: &Rest, events: &mut HashMap<u32, i32>) -> Result<Read, pg::Error> {
    let started = Instant::now();
    let mut connection = rest.pool.get().await?;
    let read = read_with(rest, events, &mut connection, started).await;
    // This connection has read every table's metadata, which PostgreSQL would cache for the life of the connection.
    connection.close();
    read
}

async fn read_with(
    rest: &Rest,
    known: &mut HashMap<u32, i32>,
    connection: &mut Connection,
    started: Instant,
) -> Result<Read, pg::Error> {
    let config = rest.config();
    if let Some(milliseconds) = config.internal_schema_cache_query_sleep {
        let transaction = connection.transaction().await?;
        let seconds = f64::from(milliseconds) / 1000.0;
        transaction.query("select pg_sleep($1)", &[&seconds]).await?;
        transaction.commit().await?;
    }
    let mut session = Session::of_connection();
    // With an empty search path PostgreSQL prints every type with its schema.
    session.set("search_path", "").set("statement_timeout", STATEMENT_TIMEOUT);
    // No parallel workers and no JIT: compiling would take longer than the queries.
    session.set("jit", "off").set("max_parallel_workers_per_gather", "0");
    let transaction = connection.begin(&session, Isolation::RepeatableRead, Access::ReadOnly).await?;
    if rest.sources.is_some() {
        let schemas: Vec<&String> = config.db_schemas.iter().chain(&config.db_extra_search_path).collect();
        transaction.query(include_str!("queries/schemas.sql"), &[&schemas]).await?;
    }
    let rows = Rows::read(&transaction, &config).await?;
    transaction.commit().await?;
    let asked = build::relations_to_ask(&rows);
    let told = rows::updatable(connection, &asked).await?;
    let queried = started.elapsed();
    let extent = if asked.iter().all(|oid| told.contains_key(oid)) { Extent::Whole } else { Extent::Partial };
    let before = std::mem::take(known);
    *known = asked.iter().filter_map(|oid| Some((*oid, *told.get(oid).or(before.get(oid))?))).collect();
    let (events, timings) = (known.clone(), rows.timings);
    // On a blocking thread, because building takes long and connections are driven on this one.
    let built = spawn_blocking(move || build::build(rows, &events, &config)).await;
    let catalog = built.map_err(|error| pg::Error::Protocol(error.to_string()))??;
    Ok(Read { catalog, extent, queried, timings })
}

/// Dropping a large catalog takes a while, so the last request that uses it must not do it.
async fn drop_when_unused(old: Arc<Catalog>) {
    while Arc::strong_count(&old) > 1 {
        sleep(LAST_READER_INTERVAL).await;
    }
    drop(spawn_blocking(move || drop(old)));
}

fn summary(catalog: &Catalog) -> Summary {
    Summary {
        relations: catalog.tables.len(),
        relationships: catalog.relationships.values().map(Vec::len).sum(),
        functions: catalog.routines.values().map(Vec::len).sum(),
        representations: catalog.representations.len(),
        handlers: catalog.handlers.len(),
    }
}
