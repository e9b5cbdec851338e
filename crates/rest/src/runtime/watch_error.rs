//! Reasons to stop watching the database.

/// The oldest PostgreSQL that is supported, as `server_version_num` and in words.
///
/// Source: PostgREST `Config/PgVersion.hs`.
pub(super) const OLDEST: (i32, &str) = (140_000, "14.0");

/// Why [`Rest::watch`](crate::Rest::watch) ended.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// PostgreSQL refused the password: trying again does not help.
    #[error("Failed to establish a connection. {0}")]
    Authentication(String),
    /// The database is gone, and `db-pool-automatic-recovery` is off.
    #[error("Automatic recovery disabled, exiting.")]
    NoRecovery,
    /// PostgreSQL is too old; holds its version.
    #[error("Cannot run in this PostgreSQL version ({0}), PostgREST needs at least {oldest}", oldest = OLDEST.1)]
    Version(String),
    /// The target's TLS settings cannot be used.
    #[error(transparent)]
    Target(#[from] pg::Error),
}
