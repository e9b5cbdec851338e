//! Atomically written files that only their owner can read.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file under a temporary name until it is complete, so that a crash leaves the old or the new file. Removed when dropped.
pub(crate) struct Draft {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
}

impl Draft {
    /// Writes `content` beside `path`. Creates the folder if it is missing.
    pub(crate) fn new(path: &Path, content: &[u8]) -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let folder = folder(path);
        std::fs::create_dir_all(folder)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_extension(format!("{}-{number}.new", std::process::id()));
        // A killed process with the same number may have left a file. It must not decide mode, owner or place.
        let _ = std::fs::remove_file(&temporary);
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
        let mut draft = Draft { file, temporary, path: path.to_owned() };
        // If root writes into a user's folder, the file must belong to that user, whose server has to read it.
        let owner = std::fs::metadata(folder)?;
        if rustix::process::geteuid().is_root() && owner.uid() != 0 {
            fchown(&draft.file, Some(owner.uid()), Some(owner.gid()))?;
        }
        draft.file.write_all(content)?;
        draft.file.sync_all()?;
        Ok(draft)
    }

    /// The file, for locking it before it becomes visible.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Moves the file to its path, replacing an older one.
    pub(crate) fn replace(self) -> io::Result<File> {
        std::fs::rename(&self.temporary, &self.path)?;
        File::open(folder(&self.path))?.sync_all()?;
        self.file.try_clone()
    }

    /// Moves the file to its path unless one exists.
    ///
    /// # Errors
    /// `AlreadyExists` if there is one.
    pub(crate) fn publish_first(self) -> io::Result<()> {
        std::fs::hard_link(&self.temporary, &self.path)?;
        File::open(folder(&self.path))?.sync_all()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After `replace` there is nothing left to remove.
        let _ = std::fs::remove_file(&self.temporary);
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
