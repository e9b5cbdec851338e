//! The configuration files of the embedded cluster, written at each start.

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::config::{ClusterConfig, Durability};
use super::error::ClusterError;
use super::owner::Owner;

/// Values for the files that are not in [`ClusterConfig`].
pub(super) struct Placement<'a> {
    /// The cluster's folder.
    pub(super) cluster: &'a Path,
    /// The folder of the unix socket, which no other user may enter.
    pub(super) sockets: &'a Path,
    /// The TCP port, which is also part of the socket's name.
    pub(super) port: u16,
    /// `cluster_name`, which PostgreSQL shows in its processes' titles.
    pub(super) name: &'a str,
    /// A folder of extensions that is searched before PostgreSQL's own.
    pub(super) extensions: Option<&'a Path>,
    /// The library in `shared_preload_libraries`.
    pub(super) preload: Option<&'static str>,
}

/// Local connections need no password: the socket is in a folder that only root and the owner of the data files may enter,
/// and those can read and change the files anyway. TCP connections need a password, and the superuser has none.
const HBA: &str = "\
# Written by dugout at each start; changes are lost.
local all         all     trust
local replication all     trust
host  all         all all scram-sha-256
host  replication all all scram-sha-256
";

/// Writes `dugout.conf` and `dugout_hba.conf` and makes `postgresql.conf` include the former. Settings that an operator writes
/// below that line in `postgresql.conf`, or sets with ALTER SYSTEM, take precedence.
pub(super) fn write(config: &ClusterConfig, placement: &Placement<'_>, owner: &Owner) -> Result<(), ClusterError> {
    let cluster = placement.cluster;
    replace(&cluster.join("dugout.conf"), &settings(config, placement), owner)?;
    replace(&cluster.join("dugout_hba.conf"), HBA, owner)?;
    let main = cluster.join("postgresql.conf");
    let text = fs::read_to_string(&main).map_err(ClusterError::io("read", &main))?;
    if !text.lines().any(|line| line.trim() == "include 'dugout.conf'") {
        replace(&main, &format!("{text}\ninclude 'dugout.conf'\n# Your own settings go below this line.\n"), owner)?;
    }
    Ok(())
}

fn settings(config: &ClusterConfig, placement: &Placement<'_>) -> String {
    let listen = config.tcp.as_ref().map(|tcp| tcp.host.as_str()).unwrap_or_default();
    // The setting is a list: the double quotes keep a comma in the path from splitting it.
    let sockets = format!("\"{}\"", placement.sockets.to_string_lossy().replace('"', "\"\""));
    let mut text = format!(
        "\
# Written by dugout at each start; changes are lost. Your own settings go into postgresql.conf, below the line that
# includes this file.
listen_addresses = {listen}
port = {port}
unix_socket_directories = {sockets}
unix_socket_permissions = 0700
hba_file = {hba}
password_encryption = 'scram-sha-256'
cluster_name = {name}
max_connections = {connections}

# Sized for a small machine, which also needs memory for the operating system's cache.
shared_buffers = '64MB'
# The queries of a web backend are too short for compilation to pay.
jit = off

# Realtime and replicas need logical decoding. A forgotten replication slot is invalidated before it fills the disk.
wal_level = logical
max_wal_senders = 10
max_replication_slots = 10
max_slot_wal_keep_size = '2GB'

# Shows query ids in plans and pg_stat_activity, as on Supabase, where pg_stat_statements enables it.
compute_query_id = on

timezone = 'UTC'
log_timezone = 'UTC'
# To stderr, which dugout reads. postmaster/log.rs parses the prefix.
log_destination = 'stderr'
logging_collector = off
log_line_prefix = '%p|%e|%u|'
# Statements may contain passwords.
log_min_error_statement = panic
",
        listen = quoted(listen),
        port = placement.port,
        sockets = quoted(&sockets),
        hba = quoted(&placement.cluster.join("dugout_hba.conf").to_string_lossy()),
        name = quoted(placement.name),
        connections = config.max_connections,
    );
    if let Some(folder) = placement.extensions {
        let path = format!("{}:$system", folder.to_string_lossy());
        text.push_str("\n# Dugout's extensions, and those of contrib that the owner of the database may install.\n");
        text.push_str(&setting("extension_control_path", &path));
    }
    if let Some(library) = placement.preload {
        text.push_str(&setting("shared_preload_libraries", library));
    }
    if config.durability == Durability::None {
        // A commit still waits until the log is written to the file: Realtime reads only that, and the log writer wakes up every
        // 200 ms.
        text.push_str("\n# For tests: a power failure loses everything.\nfsync = off\nfull_page_writes = off\n");
    }
    text
}

/// A line of postgresql.conf.
fn setting(name: &str, value: &str) -> String {
    format!("{name} = {}\n", quoted(value))
}

/// A string of postgresql.conf: quotes are doubled, backslashes escape.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

/// Replaces a file atomically if its contents differ.
fn replace(path: &Path, text: &str, owner: &Owner) -> Result<(), ClusterError> {
    if fs::read_to_string(path).is_ok_and(|found| found == text) {
        return Ok(());
    }
    let unfinished = path.with_extension("new");
    let write = || {
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    write().map_err(ClusterError::io("write", &unfinished))?;
    owner.give(&unfinished)?;
    fs::rename(&unfinished, path).map_err(ClusterError::io("replace", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_both_levels_of_quoting() {
        let config = ClusterConfig::new("/data");
        let placement = Placement {
            cluster: Path::new("/d'a/postgres"),
            sockets: Path::new("/it's, \"here\""),
            port: 5432,
            name: "n",
            extensions: Some(Path::new("/it's/extensions")),
            preload: Some("pg_stat_statements"),
        };
        let text = settings(&config, &placement);
        assert!(text.contains(r#"unix_socket_directories = '"/it''s, ""here"""'"#), "{text}");
        assert!(text.contains("hba_file = '/d''a/postgres/dugout_hba.conf'"), "{text}");
        assert!(text.contains("listen_addresses = ''\n"), "no TCP unless asked for");
        assert!(!text.contains("fsync"));
        assert!(text.contains("extension_control_path = '/it''s/extensions:$system'\n"), "{text}");
        assert!(text.contains("shared_preload_libraries = 'pg_stat_statements'\n"), "{text}");
    }

    #[test]
    fn the_include_line_is_added_once_and_later_lines_stay() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("postgresql.conf");
        fs::write(&main, "max_connections = 7\n").unwrap();
        let owner = Owner::decide(&folder.path().join("none")).unwrap();
        let at = folder.path();
        let placement = Placement { cluster: at, sockets: at, port: 5432, name: "n", extensions: None, preload: None };
        write(&ClusterConfig::new("/data"), &placement, &owner).unwrap();
        let once = fs::read_to_string(&main).unwrap() + "work_mem = '8MB'\n";
        fs::write(&main, &once).unwrap();
        write(&ClusterConfig::new("/data"), &placement, &owner).unwrap();
        assert_eq!(fs::read_to_string(&main).unwrap(), once);
        assert!(once.starts_with("max_connections = 7\n") && once.contains("\ninclude 'dugout.conf'\n"));
    }
}
