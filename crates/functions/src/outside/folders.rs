//! The folders of the service: sockets and scratch files of processes, Deno's cache, the logs.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::process::{Pid, test_kill_process};
use url::Url;

use crate::model::specifier::Shims;

const PREFIX: &str = "dugout-functions-";

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
        let _ = fs::remove_dir_all(&self.run);
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
        let _ = fs::remove_dir_all(&self.0);
    }
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
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
