//! Ties the life of a child to the thread that spawned it.

use std::process::Command;

use rustix::process::Signal;

/// Makes the kernel send `signal` to the child when the *thread* that spawned it ends, also if our process is killed.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)] // std offers no other way to run something between fork and exec.
pub fn die_with_parent(command: &mut Command, signal: Signal) {
    use std::io;
    use std::os::unix::process::CommandExt;

    let parent = i32::try_from(std::process::id()).ok().and_then(rustix::process::Pid::from_raw);
    // SAFETY: after a fork in a multi-threaded process only async-signal-safe calls are allowed. The closure makes two bare
    // system calls (prctl, getppid); it takes no lock and allocates nothing, not even for its errors.
    // std runs it after it has changed the user, which would clear the setting.
    unsafe {
        command.pre_exec(move || {
            rustix::process::set_parent_process_death_signal(Some(signal)).map_err(io::Error::from)?;
            // If the parent died before the call above, no signal will come.
            if rustix::process::getppid() == parent { Ok(()) } else { Err(io::Error::from(rustix::io::Errno::SRCH)) }
        });
    }
}

/// Other systems have no equivalent. The next start stops processes that were left.
#[cfg(not(target_os = "linux"))]
pub fn die_with_parent(_: &mut Command, _: Signal) {}
