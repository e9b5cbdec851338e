//! The postmaster, as a child that is supervised.

mod log;

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Stdio};

use rustix::process::{Pid, Signal};

use super::owner::Owner;
use super::processes::{self, Identity};
use super::spawn;
use crate::supervise::{self, Program, Tail};

/// Everything needed to start PostgreSQL, the first time and again.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) postgres: PathBuf,
    pub(super) cluster: PathBuf,
    pub(super) sockets: PathBuf,
    pub(super) name: String,
    pub(super) owner: Owner,
}

impl Program for Plan {
    fn name(&self) -> &'static str {
        "PostgreSQL"
    }

    fn clear(&self) -> Result<(), String> {
        let identity = Identity { cluster: &self.cluster, name: &self.name, uid: self.owner.uid };
        processes::clear(&identity).map_err(|error| error.to_string())?;
        remove_sockets(self);
        Ok(())
    }

    fn spawn(&self) -> io::Result<Child> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", self.postgres.display()));
        spawn_postmaster(self).map_err(named)
    }

    fn is_ready(&self, pid: Pid) -> bool {
        is_ready(self, pid)
    }

    fn forward(stderr: ChildStderr, tail: &Tail) {
        log::forward(stderr, tail);
    }
}

/// The postmaster writes its state into the last line of its pid file; pg_ctl goes by it too
/// (<https://github.com/postgres/postgres/blob/REL_17_STABLE/src/include/utils/pidfile.h>).
fn is_ready(plan: &Plan, pid: Pid) -> bool {
    let Ok(text) = fs::read_to_string(plan.cluster.join("postmaster.pid")) else { return false };
    let mut lines = text.lines();
    lines.next().is_some_and(|line| line.trim() == pid.as_raw_nonzero().to_string())
        && lines.nth(6).is_some_and(|state| state.trim() == "ready")
}

/// Sockets outlive a killed postmaster, and the lock file beside them names a process that may be a stranger by now. The
/// folder is ours alone and no postmaster runs.
fn remove_sockets(plan: &Plan) {
    for entry in fs::read_dir(&plan.sockets).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(".s.PGSQL.") {
            // If it cannot be removed, PostgreSQL says so with more detail.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn spawn_postmaster(plan: &Plan) -> io::Result<Child> {
    let mut command = spawn::program(&plan.postgres, &plan.owner);
    // SIGINT is PostgreSQL's fast shutdown: transactions are aborted, a checkpoint is made.
    supervise::die_with_parent(&mut command, Signal::INT);
    command.arg("-D").arg(&plan.cluster);
    // A group of its own: Ctrl-C at the terminal is for us, who first let the requests in flight finish.
    command.process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
}
