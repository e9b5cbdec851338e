//! Why the server does not start: each a sentence with what to do.

use std::path::PathBuf;

use pg::cluster::ClusterError;
use pg::migrations::MigrationError;

use crate::config::Problem;
use crate::secrets::SecretsError;
use crate::state_file::StateError;

/// A refusal to start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Bad values, all of them.
    #[error("{}", list(.0))]
    Config(Vec<Problem>),
    /// The address cannot be listened on.
    #[error("{0} cannot be listened on: {1}")]
    Listen(String, String),
    /// The data directory cannot be used.
    #[error("the data directory {0} cannot be used: {1}; name another one with --data-dir")]
    DataDir(PathBuf, std::io::Error),
    /// The secrets cannot be used.
    #[error(transparent)]
    Secrets(#[from] SecretsError),
    /// A tool was asked about a database that does not exist.
    #[error("there is no database in {} yet; `dugout start` makes it, --data-dir names another folder, --db-url a server", .0.display())]
    NoDatabase(PathBuf),
    /// Whether a server runs cannot be known.
    #[error(transparent)]
    State(#[from] StateError),
    /// The embedded PostgreSQL does not start.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The external PostgreSQL does not answer.
    #[error(
        "PostgreSQL at {address} does not answer: {reason}; check --db-url (or DATABASE_URL) and that the server runs"
    )]
    Unreachable {
        /// Host and port, or socket.
        address: String,
        /// The driver's words.
        reason: String,
    },
    /// PostgreSQL refuses every session because a setting names a library that is not there.
    #[error(
        "PostgreSQL at {address} opens no session: {reason}; local_preload_libraries or session_preload_libraries names \
         that library for the database or the role, so set PGOPTIONS='-c local_preload_libraries= -c \
         session_preload_libraries=', connect as a superuser, and run `alter database … reset …` or `alter role … reset …`"
    )]
    Preload {
        /// Host and port, or socket.
        address: String,
        /// PostgreSQL's words.
        reason: String,
    },
    /// The external PostgreSQL is of a version that is not served.
    #[error(
        "PostgreSQL at {address} is version {version}, but 15 is the oldest that is served; upgrade it, or leave --db-url out to use the one that comes along"
    )]
    PostgresTooOld {
        /// Host and port, or socket.
        address: String,
        /// `server_version`.
        version: String,
    },
    /// An upgrade was asked for where the server is somebody else's.
    #[error(
        "PostgreSQL at {0} is not dugout's own: upgrade it by its own means; leave --db-url out to upgrade the data directory"
    )]
    NotOurs(String),
    /// A variable of a service that stands alone names something that cannot be used.
    #[error("{0}: {1}")]
    Setting(&'static str, String),
    /// A login role of ours exists on the external server with a password of somebody else's.
    #[error(
        "the role {0} exists on the server, but neither the password in this data directory nor that of --db-url opens it \
         ({1}); use the data directory whose secrets.json made it, or run `alter role {0} with password '…'` with the \
         password of --db-url"
    )]
    RoleLogin(&'static str, String),
    /// Roles, schemas or the auth schema could not be set up.
    #[error("the database could not be prepared ({0}): {1}")]
    Bootstrap(&'static str, String),
    /// A service does not start.
    #[error("{0} could not be started: {1}")]
    Service(&'static str, String),
    /// The schema of a service could not be brought up to date.
    #[error("the database could not be prepared (schema {0}): {1}")]
    Schema(&'static str, String),
    /// A migration of the project failed; it was rolled back.
    #[error(transparent)]
    Migration(#[from] MigrationError),
    /// There are migrations that an existing database lacks.
    #[error(
        "the database lacks {} of supabase/migrations: {}; apply them with `dugout migrate`, or start with --migrate",
        count(.0.len()), .0.join(", ")
    )]
    Pending(Vec<String>),
    /// Connections would exceed what the server allows.
    #[error(
        "PostgreSQL allows {allowed} connections, but more are wanted ({budget}); lower db_pool (DUGOUT_DB_POOL) or raise \
         max_connections"
    )]
    PoolTooLarge {
        /// Who wants how many.
        budget: String,
        /// `max_connections` less the reserved ones.
        allowed: usize,
    },
    /// A statement of an operator's command failed.
    #[error("the database refused: {0}")]
    Statement(String),
    /// The database will not be had, and waiting does not help.
    #[error("{0}")]
    Ended(String),
    /// A thread or socket could not be had.
    #[error("the HTTP server could not be started: {0}")]
    Http(std::io::Error),
}

fn list(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(|problem| format!("  {problem}")).collect();
    format!(
        "the configuration has {}:\n{}",
        if lines.len() == 1 { "a bad value" } else { "bad values" },
        lines.join("\n")
    )
}

fn count(number: usize) -> String {
    if number == 1 { "1 migration".to_owned() } else { format!("{number} migrations") }
}
