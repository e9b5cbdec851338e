//! Commands that run PostgreSQL's programs: as their owner and with a minimal environment.

use std::path::Path;
use std::process::Command;

use super::owner::Owner;

/// Variables for the dynamic loader, time zones and scripts. Others are not passed on: they may contain secrets, which
/// PostgreSQL's superuser could read, or be PG* variables, which would change PostgreSQL's behaviour.
const KEPT: [&str; 5] = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TZDIR", "TMPDIR"];

/// A command for one of PostgreSQL's programs.
pub(super) fn program(path: &Path, owner: &Owner) -> Command {
    let mut command = Command::new(path);
    command.env_clear().envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    // The owner may not be allowed to enter our working directory.
    command.current_dir("/");
    owner.become_in(&mut command);
    command
}
