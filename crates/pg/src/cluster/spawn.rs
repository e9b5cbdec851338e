//! Starting PostgreSQL's programs: as their owner, with a bare environment, and bound to our own life.

use std::path::Path;
use std::process::Command;

use rustix::process::Signal;

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

/// Has the kernel send `signal` to the program when the *thread* that spawned it ends, which includes our own SIGKILL.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)] // std offers no other way to run something between fork and exec.
pub(super) fn die_with_parent(command: &mut Command, signal: Signal) {
    use std::io;
    use std::os::unix::process::CommandExt;

    let parent = i32::try_from(std::process::id()).ok().and_then(rustix::process::Pid::from_raw);
    // SAFETY: after a fork in a multi-threaded process only async-signal-safe calls are allowed. The closure makes two bare
    // system calls (prctl, getppid); it takes no lock and allocates nothing, not even for its errors.
    // std runs it after it has changed the user, which would clear the setting.
    unsafe {
        command.pre_exec(move || {
            rustix::process::set_parent_process_death_signal(Some(signal)).map_err(io::Error::from)?;
            // The parent may have died before the call above: then no signal will come.
            if rustix::process::getppid() == parent { Ok(()) } else { Err(io::Error::from(rustix::io::Errno::SRCH)) }
        });
    }
}

/// Other systems have nothing like it: there the next start stops what was left over.
#[cfg(not(target_os = "linux"))]
pub(super) fn die_with_parent(_: &mut Command, _: Signal) {}
