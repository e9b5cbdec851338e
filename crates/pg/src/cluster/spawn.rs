//! Starting PostgreSQL's programs: as their owner, with a bare environment, and bound to our own life.

use std::path::Path;
use std::process::Command;

use super::owner::Owner;

/// What the dynamic loader, the time zones and scripts around PostgreSQL need. Nothing else is passed on: our environment
/// may hold secrets, which PostgreSQL's superuser could read, and PG* variables, which would change what it does.
const KEPT: [&str; 5] = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TZDIR", "TMPDIR"];

/// A command for one of PostgreSQL's programs.
pub(super) fn program(path: &Path, owner: &Owner) -> Command {
    let mut command = Command::new(path);
    command.env_clear().envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    // Our own folder may be closed to the owner.
    command.current_dir("/");
    owner.become_in(&mut command);
    command
}
