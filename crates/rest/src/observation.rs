//! Events of the data API for operators: what goes into the log and the metrics.
//!
//! Source: PostgREST `Observation.hs`, with the same idea: the pipeline reports events, and observers decide what
//! becomes a log line or a metric.

use std::time::Duration;

use gateway::events::{Event, Events};
use pg::lane::PoolEvent;

use crate::{Config, Error};

/// An event.
#[derive(Debug)]
pub enum Observation<'a> {
    /// A connection was opened. Holds PostgreSQL's description of itself.
    Connected {
        /// `PostgreSQL 17.2 on …`
        server: &'a str,
        /// The maximum number of connections.
        pool: usize,
    },
    /// The catalog was loaded and is in use.
    CatalogLoaded {
        /// How long the queries took.
        queried: Duration,
        /// The duration of each kind of query, by upstream's names.
        timings: &'a Timings,
        /// How long building the catalog took.
        built: Duration,
        /// The number of objects of each kind.
        summary: Summary,
    },
    /// The catalog could not be loaded; the old one, if any, stays in use.
    CatalogFailed {
        /// The exposed schemas.
        schemas: &'a [String],
        /// The schemas of `db-extra-search-path`.
        extra: &'a [String],
        /// The failure.
        error: &'a Error,
    },
    /// The next attempt follows after this time.
    Retry(Duration),
    /// There is no further attempt, as configured.
    NoRecovery,
    /// The configuration was reloaded and is in force.
    ConfigReloaded(&'a Config),
    /// The new configuration is invalid; the old one stays in force.
    ConfigRefused(&'a str),
    /// The settings in the database could not be read.
    ConfigUnread(&'a Error),
    /// The role claim key, which is in the deprecated grammar.
    DeprecatedRoleClaim(&'a str),
    /// The listener is connected.
    Listening {
        /// Host and port, or socket folder and port.
        address: &'a str,
        /// `PostgreSQL 17.2 on …`, if known.
        server: &'a str,
        /// The channel.
        channel: &'a str,
    },
    /// The listener is disconnected.
    ListenFailed {
        /// The channel.
        channel: &'a str,
        /// The reason.
        reason: &'a str,
        /// The time until the next attempt.
        retry_in: Duration,
    },
    /// The notification `reload schema` arrived on this channel.
    HeardSchema(&'a str),
    /// The notification `reload config` arrived on this channel.
    HeardConfig(&'a str),
    /// A request could not be answered because there is no catalog yet.
    NoCatalog,
    /// An event of the pool of exclusive connections.
    Pool(PoolEvent),
    /// No connection became free in time.
    PoolTimeout {
        /// The request's id; empty for a server without request ids.
        request_id: &'a str,
    },
    /// A request failed with a status of 500 or higher, because of PostgreSQL, the connection or a bug.
    Fault {
        /// The failure.
        error: &'a Error,
        /// The request's id; empty for a server without request ids.
        request_id: &'a str,
    },
    /// A parameter referred to an embed by name although it has an alias.
    LegacyNames {
        /// The names with their aliases.
        names: &'a [(String, String)],
        /// The request's method.
        method: &'a str,
        /// Its path and query.
        target: &'a str,
    },
    /// The statements of a request, with the status of its response.
    Statements(&'a [String], u16),
}

/// The duration of each kind of catalog query, by upstream's names.
pub type Timings = [(&'static str, Duration); 7];

/// The number of objects in a catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tables and views.
    pub relations: usize,
    /// Relationships between them.
    pub relationships: usize,
    /// Functions.
    pub functions: usize,
    /// Domain representations.
    pub representations: usize,
    /// Media type handlers.
    pub handlers: usize,
}

/// Handles observations.
pub trait Observer: Send + Sync + 'static {
    /// Handles one. Must not block.
    fn observe(&self, observation: Observation<'_>);
}

/// Behind the whole server, the observations become its events.
impl Observer for Events {
    fn observe(&self, observation: Observation<'_>) {
        match observation {
            Observation::CatalogLoaded { queried, built, summary, .. } => self.emit(Event::CatalogLoaded {
                duration: queried + built,
                relations: summary.relations,
                routines: summary.functions,
            }),
            Observation::CatalogFailed { error, .. } => self.emit(Event::CatalogFailed { detail: &error.payload() }),
            Observation::ConfigRefused(problem) => {
                tracing::error!(
                    event = "rest_config",
                    detail = problem,
                    "a setting made in the database cannot be used"
                );
            }
            Observation::ConfigUnread(error) => tracing::error!(event = "rest_config", detail = error.payload()),
            Observation::ListenFailed { reason, .. } => tracing::warn!(event = "listener_ended", detail = reason),
            Observation::Fault { error, request_id } => fault(self, &error.payload(), request_id),
            Observation::PoolTimeout { request_id } => fault(self, &Error::AcquireTimeout.payload(), request_id),
            _ => {}
        }
    }
}

/// Clients find the request's id in `X-Request-Id`, because PostgREST's responses have no field for an error id.
fn fault(events: &Events, detail: &str, request_id: &str) {
    events.emit(Event::Fault { error_id: request_id, service: "rest", location: "the data API's database", detail });
}
