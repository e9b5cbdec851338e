//! Creates a new cluster atomically: an incomplete one is never used.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::binaries::Binaries;
use super::config::{Durability, SUPERUSER};
use super::error::ClusterError;
use super::owner::Owner;
use super::spawn;
use crate::supervise;

/// How long to retry the removal of an incomplete cluster.
const LEFTOVER_PATIENCE: Duration = Duration::from_secs(5);

/// Runs initdb in `<cluster>.new` and renames the folder when everything is on disk. A kill at any moment leaves at most the
/// `.new` folder, which the next start removes.
///
/// initdb syncs the files itself. Without that it takes 0.5 s instead of 0.6 s, but we would have to sync before the rename.
pub(super) fn create(
    binaries: &Binaries,
    cluster: &Path,
    owner: &Owner,
    durability: Durability,
) -> Result<(), ClusterError> {
    let unfinished = cluster.with_extension("new");
    let parent = cluster.parent().unwrap_or(cluster);
    // With the system's C.UTF-8, the parts of PostgreSQL that still use the C library (text search, pg_trgm) recognise letters
    // beyond ASCII. Not every system has it; C always exists.
    let mut output = String::new();
    for locale in ["C.UTF-8", "C"] {
        remove(&unfinished)?;
        owner.private_folder(&unfinished)?;
        match run(binaries, &unfinished, owner, durability, locale)? {
            Ok(()) => {
                fs::rename(&unfinished, cluster).map_err(ClusterError::io("rename", &unfinished))?;
                return File::open(parent)
                    .and_then(|folder| folder.sync_all())
                    .map_err(ClusterError::io("sync", parent));
            }
            Err(lines) => output = lines,
        }
        if !output.contains("locale") {
            break;
        }
    }
    Err(ClusterError::Initdb { folder: cluster.to_owned(), output })
}

/// Removes an incomplete cluster. A `postgres` that the killed initdb had started may still create files for a moment, until it
/// notices the end of its input; hence the retries.
fn remove(unfinished: &Path) -> Result<(), ClusterError> {
    let until = Instant::now() + LEFTOVER_PATIENCE;
    loop {
        match fs::remove_dir_all(unfinished) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !unfinished.exists() => return Ok(()),
            Err(error) if Instant::now() >= until => return Err(ClusterError::io("remove", unfinished)(error)),
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// Runs initdb. The inner error is the relevant part of its output.
fn run(
    binaries: &Binaries,
    folder: &Path,
    owner: &Owner,
    durability: Durability,
    locale: &str,
) -> Result<Result<(), String>, ClusterError> {
    let mut command = spawn::program(&binaries.folder.join("initdb"), owner);
    supervise::die_with_parent(&mut command, Signal::KILL);
    command.arg("-D").arg(folder).args(["--username", SUPERUSER, "--encoding", "UTF8", "--data-checksums"]);
    command.args(["--auth-local", "trust", "--auth-host", "scram-sha-256", "--locale", locale]);
    if binaries.version.major >= 17 {
        // DEVIATION: text sorts by code point, where Supabase's images sort by ICU's en_US; write COLLATE "en-x-icu" for that.
        // The built-in provider depends on neither the C library nor ICU. So moving the data directory to another system, or
        // using other binaries of the same major version, cannot corrupt its indexes.
        command.args(["--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"]);
    }
    if durability == Durability::None {
        command.arg("--no-sync");
    }
    let program = command.get_program().to_owned();
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| ClusterError::io("run", Path::new(&program))(error))?;
    if output.status.success() {
        return Ok(Ok(()));
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // The last lines are about cleaning up and explain nothing.
    let telling: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| ["error:", "FATAL", "detail:", "hint:", "DETAIL", "HINT"].iter().any(|word| line.contains(word)))
        .collect();
    let telling = if telling.is_empty() { lines[lines.len().saturating_sub(3)..].to_vec() } else { telling };
    Ok(Err(if telling.is_empty() { format!("initdb ended with {}", output.status) } else { telling.join("; ") }))
}
