//! How the process of a function is started, and with which permissions.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, PipeReader};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, PoisonError};

use gateway::Secret;
use pg::supervise::{self, Program, Signal, Tail};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};

use super::folders::{Folders, Scratch};
use super::log::Log;
use crate::model::Definition;
use crate::model::definition::Origin;
use crate::model::graph::Graph;

/// Files that a process may have open.
const MAX_FILES: u64 = 1024;
/// The longest file that it may write, in bytes.
const MAX_FILE_SIZE: u64 = 512 * 1024 * 1024;
/// What the system may tell it.
///
/// DEVIATION (stricter): a function learns nothing about the users and networks of the machine.
const ALLOWED_SYS: &str = "--allow-sys=cpus,osRelease,systemMemoryInfo,osUptime,loadavg,statfs";

/// Everything needed to start a process, once.
pub(crate) struct Launch {
    pub(crate) deno: PathBuf,
    pub(crate) entry: PathBuf,
    pub(crate) preload: PathBuf,
    pub(crate) config: PathBuf,
    pub(crate) cache: PathBuf,
    pub(crate) socket: PathBuf,
    pub(crate) tmp: PathBuf,
    /// Files and folders that the function may read.
    pub(crate) readable: Vec<PathBuf>,
    /// Addresses that it may not connect to, in Deno's syntax.
    pub(crate) denied: Vec<String>,
    pub(crate) variables: BTreeMap<String, Secret<String>>,
    /// Mebibytes of its heap.
    pub(crate) memory: u64,
    /// In the path of the supervisor's own requests.
    pub(crate) nonce: Secret<String>,
    pub(crate) has_default: bool,
    pub(crate) has_node_server: bool,
    pub(crate) output: Output,
}

/// Where the output of a process goes.
pub(crate) enum Output {
    /// To the log of its function.
    Log(Log),
    /// To the log of a function that a warm process learns later, through its standard input.
    Later(Mutex<Option<(PipeReader, Receiver<Log>)>>),
}

impl Launch {
    fn permissions(&self) -> Vec<String> {
        let list = |paths: &[&Path]| paths.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>().join(",");
        let own: [&Path; 2] = [&self.socket, &self.tmp];
        // Packages read their own files. The rest of the cache has the sources of other functions.
        let packages = self.cache.join("npm");
        let readable: Vec<&Path> =
            self.readable.iter().map(PathBuf::as_path).chain(own).chain([packages.as_path()]).collect();
        // A comma separates paths in Deno's options. A folder with one cannot be named.
        let (readable, _): (Vec<&Path>, Vec<&Path>) =
            readable.into_iter().partition(|path| !path.to_string_lossy().contains(','));
        vec![
            "--no-prompt".to_owned(),
            "--allow-env".to_owned(),
            "--allow-net".to_owned(),
            format!("--deny-net={}", self.denied.join(",")),
            "--allow-import".to_owned(),
            format!("--deny-import={}", self.denied.join(",")),
            ALLOWED_SYS.to_owned(),
            format!("--allow-read={}", list(&readable)),
            format!("--allow-write={}", list(&own)),
        ]
    }

    /// What `runtime/preload.js` knows of the function.
    pub(crate) fn setup(&self) -> Value {
        json!({
            "entry": url::Url::from_file_path(&self.entry).map(String::from).unwrap_or_default(),
            "socket": self.socket,
            "tmp": self.tmp,
            "readable": self.readable,
            "nonce": self.nonce.reveal(),
            "hasDefault": self.has_default,
            "hasNodeServer": self.has_node_server,
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.deno);
        command.env_clear();
        for (name, value) in &self.variables {
            command.env(name, value.reveal());
        }
        shared_environment(&mut command, &self.cache);
        let mut setup = self.setup();
        setup["isWarm"] = json!(matches!(self.output, Output::Later(_)));
        command.env("DUGOUT_FUNCTION", setup.to_string()).env("TMPDIR", &self.tmp);
        command.args(["run", "--quiet", "--cached-only", "--no-lock", "--unstable-no-legacy-abort"]);
        command.args(self.permissions());
        command.arg(format!("--v8-flags=--max-old-space-size={}", self.memory));
        command.arg("--config").arg(&self.config).arg("--preload").arg(&self.preload).arg(&self.entry);
        command.current_dir(&self.tmp).stdin(Stdio::null());
        // A group of its own: Ctrl-C at the terminal is for us, who first let the requests in flight finish.
        command.process_group(0);
        command
    }
}

/// What Deno needs to know whether it runs a function or downloads modules.
pub(super) fn shared_environment(command: &mut Command, cache: &Path) {
    command.env("DENO_DIR", cache).env("DENO_NO_UPDATE_CHECK", "1").env("DENO_NO_PROMPT", "1").env("NO_COLOR", "1");
    // The certificate authorities that the administrator of the machine trusts count, too.
    command.env("DENO_TLS_CA_STORE", "system,mozilla");
    for name in ["SSL_CERT_FILE", "SSL_CERT_DIR"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}

impl Program for Launch {
    fn name(&self) -> &'static str {
        "function"
    }

    fn clear(&self) -> Result<(), String> {
        match fs::remove_file(&self.socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.to_string()),
            _ => Ok(()),
        }
    }

    fn spawn(&self) -> io::Result<Child> {
        let mut command = self.command();
        // No program that a function needs to end in order. The requests in flight are lost with us anyway.
        supervise::die_with_parent(&mut command, Signal::KILL);
        let (output, input) = io::pipe()?;
        let log = match &self.output {
            Output::Log(own) => Ok(own.clone()),
            Output::Later(pipe) => {
                let taken = pipe.lock().unwrap_or_else(PoisonError::into_inner).take();
                let (stdin, later) = taken.ok_or(io::ErrorKind::BrokenPipe)?;
                command.stdin(stdin);
                Err(later)
            }
        };
        let child = command.stdout(input.try_clone()?).stderr(input).spawn()?;
        // The command holds the pipe's other end: the output would never end.
        drop(command);
        limit(&child);
        let follow = move || {
            // A process that is never given a function writes nothing.
            if let Ok(log) = log.or_else(|later| later.recv()) {
                log.follow(output);
            }
        };
        std::thread::Builder::new().name("function-log".to_owned()).spawn(follow)?;
        Ok(child)
    }

    fn is_ready(&self, _: Pid) -> bool {
        // A process of the pool waits until it has a function; when that serves is seen by who gives it one.
        matches!(self.output, Output::Later(_)) || UnixStream::connect(&self.socket).is_ok()
    }

    /// Nothing: [`Launch::spawn`] reads both streams.
    fn forward(_: ChildStderr, _: &Tail) {}

    fn restarts(&self) -> bool {
        false
    }
}

/// Sets the limits that the kernel enforces. A process that has just ended has none.
#[cfg(target_os = "linux")]
fn limit(child: &Child) {
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return };
    for (resource, most) in [(Resource::Nofile, MAX_FILES), (Resource::Fsize, MAX_FILE_SIZE), (Resource::Core, 0)] {
        let _ = prlimit(Some(pid), resource, Rlimit { current: Some(most), maximum: Some(most) });
    }
    // When memory runs out, the kernel ends a function before PostgreSQL and before us.
    let _ = fs::write(format!("/proc/{}/oom_score_adj", child.id()), "1000");
}

#[cfg(not(target_os = "linux"))]
fn limit(_: &Child) {}

/// Where a function may read besides [`our_files`]: its own folder, the modules that it imports, shared folders that these are in,
/// its static files. A deployed function reads all files of its version.
pub(crate) fn own_files(definition: &Definition, graph: &Graph) -> Vec<PathBuf> {
    let functions = definition.root.as_path();
    let modules = graph.modules().cloned();
    let shared = graph.modules().filter_map(|module| {
        let folder = module.strip_prefix(functions).ok()?.components().next()?;
        let name = folder.as_os_str().to_str().filter(|name| name.starts_with('_'))?;
        Some(functions.join(name))
    });
    let own = match &definition.origin {
        Origin::Deployed { files, .. } => Some(files.clone()),
        // An entry that lies in the project's own folders does not open these.
        Origin::Project => Some(definition.folder.clone()).filter(|folder| !functions.starts_with(folder)),
    };
    let patterns = definition.static_files.iter().filter_map(|pattern| glob::glob(pattern).ok());
    let mut readable: Vec<PathBuf> =
        own.into_iter().chain(modules).chain(shared).chain(patterns.flatten().flatten()).collect();
    readable.sort();
    readable.dedup();
    readable
}

/// Files of ours that every function may read.
pub(crate) fn our_files(folders: &Folders, scratch: &Scratch) -> Vec<PathBuf> {
    folders.modules().into_iter().chain([scratch.config()]).collect()
}
