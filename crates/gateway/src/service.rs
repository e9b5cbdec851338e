//! What a service is to the server that runs it.
//!
//! A service is known by its [`Manifest`], a constant of its crate, and the server keeps a list of these. From there it takes
//! three steps, each a type of its own, so that all bad settings are reported before anything is started:
//! [`Manifest::configure`] reads the settings into a [`Configured`], which starts into a [`Service`].

mod alone;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use pg::bootstrap::ServiceSchema;
use pg::budget::Part;
use pg::{Listener, Pool, PoolConfig, Target};

use crate::events::Events;
use crate::mail::{Mailbox, Post};
use crate::route::{self, Route};
use crate::settings::{Report, Resolved, Setting, Shown};
use crate::{Keys, PublicUrl, Secret, Wire};

pub use alone::{Alone, AloneConfig};
pub use futures_util::future::BoxFuture;

/// What a service is. Everything that lists services reads it.
pub struct Manifest {
    /// `storage`
    pub name: &'static str,
    /// Where it is mounted: `/storage/v1`.
    pub prefix: &'static str,
    /// The role that it logs in as.
    pub login: Login,
    /// The schema that it keeps for itself.
    pub schema: Option<Schema>,
    /// Its part of the connections to the database.
    pub connections: Part,
    /// Its settings, which the server resolves.
    pub settings: &'static [Setting],
    /// Upstream's variables that it reads itself, for the documentation.
    pub variables: &'static [Setting],
    /// Its route tables. Routes hold their handlers, which no constant can; hence a function.
    pub tables: fn() -> Vec<Table>,
    /// Reads its settings. `None` when they switch it off, cannot be used, or when there is nothing to run: a schema only.
    pub configure: fn(&Resolved, &mut Report) -> Option<Arc<dyn Configured>>,
    /// How it runs in the place of its upstream container, where it does so like any other service.
    pub alone: Option<Alone>,
}

impl Manifest {
    /// The paths where requests may become WebSockets, mounted at `mount`. One that ends in a slash stands for all paths below.
    pub fn upgrades(&self, mount: &str) -> Vec<String> {
        let of = |table: Table| {
            let paths: Vec<String> = table
                .routes
                .iter()
                .filter_map(Route::upgrade)
                .map(|path| format!("{mount}{}{path}", table.at))
                .collect();
            paths
        };
        (self.tables)().into_iter().flat_map(of).collect()
    }
}

/// The role that a service logs in as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Login {
    /// `authenticator`, which becomes the role of each request's caller.
    Authenticator,
    /// A role of its own.
    Own(&'static str),
    /// The owner of its schema; on a server where that role cannot log in, the role that runs the migrations.
    Owner(&'static str),
}

/// A schema that belongs to a service. Role and schema are made where they are missing.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Its name.
    pub name: &'static str,
    /// The role that owns it, and that its migrations log in as. Never a superuser: `postgres` can replace what is in the schema.
    pub owner: &'static str,
    /// Its migrations.
    pub migrations: &'static ServiceSchema,
}

/// Routes that share a place and a way to word refusals. One service may speak several protocols, so that the wire belongs to
/// the table.
pub struct Table {
    /// The place below the service's own; empty for that itself.
    pub at: &'static str,
    /// The rows.
    pub routes: Vec<Route>,
    /// How refusals are worded.
    pub wire: Arc<dyn Wire>,
}

impl Table {
    /// Mounts the table into the scope of its place.
    pub fn mount(self, scope: &mut web::ServiceConfig) {
        route::mount(self.routes, self.wire, scope);
    }
}

/// A service whose settings are in order.
pub trait Configured: Send + Sync {
    /// The variables that the service read itself, for `--print-config`.
    fn shown(&self) -> Vec<Shown> {
        Vec::new()
    }

    /// Starts it. The future is polled on the server's main runtime.
    ///
    /// # Errors
    /// The reason, as the end of a sentence.
    fn start(&self, context: Context) -> BoxFuture<'_, Result<Arc<dyn Service>, Failed>>;

    /// Compares the files of the service with its tables; `None` where it keeps no files.
    ///
    /// # Errors
    /// The reason why they could not be compared.
    fn check(&self, _check: Check) -> Option<BoxFuture<'_, Result<Checked, Failed>>> {
        None
    }

    /// What the service uses that is not part of this program, for `dugout doctor`.
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }
}

/// Something that the server uses and that is not part of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its name.
    pub what: &'static str,
    /// What was found, or what is missing and what to do about it.
    pub found: Result<String, String>,
    /// Without it the server does not start.
    pub is_needed: bool,
}

/// How to compare files with tables.
#[derive(Clone, Debug)]
pub struct Check {
    /// The database, with a role that can become `service_role`.
    pub target: Target,
    /// Where the server keeps its data.
    pub data_dir: PathBuf,
    /// Remove what has no other half.
    pub repair: bool,
    /// Repair even what looks like the wrong folder or database.
    pub force: bool,
    /// How long a file may lack its row: while a server runs, the row may be about to come.
    pub grace: Duration,
}

/// What comparing files with tables found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Lines for a person.
    pub report: String,
    /// Nothing differed.
    pub is_clean: bool,
}

/// Why a service does not start.
pub type Failed = Box<dyn std::error::Error + Send + Sync>;

/// A service that runs.
pub trait Service: Send + Sync {
    /// Mounts it into the scope of its prefix, once a worker. The scope resolves callers: see [`crate::caller::resolve`].
    fn mount(&self, scope: &mut web::ServiceConfig);

    /// Mounts what has its place outside of the prefix, such as `/.well-known/…`.
    fn mount_at_root(&self, _app: &mut web::ServiceConfig) {}

    /// Sets the gauges of the metrics.
    fn gauges(&self, _events: &Events) {}

    /// How it is while the database answers, for `/health`.
    fn condition(&self) -> BoxFuture<'_, Condition> {
        Box::pin(async { Condition::Well })
    }

    /// Whether the service answers preflights and sets the headers of cross-origin requests itself.
    fn handles_cors(&self) -> bool {
        false
    }

    /// What `dugout status` shows of the service: names as the Supabase CLI has them, and values.
    fn status(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The mailbox, where mails are kept in it instead of sent.
    fn mailbox(&self) -> Option<Mailbox> {
        None
    }

    /// Sends mails through the project's mail server, for the workers of the server.
    fn post(&self) -> Option<Arc<dyn Post>> {
        None
    }

    /// Called at shutdown, before HTTP stops: closes sockets and ends long responses.
    fn drain(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    /// Called when the last request has ended: finishes what is under way in `within` at most, and gives the connections back.
    fn close(&self, within: Duration) -> BoxFuture<'_, ()>;
}

/// How a service is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// As it should be.
    Well,
    /// It answers, but not as it should; says what is wrong. The reason is in the log.
    Degraded(&'static str),
}

/// What a service is given when it starts.
#[derive(Clone)]
pub struct Context {
    /// Where it is mounted: its prefix, or nothing where it stands alone.
    pub mount: &'static str,
    /// Verifies and signs tokens.
    pub keys: Keys,
    /// Takes events in.
    pub events: Events,
    /// Hears what is notified in the database.
    pub listener: Listener,
    /// The database, with the role to log in as.
    pub target: Target,
    /// Its connections, at most.
    pub connections: usize,
    /// How long a request waits for one.
    pub acquire_timeout: Duration,
    /// Threads that serve requests.
    pub workers: usize,
    /// The server that it shares an origin with; `None` where it stands alone.
    pub host: Option<Host>,
}

/// What only the server knows that mounts several services on one origin.
#[derive(Clone)]
pub struct Host {
    /// The address of everything.
    pub public_url: PublicUrl,
    /// Signs what is signed with HS256.
    pub jwt_secret: Secret<String>,
    /// The API key of the role anon, a JWT.
    pub anon_key: String,
    /// Unlike the JWT secret it stays when API keys are rotated, so that mailed codes stay good.
    pub lasting_secret: Secret<String>,
    /// Where files go.
    pub data_dir: PathBuf,
    /// Whether this is a stand-in for `supabase start` on somebody's own machine.
    pub dev: bool,
    /// Takes mails when no mail server is configured; the mailbox of development.
    pub mailbox: Option<Mailbox>,
    /// The keys of the project's clients, for programs that a service starts.
    pub project_keys: ProjectKeys,
    /// PostgreSQL for programs that a service starts, where they can reach it: over TCP.
    pub database_url: Option<Secret<String>>,
    /// The port of the admin server on 127.0.0.1, which no program that a service starts may reach.
    pub admin_port: Option<u16>,
}

/// The API keys of a project.
#[derive(Clone, Debug, Default)]
pub struct ProjectKeys {
    /// The JWT of the role anon.
    pub anon: String,
    /// The JWT of the role service_role.
    pub service_role: Secret<String>,
    /// The opaque successor of `anon`.
    pub publishable: String,
    /// The opaque successor of `service_role`.
    pub secret: Secret<String>,
}

impl Context {
    /// A pool of the connections that the service was dealt.
    ///
    /// # Errors
    /// When the TLS settings of the target cannot be used.
    pub fn pool(&self) -> Result<Pool, pg::Error> {
        Pool::new(&self.target, &PoolConfig { size: self.connections, acquire_timeout: self.acquire_timeout })
    }
}
