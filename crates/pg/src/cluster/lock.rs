//! The lock that allows one process per data directory.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use super::error::ClusterError;

/// Holds `<data>/dugout.lock` until dropped. The kernel releases the lock when the process ends for any reason, so it is never
/// stale. The file itself stays.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Releases the lock at once. Closing the file is not enough: a child that was just forked and has not called `exec` yet
    /// would keep its copy open.
    fn drop(&mut self) {
        // If unlocking fails, the lock ends with the file.
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

impl Lock {
    /// Takes the lock. If another process has it, the error contains its pid.
    pub(super) fn take(data_dir: &Path) -> Result<Self, ClusterError> {
        let path = data_dir.join("dugout.lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(ClusterError::io("open", &path))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => {
                let mut pid = String::new();
                // The pid is only for the message; without it the message is shorter.
                let _ = file.read_to_string(&mut pid);
                return Err(ClusterError::InUse { folder: data_dir.to_owned(), pid: pid.trim().parse().ok() });
            }
            Err(error) => return Err(ClusterError::io("lock", &path)(error.into())),
        }
        let mut lock = Lock { file };
        let pid = format!("{}\n", std::process::id());
        lock.file
            .set_len(0)
            .and_then(|()| lock.file.rewind())
            .and_then(|()| lock.file.write_all(pid.as_bytes()))
            .map_err(ClusterError::io("write", &path))?;
        Ok(lock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_refused_with_the_pid_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path()).unwrap();
        let refused = Lock::take(folder.path()).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("another dugout (pid {})", std::process::id())), "{refused}");
        drop(lock);
        Lock::take(folder.path()).unwrap();
    }

    #[test]
    fn a_copy_inherited_by_a_child_does_not_keep_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path()).unwrap();
        let _of_a_child = lock.file.try_clone().unwrap();
        drop(lock);
        Lock::take(folder.path()).unwrap();
    }
}
