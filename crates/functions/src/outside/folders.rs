//! The folders of the service: sockets and scratch files of processes, Deno's cache, the logs.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::process::{Pid, test_kill_process};
use url::Url;

use crate::model::specifier::Shims;

const PREFIX: &str = "dugout-functions-";
/// Maximum size of a function's folder for temporary files, in bytes.
const MAX_TMP: u64 = 512 * 1024 * 1024;
/// Maximum number of files and folders in it.
const MAX_TMP_FILES: usize = 10_000;

/// Where everything is. The run folder is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Folders {
    /// Sockets and scratch files. In the system's folder for temporary files, because the path of a socket has about 100 bytes.
    run: PathBuf,
    /// Modules that Deno has downloaded.
    pub(crate) cache: PathBuf,
    /// A file for each function.
    pub(crate) logs: PathBuf,
    pub(crate) preload: PathBuf,
    /// The main module of processes that wait for a function.
    pub(crate) warm: PathBuf,
    pub(crate) shims: Shims,
}

impl Folders {
    /// Makes them. Those that a killed server left are removed.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn new(data_dir: &Path, cache: Option<&Path>) -> io::Result<Self> {
        let temporary = std::env::temp_dir().canonicalize()?;
        remove_stale(&temporary);
        let unique = uuid::Uuid::new_v4().simple().to_string();
        let run = temporary.join(format!("{PREFIX}{}-{}", std::process::id(), &unique[..8]));
        private(&run)?;
        let of_data = fs::canonicalize(data_dir)?.join("functions");
        let (cache, logs) = (cache.map_or_else(|| of_data.join("deno"), Path::to_owned), of_data.join("logs"));
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&cache)?;
        let cache = cache.canonicalize()?;
        private(&logs)?;
        let write = |name: &str, text: &str| {
            let path = run.join(name);
            fs::write(&path, text)?;
            Url::from_file_path(&path).map_err(|()| io::Error::from(io::ErrorKind::InvalidFilename))
        };
        let shims = Shims {
            empty: write("empty.js", include_str!("../../runtime/empty.js"))?,
            http_server: write("std_http_server.js", include_str!("../../runtime/std_http_server.js"))?,
            base64: write("std_base64.js", include_str!("../../runtime/std_base64.js"))?,
        };
        write("preload.js", include_str!("../../runtime/preload.js"))?;
        write("warm.js", include_str!("../../runtime/warm.js"))?;
        Ok(Folders { preload: run.join("preload.js"), warm: run.join("warm.js"), run, cache, logs, shims })
    }

    /// A new folder for a process.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn scratch(&self) -> io::Result<Scratch> {
        let unique = uuid::Uuid::new_v4().simple().to_string();
        let folder = self.run.join(&unique[..12]);
        private(&folder)?;
        private(&folder.join("tmp"))?;
        Ok(Scratch(folder))
    }

    /// Modules of our own, which functions may import.
    pub(crate) fn modules(&self) -> Vec<PathBuf> {
        let shims = [&self.shims.empty, &self.shims.http_server, &self.shims.base64];
        shims.into_iter().filter_map(|url| url.to_file_path().ok()).collect()
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        // What is left is removed by the next server.
        remove(&self.run);
    }
}

/// The folder of one process, removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn socket(&self) -> PathBuf {
        self.0.join("socket")
    }

    /// The only folder that the function may write to.
    pub(crate) fn tmp(&self) -> PathBuf {
        self.0.join("tmp")
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.0.join("deno.json")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes a folder that a function wrote to. The function may have removed our permission to list or change its folders.
fn remove(folder: &Path) {
    if fs::remove_dir_all(folder).is_ok() {
        return;
    }
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        folders.extend(
            entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()),
        );
    }
    // What is left is removed by the next server.
    let _ = fs::remove_dir_all(folder);
}

/// Whether a function has filled its folder for temporary files. Counts every file, also deleted ones that it still holds open.
pub(crate) fn is_full(tmp: &Path, pid: Option<u32>) -> bool {
    let (mut bytes, mut files) = (pid.map_or(0, removed_bytes), 0);
    let mut folders = vec![tmp.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            // The function has made the folder unreadable, so its content cannot be counted.
            Err(_) => return true,
        };
        for entry in entries.flatten() {
            let Ok(data) = entry.metadata() else { continue };
            if data.is_dir() {
                folders.push(entry.path());
            }
            // Counts disk blocks, because the length of a sparse file says nothing about the space that it takes.
            bytes += data.blocks() * 512;
            files += 1;
            if bytes > MAX_TMP || files > MAX_TMP_FILES {
                return true;
            }
        }
    }
    false
}

/// The disk space of deleted files that a process holds open, in bytes.
fn removed_bytes(pid: u32) -> u64 {
    let open = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let found = open.filter_map(|entry| fs::metadata(entry.path()).ok());
    found.filter(|data| data.is_file() && data.nlink() == 0).map(|data| data.blocks() * 512).sum()
}

fn private(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

/// Removes folders whose process does not run any more.
fn remove_stale(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let pid = rest.split('-').next().and_then(|pid| pid.parse().ok()).and_then(Pid::from_raw);
        // A process of another user cannot be signalled, but it is there.
        let is_gone = pid.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH));
        if is_gone {
            remove(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_full_of_bytes_or_of_files() {
        let folder = std::env::temp_dir().join(format!("dugout-full-{}", std::process::id()));
        let deep = folder.join("a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::File::create(deep.join("hole")).unwrap().set_len(2 * MAX_TMP).unwrap();
        assert!(!is_full(&folder, None));
        for number in 0..MAX_TMP_FILES {
            fs::write(deep.join(number.to_string()), "").unwrap();
        }
        assert!(is_full(&folder, None));
        remove(&folder);
        assert!(!folder.exists() && !is_full(Path::new("/nowhere"), None));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn files_that_are_removed_and_open_count() {
        use std::io::Write;

        let path = std::env::temp_dir().join(format!("dugout-removed-{}", std::process::id()));
        let mut file = fs::File::create(&path).unwrap();
        file.write_all(&[1; 1 << 20]).unwrap();
        file.sync_all().unwrap();
        fs::remove_file(&path).unwrap();
        assert!(removed_bytes(std::process::id()) >= 1 << 20);
    }
}
