//! Syncs of folders, shared by uploads that finish at the same time: most of them are in the same few folders.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The folders that are being synced. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Folders(Arc<Mutex<HashMap<PathBuf, Arc<Folder>>>>);

/// One folder, while at least one thread waits for it.
#[derive(Debug, Default)]
struct Folder {
    syncs: Mutex<Syncs>,
    changed: Condvar,
}

/// Syncs are numbered from 1.
#[derive(Debug, Default)]
struct Syncs {
    begun: u64,
    ended: u64,
    /// The last one that failed.
    failed: u64,
    /// How many threads wait.
    users: usize,
}

impl Folders {
    /// Syncs a folder. Blocks. Threads that come while a sync runs share the next one: the running one may have begun before
    /// their changes.
    ///
    /// # Errors
    /// Disk errors.
    pub(super) fn sync(&self, path: &Path) -> io::Result<()> {
        self.sync_with(path, || File::open(path)?.sync_all())
    }

    fn sync_with(&self, path: &Path, sync: impl Fn() -> io::Result<()>) -> io::Result<()> {
        let (folder, own) = {
            let mut folders = locked(&self.0);
            let folder = Arc::clone(folders.entry(path.to_owned()).or_default());
            let mut syncs = locked(&folder.syncs);
            syncs.users += 1;
            let own = syncs.begun + 1;
            drop(syncs);
            (folder, own)
        };
        let synced = folder.sync(own, sync);
        let mut folders = locked(&self.0);
        let users = {
            let mut syncs = locked(&folder.syncs);
            syncs.users -= 1;
            syncs.users
        };
        if users == 0 {
            folders.remove(path);
        }
        synced
    }
}

impl Folder {
    /// Returns when the sync number `own` has ended, or a later one.
    fn sync(&self, own: u64, sync: impl Fn() -> io::Result<()>) -> io::Result<()> {
        let mut syncs = locked(&self.syncs);
        while syncs.ended < own {
            if syncs.begun > syncs.ended {
                syncs = self.changed.wait(syncs).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            syncs.begun += 1;
            drop(syncs);
            let synced = sync();
            syncs = locked(&self.syncs);
            syncs.ended = syncs.begun;
            if synced.is_err() {
                syncs.failed = syncs.begun;
            }
            self.changed.notify_all();
            return synced;
        }
        match syncs.failed >= own {
            true => Err(io::Error::other("the folder could not be synced")),
            false => Ok(()),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn who_comes_during_a_sync_shares_the_next_one() {
        let (folders, count) = (Folders::default(), AtomicU64::new(0));
        let path = Path::new("/a");
        let waiting = |number| while folders.0.lock().unwrap()[path].syncs.lock().unwrap().users < number {};
        thread::scope(|scope| {
            let (go, wait) = channel::<()>();
            let (begun, begins) = channel::<()>();
            let (folders, count) = (&folders, &count);
            scope.spawn(move || {
                folders.sync_with(path, || {
                    begun.send(()).unwrap();
                    wait.recv().unwrap();
                    count.fetch_add(1, Ordering::SeqCst);
                    Ok(())
                })
            });
            begins.recv().unwrap();
            let counted = move || {
                count.fetch_add(1, Ordering::SeqCst);
                Ok(())
            };
            let later = move || folders.sync_with(path, counted);
            let five: Vec<_> = (0..5).map(|_| scope.spawn(later)).collect();
            waiting(6);
            assert_eq!(count.load(Ordering::SeqCst), 0, "they wait");
            go.send(()).unwrap();
            five.into_iter().for_each(|one| one.join().unwrap().unwrap());
        });
        assert_eq!(count.load(Ordering::SeqCst), 2);
        assert!(folders.0.lock().unwrap().is_empty(), "nothing is kept");
    }

    #[test]
    fn a_failure_reaches_everyone_whom_it_concerns_and_no_later_one() {
        let folders = Folders::default();
        let path = Path::new("/a");
        thread::scope(|scope| {
            let (go, wait) = channel::<()>();
            let (begun, begins) = channel::<()>();
            let folders = &folders;
            scope.spawn(move || {
                folders.sync_with(path, || {
                    begun.send(()).unwrap();
                    wait.recv().unwrap();
                    Ok(())
                })
            });
            begins.recv().unwrap();
            let fails = || folders.sync_with(path, || Err(io::Error::other("full")));
            let three: Vec<_> = (0..3).map(|_| scope.spawn(fails)).collect();
            while folders.0.lock().unwrap()[path].syncs.lock().unwrap().users < 4 {}
            go.send(()).unwrap();
            three.into_iter().for_each(|one| assert!(one.join().unwrap().is_err()));
        });
        assert!(folders.sync_with(path, || Ok(())).is_ok());
    }
}
