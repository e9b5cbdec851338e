//! Everything before the postmaster is spawned: folders, owner, binaries, lock, leftovers, initdb, settings.

use std::fs;
use std::io;
use std::net::TcpListener;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sha2::{Digest, Sha256};

use super::binaries::{self, Places, Version};
use super::conf::{self, Placement};
use super::config::{ClusterConfig, TcpConfig};
use super::error::ClusterError;
use super::lock::Lock;
use super::owner::Owner;
use super::postmaster::Plan;
use super::processes::{self, Identity};
use super::timings::Timings;
use super::{extensions, initdb, package};

/// The longest path of a socket. The limit is 107 bytes (<https://man7.org/linux/man-pages/man7/unix.7.html>); some drivers append
/// to it.
const LONGEST_SOCKET: usize = 90;
/// The port without TCP, where it is only part of the socket's name.
const DEFAULT_PORT: u16 = 5432;

/// The results, for the supervisor and the [`super::Cluster`].
pub(super) struct Prepared {
    pub(super) plan: Plan,
    pub(super) port: u16,
    pub(super) version: Version,
    pub(super) timings: Timings,
    pub(super) lock: Lock,
}

/// Blocks for about 10 ms, and for the duration of initdb if the cluster is new.
pub(super) fn prepare(config: &ClusterConfig) -> Result<Prepared, ClusterError> {
    let began = Instant::now();
    let data_dir = data_dir(&config.data_dir)?;
    let lock = Lock::take(&data_dir)?;
    let cluster = data_dir.join("postgres");
    let owner = Owner::decide(&cluster)?;
    open_for(&owner, &data_dir)?;
    let places = Places { explicit: config.bin_dir.as_deref(), npm_roots: &config.npm_roots };
    let found = binaries::find(&places, &cluster)?;
    let binaries = package::prepare(found, &owner, &data_dir)?;

    let name = format!("dugout-{}", digest(&data_dir));
    processes::clear(&Identity { cluster: &cluster, name: &name, uid: owner.uid })?;
    let port = config.tcp.as_ref().map_or(DEFAULT_PORT, |tcp| tcp.port);
    if let Some(tcp) = &config.tcp {
        check_free(tcp)?;
    }
    let mut timings = Timings { prepare: began.elapsed(), ..Timings::default() };
    if !cluster.join("PG_VERSION").exists() {
        if fs::read_dir(&cluster).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(ClusterError::Foreign(cluster));
        }
        let began = Instant::now();
        initdb::create(&binaries, &cluster, &owner, config.durability)?;
        timings.initdb = Some(began.elapsed());
    }
    let rest = Instant::now();
    take_over(&cluster, &owner)?;
    let sockets = sockets(&data_dir, port);
    owner.private_folder(&sockets)?;
    let extensions = extensions::install(&data_dir, &binaries, &owner)?;
    let preload = binaries.preload();
    let extensions = extensions.as_deref();
    let placement = Placement { cluster: &cluster, sockets: &sockets, port, name: &name, extensions, preload };
    conf::write(config, &placement, &owner)?;
    timings.prepare += rest.elapsed();
    let plan = Plan { postgres: binaries.folder.join("postgres"), cluster, sockets, name, owner };
    Ok(Prepared { plan, port, version: binaries.version, timings, lock })
}

/// The data directory as an absolute path without links. A missing one is created for our user only; see [`open_for`].
fn data_dir(wanted: &Path) -> Result<PathBuf, ClusterError> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(wanted).map_err(ClusterError::io("create", wanted))?;
    wanted.canonicalize().map_err(ClusterError::io("read", wanted))
}

/// Lets the owner pass through the data directory to the cluster, without letting it list files. Files in it protect
/// themselves (secrets are 0600). Folders above are not ours to change.
fn open_for(owner: &Owner, data_dir: &Path) -> Result<(), ClusterError> {
    if !owner.differs() {
        return Ok(());
    }
    let found = fs::metadata(data_dir).map_err(ClusterError::io("read", data_dir))?;
    if found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o011 != 0o011 {
        fs::set_permissions(data_dir, fs::Permissions::from_mode(found.mode() & 0o7777 | 0o011))
            .map_err(ClusterError::io("change the permissions of", data_dir))?;
    }
    owner.require_passage(data_dir)
}

/// Gives a cluster that belongs to root to its owner, because PostgreSQL cannot run as root.
fn take_over(cluster: &Path, owner: &Owner) -> Result<(), ClusterError> {
    let found = fs::metadata(cluster.join("PG_VERSION")).map_err(ClusterError::io("read", cluster))?;
    if owner.differs() && found.uid() == 0 { owner.give_tree(cluster) } else { Ok(()) }
}

/// `<data>/run`, or an equally private folder with a short path if the socket's path would be too long.
fn sockets(data_dir: &Path, port: u16) -> PathBuf {
    let folder = data_dir.join("run");
    let socket = folder.join(format!(".s.PGSQL.{port}"));
    if socket.as_os_str().len() <= LONGEST_SOCKET {
        return folder;
    }
    Path::new("/tmp").join(format!("dugout-{}", digest(data_dir)))
}

/// Eight hexadecimal digits that distinguish data directories.
fn digest(data_dir: &Path) -> String {
    let digest = Sha256::digest(data_dir.as_os_str().as_encoded_bytes());
    digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

/// PostgreSQL would report this too, but later and in several lines.
fn check_free(tcp: &TcpConfig) -> Result<(), ClusterError> {
    let address = format!("{}:{}", tcp.host, tcp.port);
    // `*` means every address in PostgreSQL.
    let host = if tcp.host == "*" { "0.0.0.0" } else { tcp.host.as_str() };
    match TcpListener::bind((host, tcp.port)) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(ClusterError::PortTaken { address }),
        Err(source) => Err(ClusterError::Address { address, source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_moves_the_socket_to_a_short_folder() {
        assert_eq!(sockets(Path::new("/data"), 5432), Path::new("/data/run"));
        let fits = format!("/{}", "d".repeat(LONGEST_SOCKET - "//run/.s.PGSQL.5432".len()));
        assert_eq!(sockets(Path::new(&fits), 5432), Path::new(&fits).join("run"));
        let long = format!("{fits}d");
        let short = sockets(Path::new(&long), 5432);
        assert!(short.starts_with("/tmp") && short.as_os_str().len() < 30, "{}", short.display());
        assert_ne!(short, sockets(Path::new(&format!("{long}d")), 5432), "one for each data directory");
    }

    #[test]
    fn a_port_in_use_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let refused = check_free(&TcpConfig { host: "127.0.0.1".into(), port }).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("127.0.0.1:{port} is used")), "{refused}");
    }
}
