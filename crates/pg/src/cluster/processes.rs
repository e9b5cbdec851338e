//! Processes of an earlier run: a postmaster whose parent was killed, or backends whose postmaster was killed.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::error::ClusterError;

/// How long a postmaster may take for its shutdown checkpoint before an immediate shutdown.
const FAST_STOP: Duration = Duration::from_secs(10);
/// How long processes may take after SIGQUIT, and again after SIGKILL.
const HARD_STOP: Duration = Duration::from_secs(5);

/// What distinguishes the processes of one cluster from all others.
#[derive(Clone, Debug)]
pub(super) struct Identity<'a> {
    /// The cluster's folder, as given to `postgres -D`.
    pub(super) cluster: &'a Path,
    /// The `cluster_name` setting, which PostgreSQL writes into the title of every child.
    pub(super) name: &'a str,
    /// The user they run as. The title alone is not enough, because any process can set one.
    pub(super) uid: u32,
}

/// Ends the processes that an earlier run left and removes what would prevent a new postmaster from starting. The caller holds
/// the lock, so nobody else is starting one.
///
/// Must be called only while no postmaster of ours runs. Without a `postmaster.pid` the last stop was clean and nothing happens.
pub(super) fn clear(identity: &Identity<'_>) -> Result<(), ClusterError> {
    let pid_file = identity.cluster.join("postmaster.pid");
    let Ok(text) = fs::read_to_string(&pid_file) else { return Ok(()) };
    let postmaster = text.lines().next().and_then(|pid| pid.trim().parse::<i32>().ok());
    let alive = running(identity);
    if let Some(postmaster) = postmaster.filter(|pid| alive.contains(pid)) {
        tracing::info!(pid = postmaster, "stopping the PostgreSQL that an earlier run left over");
        // On Linux the kernel sends SIGINT already when the parent dies. A second one is harmless.
        signal(&[postmaster], Signal::INT);
        if !gone(identity, FAST_STOP) {
            signal(&[postmaster], Signal::QUIT);
            gone(identity, HARD_STOP);
        }
    }
    // Backends without a postmaster keep the shared memory, and a new postmaster refuses to start beside them. Their
    // transactions are lost already, and recovery completes half-written pages.
    let rest = running(identity);
    signal(&rest, Signal::KILL);
    if !rest.is_empty() && !gone(identity, HARD_STOP) {
        let pid = running(identity).first().copied().unwrap_or_default();
        return Err(ClusterError::Orphan { pid: pid.unsigned_abs(), folder: identity.cluster.to_owned() });
    }
    // The pid in the file may belong to another process by now (likely in containers), which PostgreSQL would take for a running
    // postmaster.
    match fs::remove_file(&pid_file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(ClusterError::io("remove", &pid_file)(error)),
        _ => Ok(()),
    }
}

fn signal(pids: &[i32], signal: Signal) {
    for pid in pids.iter().filter_map(|pid| Pid::from_raw(*pid)) {
        // The process may have ended meanwhile.
        let _ = kill_process(pid, signal);
    }
}

fn gone(identity: &Identity<'_>, patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    while !running(identity).is_empty() {
        if Instant::now() >= deadline {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// The living processes of this cluster.
fn running(identity: &Identity<'_>) -> Vec<i32> {
    let folder = identity.cluster.to_string_lossy();
    let title = format!("postgres: {}:", identity.name);
    commands(identity.uid)
        .into_iter()
        .filter(|(_, command)| is_ours(command, &folder, &title))
        .map(|(pid, _)| pid)
        .collect()
}

/// A postmaster, or a child that has not set its title yet, has our folder as an argument. Other children have our title.
fn is_ours(command: &str, folder: &str, title: &str) -> bool {
    let mut words = command.split('\0');
    let program = words.next().unwrap_or_default();
    program.starts_with(title)
        || (program.ends_with("/postgres") && words.next() == Some("-D") && words.next() == Some(folder))
}

/// The pid and the arguments, separated by NUL, of every process of the user. A zombie has no arguments.
#[cfg(target_os = "linux")]
fn commands(uid: u32) -> Vec<(i32, String)> {
    use std::os::unix::fs::MetadataExt;
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            (entry.metadata().ok()?.uid() == uid).then_some(())?;
            let command = fs::read(entry.path().join("cmdline")).ok()?;
            Some((pid, String::from_utf8_lossy(&command).into_owned()))
        })
        .collect()
}

/// As above, for systems without /proc. Their arguments are separated by spaces, which is ambiguous only for a folder with a
/// space in its name.
#[cfg(not(target_os = "linux"))]
fn commands(uid: u32) -> Vec<(i32, String)> {
    let Ok(output) = std::process::Command::new("ps").args(["-U", &uid.to_string(), "-o", "pid=,command="]).output()
    else {
        return Vec::new();
    };
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| {
            let (pid, command) = line.trim().split_once(' ')?;
            let command = command.trim();
            let shown = if command.starts_with("postgres: ") { command.to_owned() } else { command.replace(' ', "\0") };
            Some((pid.parse().ok()?, shown))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_processes_of_this_cluster_are_ours() {
        for (command, ours) in [
            ("/usr/lib/postgresql/17/bin/postgres\0-D\0/data/postgres\0", true),
            ("postgres: dugout-1: checkpointer \0\0\0", true),
            ("postgres: dugout-12: checkpointer ", false),
            ("postgres: checkpointer ", false),
            ("/usr/lib/postgresql/17/bin/postgres\0-D\0/data/postgres2\0", false),
            ("/bin/grep\0-D\0/data/postgres\0", false),
            ("", false),
        ] {
            assert_eq!(is_ours(command, "/data/postgres", "postgres: dugout-1:"), ours, "{command}");
        }
    }

    #[test]
    fn a_pid_file_with_a_foreign_pid_is_removed_and_the_process_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let pid_file = folder.path().join("postmaster.pid");
        fs::write(&pid_file, format!("{}\n{}\n", std::process::id(), folder.path().display())).unwrap();
        let uid = rustix::process::geteuid().as_raw();
        clear(&Identity { cluster: folder.path(), name: "dugout-none", uid }).unwrap();
        assert!(!pid_file.exists());
    }
}
