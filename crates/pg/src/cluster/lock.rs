//! One data directory, one process.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use super::error::ClusterError;

/// Holds `<data>/dugout.lock` until dropped or until the process ends in whatever way: the kernel lets go of it, so it can
/// never be stale. The file itself stays.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, or says who has it.
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
                // The number is for the message only: a file that cannot be read makes it shorter.
                let _ = file.read_to_string(&mut pid);
                return Err(ClusterError::InUse { folder: data_dir.to_owned(), pid: pid.trim().parse().ok() });
            }
            Err(error) => return Err(ClusterError::io("lock", &path)(error.into())),
        }
        let pid = format!("{}\n", std::process::id());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(pid.as_bytes()))
            .map_err(ClusterError::io("write", &path))?;
        Ok(Lock { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_told_who_has_it_and_the_lock_ends_with_its_holder() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path()).unwrap();
        let refused = Lock::take(folder.path()).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("another dugout (pid {})", std::process::id())), "{refused}");
        drop(lock);
        Lock::take(folder.path()).unwrap();
    }
}
