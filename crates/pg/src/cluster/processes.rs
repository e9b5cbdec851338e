//! Processes of an earlier run: a postmaster whose parent was killed, or backends whose postmaster was.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::error::ClusterError;

/// How long a postmaster may take for its shutdown checkpoint before it is told to stop at once.
const FAST_STOP: Duration = Duration::from_secs(10);
/// How long anything may take after SIGQUIT, and again after SIGKILL.
const HARD_STOP: Duration = Duration::from_secs(5);

/// How the processes of one cluster are known from all others.
#[derive(Clone, Debug)]
pub(super) struct Identity<'a> {
    /// The cluster's folder, as given to `postgres -D`.
    pub(super) cluster: &'a Path,
    /// The `cluster_name` setting, which PostgreSQL writes into the title of every child.
    pub(super) name: &'a str,
    /// The user they run as: a title alone could be anybody's.
    pub(super) uid: u32,
}

/// Ends whatever an earlier run left over and removes what would keep a new postmaster from starting. The caller holds the
/// lock, so nobody else is starting one.
///
/// Only ever called while no postmaster of ours runs. Without a `postmaster.pid` there was a clean stop and nothing to do.
pub(super) fn clear(identity: &Identity<'_>) -> Result<(), ClusterError> {
    let pid_file = identity.cluster.join("postmaster.pid");
    let Ok(text) = fs::read_to_string(&pid_file) else { return Ok(()) };
    let postmaster = text.lines().next().and_then(|pid| pid.trim().parse::<i32>().ok());
    let alive = running(identity);
    if let Some(postmaster) = postmaster.filter(|pid| alive.contains(pid)) {
        tracing::info!(pid = postmaster, "stopping the PostgreSQL that an earlier run left over");
        // The kernel sends it SIGINT when its parent dies, but not on every system; twice does no harm.
        signal(&[postmaster], Signal::INT);
        if !gone(identity, FAST_STOP) {
            signal(&[postmaster], Signal::QUIT);
            gone(identity, HARD_STOP);
        }
    }
    // Backends without a postmaster hold the shared memory, and a new postmaster refuses to start beside them. Their
    // transactions are lost already; the write-ahead log makes good what they half wrote.
    let rest = running(identity);
    signal(&rest, Signal::KILL);
    if !rest.is_empty() && !gone(identity, HARD_STOP) {
        let pid = running(identity).first().copied().unwrap_or_default();
        return Err(ClusterError::Orphan { pid: pid.unsigned_abs(), folder: identity.cluster.to_owned() });
    }
    // The number in the file may meanwhile belong to a stranger (in containers it soon does), and PostgreSQL would take
    // that for a running postmaster. None is: the file is only in the way.
    match fs::remove_file(&pid_file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(ClusterError::io("remove", &pid_file)(error)),
        _ => Ok(()),
    }
}

fn signal(pids: &[i32], signal: Signal) {
    for pid in pids.iter().filter_map(|pid| Pid::from_raw(*pid)) {
        // It may have ended by itself meanwhile.
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

/// The processes of this cluster that are alive.
fn running(identity: &Identity<'_>) -> Vec<i32> {
    let folder = identity.cluster.to_string_lossy();
    let title = format!("postgres: {}:", identity.name);
    commands(identity.uid)
        .into_iter()
        .filter(|(_, command)| is_ours(command, &folder, &title))
        .map(|(pid, _)| pid)
        .collect()
}

/// A postmaster, or a child that has not set its title yet, was called with our folder; any other child has our title.
fn is_ours(command: &str, folder: &str, title: &str) -> bool {
    let mut words = command.split('\0');
    let program = words.next().unwrap_or_default();
    program.starts_with(title)
        || (program.ends_with("/postgres") && words.next() == Some("-D") && words.next() == Some(folder))
}

/// (pid, arguments separated by NUL) of every process of the user. A process that has ended but was not waited for has none.
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

/// As above, for systems without /proc. Arguments come separated by spaces there, which only a folder with a space in its
/// name makes ambiguous.
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
    fn a_pid_file_that_names_a_stranger_is_removed_and_the_stranger_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let pid_file = folder.path().join("postmaster.pid");
        fs::write(&pid_file, format!("{}\n{}\n", std::process::id(), folder.path().display())).unwrap();
        let uid = rustix::process::geteuid().as_raw();
        clear(&Identity { cluster: folder.path(), name: "dugout-none", uid }).unwrap();
        assert!(!pid_file.exists());
    }
}
