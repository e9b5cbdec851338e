//! What a process uses, as the kernel counts it.

use std::time::Duration;

use crate::config::Limits;

/// Time and memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    /// CPU time of all its threads since it began.
    pub(crate) cpu: Duration,
    /// Its resident memory, in bytes.
    pub(crate) memory: u64,
}

/// Ticks a second in `/proc`: a constant of Linux for programs (`USER_HZ`).
const TICK: Duration = Duration::from_millis(10);

/// Memory of a process besides its heap: Deno itself.
const OVERHEAD: u64 = 96 * MEBIBYTE;
const MEBIBYTE: u64 = 1024 * 1024;

impl Usage {
    /// What the process uses now; `None` when it has ended, and where there is no `/proc`.
    pub(crate) fn of(pid: u32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        parse(&stat, &status)
    }

    /// Whether it uses more memory than it may.
    pub(crate) fn is_above(self, limits: Limits) -> bool {
        self.memory > limits.memory * MEBIBYTE + OVERHEAD
    }
}

/// Reads `stat` and `status` as proc(5) describes them.
fn parse(stat: &str, status: &str) -> Option<Usage> {
    // The second field is the program's name in parentheses, which can have spaces and parentheses itself.
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace();
    let user: u32 = fields.nth(11)?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = resident.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(Usage { cpu: TICK * user.checked_add(system)?, memory: kibibytes * 1024 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_files_are_read() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 4 0 12345 1 2 3";
        let wanted = Usage { cpu: Duration::from_secs(2), memory: 12 * 1024 };
        assert_eq!(parse(stat, "Name:\ta\nVmRSS:\t      12 kB\nThreads:\t4\n"), Some(wanted));
        assert_eq!(parse("", ""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_memory() {
        assert!(Usage::of(std::process::id()).unwrap().memory > 1024 * 1024);
        assert_eq!(Usage::of(u32::MAX), None);
    }
}
