//! Files that only their owner can read, written in one step.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file under another name until it is complete: a crash leaves the old one or the new one. Gone when dropped.
pub(crate) struct Draft {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
}

impl Draft {
    /// Writes `content` beside `path`, making its folder where there is none.
    pub(crate) fn new(path: &Path, content: &[u8]) -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let folder = folder(path);
        std::fs::create_dir_all(folder)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_extension(format!("{}-{number}.new", std::process::id()));
        // Left over from a killed process with our number. What is there now must not decide mode, owner or place.
        let _ = std::fs::remove_file(&temporary);
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
        let mut draft = Draft { file, temporary, path: path.to_owned() };
        // What root writes into somebody's folder is theirs: their server must be able to read it.
        let owner = std::fs::metadata(folder)?;
        if rustix::process::geteuid().is_root() && owner.uid() != 0 {
            fchown(&draft.file, Some(owner.uid()), Some(owner.gid()))?;
        }
        draft.file.write_all(content)?;
        draft.file.sync_all()?;
        Ok(draft)
    }

    /// The file, for a lock that is to be on it from its first moment.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Puts it in its place, and in that of an older one.
    pub(crate) fn replace(self) -> io::Result<File> {
        std::fs::rename(&self.temporary, &self.path)?;
        File::open(folder(&self.path))?.sync_all()?;
        self.file.try_clone()
    }

    /// Puts it in its place if that is free.
    ///
    /// # Errors
    /// `AlreadyExists` when somebody was first.
    pub(crate) fn publish_first(self) -> io::Result<()> {
        std::fs::hard_link(&self.temporary, &self.path)?;
        File::open(folder(&self.path))?.sync_all()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove.
        let _ = std::fs::remove_file(&self.temporary);
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
