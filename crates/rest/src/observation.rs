//! What an operator may want to know of the data API, apart from its answers.
//!
//! Source: PostgREST `Observation.hs`, which is the same idea: the pipeline tells, others decide what becomes a line or a
//! number.

use std::time::Duration;

use gateway::events::{Event, Events};
use pg::lane::PoolEvent;

use crate::{Config, Error};

/// Something that happened.
#[derive(Debug)]
pub enum Observation<'a> {
    /// A connection was made; PostgreSQL's own description of itself.
    Connected {
        /// `PostgreSQL 17.2 on …`
        server: &'a str,
        /// Connections at most.
        pool: usize,
    },
    /// The catalog was read from the database and is in use.
    CatalogLoaded {
        /// How long the queries took.
        queried: Duration,
        /// Of them, how long each kind of thing took, by upstream's names.
        timings: &'a Timings,
        /// How long the rest took.
        built: Duration,
        /// How many things there are of each kind.
        summary: Summary,
    },
    /// The catalog could not be read; the old one, if any, stays in use.
    CatalogFailed {
        /// The schemas it was to be read for.
        schemas: &'a [String],
        /// Those behind them in the search path.
        extra: &'a [String],
        /// Why.
        error: &'a Error,
    },
    /// The database is tried again after this long.
    Retry(Duration),
    /// The database is not tried again, as configured.
    NoRecovery,
    /// The configuration was read again and is in force.
    ConfigReloaded(&'a Config),
    /// It was read again and cannot be used; the old one stays in force.
    ConfigRefused(&'a str),
    /// The settings made in the database could not be read.
    ConfigUnread(&'a Error),
    /// The role claim key is in the older grammar; holds the key.
    DeprecatedRoleClaim(&'a str),
    /// Announcements are listened to.
    Listening {
        /// Host and port, or socket folder and port.
        address: &'a str,
        /// `PostgreSQL 17.2 on …`, where it is known.
        server: &'a str,
        /// The channel.
        channel: &'a str,
    },
    /// They are not, for now.
    ListenFailed {
        /// The channel.
        channel: &'a str,
        /// Why.
        reason: &'a str,
        /// When it is tried again.
        retry_in: Duration,
    },
    /// `reload schema` was announced on this channel.
    HeardSchema(&'a str),
    /// `reload config` was announced on this channel.
    HeardConfig(&'a str),
    /// There was no catalog to answer a request with.
    NoCatalog,
    /// Something happened to a connection that requests have for themselves.
    Pool(PoolEvent),
    /// No connection became free in time.
    PoolTimeout {
        /// The request's; empty where requests have none.
        request_id: &'a str,
    },
    /// PostgreSQL, the way to it or a defect made a request fail with a status from 500 on.
    Fault {
        /// Why.
        error: &'a Error,
        /// The request's; empty where requests have none.
        request_id: &'a str,
    },
    /// A filter named an embed by its own name although it has an alias.
    LegacyNames {
        /// Those names with their aliases.
        names: &'a [(String, String)],
        /// The request's method.
        method: &'a str,
        /// Its path and query.
        target: &'a str,
    },
    /// What was run for a request that was answered with this status.
    Statements(&'a [String], u16),
}

/// How long the queries for each kind of thing in the catalog took, by upstream's names.
pub type Timings = [(&'static str, Duration); 7];

/// How much a catalog holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tables and views.
    pub relations: usize,
    /// Relationships among them.
    pub relationships: usize,
    /// Functions.
    pub functions: usize,
    /// Domain representations.
    pub representations: usize,
    /// Handlers of media types.
    pub handlers: usize,
}

/// Decides what an observation becomes.
pub trait Observer: Send + Sync + 'static {
    /// Takes one in. Must not block.
    fn observe(&self, observation: Observation<'_>);
}

/// Where the data API is one service among others its observations are events like theirs.
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

/// The client has the request's id in `X-Request-Id`: PostgREST's answers have no place for an id of the error.
fn fault(events: &Events, detail: &str, request_id: &str) {
    events.emit(Event::Fault { error_id: request_id, service: "rest", location: "the data API's database", detail });
}
