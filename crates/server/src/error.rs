//! Why the server does not start. Each message is a sentence that says what to do.

use std::path::PathBuf;

use pg::cluster::ClusterError;
use pg::migrations::MigrationError;

use crate::config::Problem;
use crate::secrets::SecretsError;
use crate::state_file::StateError;

/// A failed start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// All bad values of the configuration.
    #[error("{}", list(.0))]
    Config(Vec<Problem>),
    /// The server cannot listen on the address.
    #[error("cannot listen on {0}: {1}")]
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
    /// The state file cannot be read, so it is unknown whether a server is running.
    #[error(transparent)]
    State(#[from] StateError),
    /// The embedded PostgreSQL does not start.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The external PostgreSQL cannot be reached.
    #[error(
        "PostgreSQL at {address} does not answer: {reason}; check --db-url (or DATABASE_URL) and that the server runs"
    )]
    Unreachable {
        /// Host and port, or socket.
        address: String,
        /// The driver's message.
        reason: String,
    },
    /// PostgreSQL refuses every session because a setting names a library that is missing.
    #[error(
        "PostgreSQL at {address} refuses all sessions: {reason}; local_preload_libraries or session_preload_libraries names \
         that library for the database or the role, so set PGOPTIONS='-c local_preload_libraries= -c \
         session_preload_libraries=', connect as a superuser, and run `alter database … reset …` or `alter role … reset …`"
    )]
    Preload {
        /// Host and port, or socket.
        address: String,
        /// PostgreSQL's message.
        reason: String,
    },
    /// The external PostgreSQL is older than the oldest supported version.
    #[error(
        "PostgreSQL at {address} is version {version}, but the oldest supported version is 15; upgrade it, or omit --db-url to use the built-in PostgreSQL"
    )]
    PostgresTooOld {
        /// Host and port, or socket.
        address: String,
        /// `server_version`.
        version: String,
    },
    /// `dugout upgrade` was called for an external PostgreSQL.
    #[error(
        "PostgreSQL at {0} is not managed by dugout, so upgrade it by its own means; omit --db-url to upgrade the data directory"
    )]
    NotOurs(String),
    /// A variable of a standalone service has an unusable value.
    #[error("{0}: {1}")]
    Setting(&'static str, String),
    /// A login role of ours exists on the external server, but its password is unknown.
    #[error(
        "the role {0} exists on the server, but accepts neither the password in this data directory nor that of --db-url \
         ({1}); use the data directory whose secrets.json belongs to it, or run `alter role {0} with password '…'` with the \
         password of --db-url"
    )]
    RoleLogin(&'static str, String),
    /// The bootstrap SQL failed.
    #[error("the database could not be prepared ({0}): {1}")]
    Bootstrap(&'static str, String),
    /// A service does not start.
    #[error("{0} could not be started: {1}")]
    Service(&'static str, String),
    /// The migrations of a service's schema failed.
    #[error("the database could not be prepared (schema {0}): {1}")]
    Schema(&'static str, String),
    /// A migration of the project failed; it was rolled back.
    #[error(transparent)]
    Migration(#[from] MigrationError),
    /// An existing database lacks migrations.
    #[error(
        "the database lacks {} of supabase/migrations: {}; apply them with `dugout migrate`, or start with --migrate",
        count(.0.len()), .0.join(", ")
    )]
    Pending(Vec<String>),
    /// The budget needs more connections than the server allows.
    #[error(
        "PostgreSQL allows {allowed} connections, but more are needed ({budget}); lower db_pool (DUGOUT_DB_POOL) or raise \
         max_connections"
    )]
    PoolTooLarge {
        /// The parts of the budget.
        budget: String,
        /// `max_connections` less the reserved ones.
        allowed: usize,
    },
    /// The secrets of `[db.vault]` cannot be stored.
    #[error("the secrets of [db.vault] in supabase/config.toml cannot be stored: {0}")]
    Vault(String),
    /// A statement of an operator's command failed.
    #[error("the database refused: {0}")]
    Statement(String),
    /// The database failed while the data API waited for it, and waiting longer would not help.
    #[error("{0}")]
    Ended(String),
    /// A thread or socket could not be created.
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
