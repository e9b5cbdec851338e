//! Keeps the catalog current: loads it, listens for announcements, loads again.
//!
//! Announcements that come close together or during a load cause one more load, however many they are. Requests go on with
//! the old catalog; a failed load leaves it in place.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use gateway::events::Event as Happened;
use pg::listen::{Event, listen};
use pg::pool::Connection;
use pg::{Access, Ident, Isolation, Session};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout, timeout_at};

use super::rows::{self, Rows};
use super::{Catalog, load, settings};
use crate::config::Config;
use crate::repeat::Repeats;
use crate::{Rest, State};

/// Delay after the first failure; it doubles up to [`MAX_DELAY`].
const FIRST_DELAY: Duration = Duration::from_secs(1);
const MAX_DELAY: Duration = Duration::from_secs(32);

/// How long no announcement may come before a load begins: one migration announces itself many times.
const QUIET: Duration = Duration::from_millis(50);
/// How long a load waits for quiet at most.
const LONGEST_WAIT: Duration = Duration::from_millis(400);

/// A load that takes longer has failed.
const LOAD_TIMEOUT: Duration = Duration::from_secs(120);
/// The same for each of its statements: the role's own limit is meant for requests.
const STATEMENT_TIMEOUT: &str = "60s";

/// How often it is looked whether anybody still uses the catalog that was replaced.
const LAST_READER_INTERVAL: Duration = Duration::from_millis(100);

/// Runs for as long as it is polled.
///
/// # Errors
/// Only when the target's TLS settings cannot be used.
pub(crate) async fn watch(rest: &Rest) -> Result<Infallible, pg::Error> {
    let loading = Loader { rest, events: HashMap::new() }.run();
    let channel = [Ident::new(&rest.config.db_channel)];
    let on_event = |event: Event| {
        // What was announced while nobody listened is unknown, so a new connection counts as an announcement.
        let wanted = match event {
            Event::Connected | Event::Reconnected => true,
            Event::Notification { payload, .. } => matches!(payload.as_str(), "" | "reload schema" | "reload config"),
        };
        if wanted {
            rest.reload.notify_one();
        }
    };
    if !rest.config.db_channel_enabled {
        return Ok(loading.await);
    }
    tokio::select! {
        never = loading => Ok(never),
        failed = listen(&rest.target, &channel, on_event) => failed,
    }
}

struct Loader<'a> {
    rest: &'a Rest,
    /// What could be done to views and foreign tables when that was last asked, by OID.
    events: HashMap<u32, i32>,
}

/// Whether everything could be seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    /// Somebody was changing a view: what is known of it may be out of date.
    Partial,
}

impl Loader<'_> {
    async fn run(mut self) -> Infallible {
        if self.rest.config.db_channel_enabled {
            // Whoever listens before he looks need not look twice.
            let _ = timeout(QUIET, self.rest.reload.notified()).await;
        }
        let mut delay = FIRST_DELAY;
        loop {
            match self.load().await {
                Ok(Extent::Whole) => {
                    delay = FIRST_DELAY;
                    self.rest.reload.notified().await;
                    self.quiet().await;
                    continue;
                }
                Ok(Extent::Partial) => {}
                Err(error) => {
                    self.rest.events.emit(Happened::CatalogFailed { detail: &error.to_string() });
                    self.rest.retry_after.store(delay.as_secs(), Ordering::Relaxed);
                }
            }
            // An announcement may be the end of what was in the way.
            let _ = timeout(delay, self.rest.reload.notified()).await;
            delay = (delay * 2).min(MAX_DELAY);
        }
    }

    /// Waits until announcements pause.
    async fn quiet(&self) {
        let latest = tokio::time::Instant::now() + LONGEST_WAIT;
        while timeout_at(latest.min(tokio::time::Instant::now() + QUIET), self.rest.reload.notified()).await.is_ok() {}
    }

    async fn load(&mut self) -> Result<Extent, pg::Error> {
        let started = Instant::now();
        let mut connection = self.rest.pool.get().await?;
        let read = timeout(LOAD_TIMEOUT, self.read(&mut connection)).await;
        // It has seen every table, and PostgreSQL would remember each for as long as the connection lives.
        connection.close();
        let (state, extent) = read.map_err(|_| pg::Error::Unavailable("loading took too long".to_owned()))??;
        self.rest.events.emit(Happened::CatalogLoaded {
            duration: started.elapsed(),
            relations: state.catalog.tables.len(),
            routines: state.catalog.routines.len(),
        });
        if let Some(old) = self.rest.state.swap(Some(Arc::new(state))) {
            tokio::spawn(drop_when_unused(old));
        }
        Ok(extent)
    }

    /// Configuration, role settings and catalog, as they are at one moment.
    async fn read(&mut self, connection: &mut Connection) -> Result<(State, Extent), pg::Error> {
        let mut session = Session::of_connection();
        // Without a search path PostgreSQL shows every type with its schema.
        session.set("search_path", "").set("statement_timeout", STATEMENT_TIMEOUT);
        // One processor, and no machine code: compiling it takes longer than the queries.
        session.set("jit", "off").set("max_parallel_workers_per_gather", "0");
        let transaction = connection.begin(&session, Isolation::RepeatableRead, Access::ReadOnly).await?;
        let mut config = self.rest.config.clone();
        if config.db_config {
            config = with_settings(config, settings::in_database(&transaction).await?);
        }
        let roles = settings::RoleSettings::load(&transaction).await?;
        let rows = Rows::read(&transaction, &config).await?;
        transaction.commit().await?;
        let asked = load::relations_to_ask(&rows);
        let told = rows::updatable(connection, &asked).await?;
        let extent = if asked.iter().all(|oid| told.contains_key(oid)) { Extent::Whole } else { Extent::Partial };
        let before = std::mem::take(&mut self.events);
        self.events = asked.iter().filter_map(|oid| Some((*oid, *told.get(oid).or(before.get(oid))?))).collect();
        let events = self.events.clone();
        // Not on a thread that others' connections are waiting for.
        let built = spawn_blocking(move || load::build(rows, &events, &config).map(|catalog| (config, catalog))).await;
        let (config, catalog): (Config, Catalog) = built.map_err(|error| pg::Error::Protocol(error.to_string()))??;
        Ok((State { config, catalog, roles, repeats: Repeats::default() }, extent))
    }
}

/// Taking a large catalog apart takes a while, so that must not be left to the last request that uses it.
async fn drop_when_unused(old: Arc<State>) {
    while Arc::strong_count(&old) > 1 {
        sleep(LAST_READER_INTERVAL).await;
    }
    drop(spawn_blocking(move || drop(old)));
}

/// Settings made in the database; those that cannot be used are logged and passed over.
fn with_settings(config: Config, found: Vec<(String, String)>) -> Config {
    match config.clone().with(found) {
        Ok(config) => config,
        Err(problems) => {
            for problem in problems {
                tracing::error!(%problem, "a setting made in the database cannot be used");
            }
            config
        }
    }
}
