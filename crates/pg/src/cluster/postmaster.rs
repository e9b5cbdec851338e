//! The postmaster as a supervised child process.

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

/// What is needed to start PostgreSQL.
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

/// Checks the state in the postmaster's pid file, as pg_ctl does
/// (<https://github.com/postgres/postgres/blob/REL_17_STABLE/src/include/utils/pidfile.h>).
fn is_ready(plan: &Plan, pid: Pid) -> bool {
    let Ok(text) = fs::read_to_string(plan.cluster.join("postmaster.pid")) else { return false };
    let mut lines = text.lines();
    lines.next().is_some_and(|line| line.trim() == pid.as_raw_nonzero().to_string())
        && lines.nth(6).is_some_and(|state| state.trim() == "ready")
}

/// Removes sockets and lock files that a killed postmaster left. Their pid may belong to another process by now. The folder is
/// private to us, and no postmaster is running.
fn remove_sockets(plan: &Plan) {
    for entry in fs::read_dir(&plan.sockets).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(".s.PGSQL.") {
            // If removing fails, PostgreSQL reports it with more detail.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn spawn_postmaster(plan: &Plan) -> io::Result<Child> {
    let mut command = spawn::program(&plan.postgres, &plan.owner);
    // SIGINT is PostgreSQL's fast shutdown: it aborts transactions and writes a checkpoint.
    supervise::die_with_parent(&mut command, Signal::INT);
    command.arg("-D").arg(&plan.cluster);
    // A process group of its own, so that Ctrl-C signals only us: requests in flight finish first.
    command.process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
}
