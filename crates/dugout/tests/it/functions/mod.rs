//! `/functions/v1`: Deno programs behind the real server. Skipped where there is no Deno.
//!
//! | Behaviour | File |
//! |---|---|
//! | the path keeps the name; every method; bodies and streams both ways, server-sent events; repeated headers, 204, 304, HEAD | `requests.rs` |
//! | OPTIONS without a token; CORS is the function's; `x-relay-error`; no Deno | `cors.rs` |
//! | `verify_jwt`, tokens of users and of API keys | `tokens.rs` |
//! | WebSockets, beyond the limit of responses | `websocket.rs` |
//! | the client disconnects: the request aborts, background work continues | `abort.rs` |
//! | import maps, `deno.json`, `_shared`, entrypoint, static files, variables, `/tmp` | `files.rs` |
//! | one start for concurrent first requests; BOOT_ERROR, WORKER_ERROR, time limits, idle stop, hot reload | `life.rs` |
//! | memory, endless loops, floods of logs, files, processes and threads; attempts to leave the sandbox | `isolation.rs` |
//! | deployment: atomic, rolled back, requests in flight finish, a kill in between | `deploy.rs`, `deploy_command.rs`, `deploy_killed.rs` |
//! | a warm process becomes one function only | `warm.rs` |
//! | functions in Rust | `native.rs` |
//! | functions-js; edge-runtime's corpus; the command line | `client.rs`; `corpus.rs`; `command.rs` |

mod abort;
mod client;
mod command;
mod corpus;
mod cors;
mod deploy;
mod deploy_again;
mod deploy_command;
mod deploy_killed;
mod deploy_outside;
mod files;
mod isolation;
mod life;
mod native;
mod requests;
mod server_ends;
mod tokens;
mod warm;
mod websocket;

use std::path::{Path, PathBuf};

use reqwest::Method;

use crate::architecture::root;
use crate::kit::{Calls, Database, Request, Server, skip};

/// The program, as the server finds it.
pub(super) fn deno() -> Option<PathBuf> {
    let packages = std::fs::read_dir(root().join("node_modules/@deno")).into_iter().flatten().flatten();
    let of_npm = packages.map(|package| package.path().join("deno"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let of_system: Vec<PathBuf> = std::env::split_paths(&path).map(|folder| folder.join("deno")).collect();
    let found = of_npm.chain(of_system).find(|path| path.is_file());
    if found.is_none() {
        skip("Deno is missing: scripts/install.sh installs it where npm has it");
    }
    found
}

/// A project with functions, and a server for it.
pub(super) struct Functions {
    folder: tempfile::TempDir,
    pub(super) server: Server,
}

/// Before the server starts.
pub(super) struct Project(tempfile::TempDir, PathBuf);

impl Project {
    /// A project whose functions want no token, unless `config` has a section for them; `None` without Deno.
    pub(super) fn new(config: &str, files: &[(&str, &str)]) -> Option<Self> {
        let deno = deno()?;
        let project = Project(tempfile::tempdir().unwrap(), deno);
        let mut config = config.to_owned();
        for (path, text) in files {
            project.write(path, text);
            let name = path.split('/').next().unwrap();
            let section = format!("[functions.{name}]");
            if path.contains("/index.") && !config.contains(&section) {
                config.push_str(&format!("\n{section}\nverify_jwt = false\n"));
            }
        }
        std::fs::create_dir_all(project.supabase()).unwrap();
        std::fs::write(project.supabase().join("config.toml"), config).unwrap();
        Some(project)
    }

    pub(super) fn supabase(&self) -> PathBuf {
        self.0.path().join("supabase")
    }

    /// Writes a file below `supabase/functions`.
    pub(super) fn write(&self, path: &str, text: &str) {
        write(self.0.path(), path, text);
    }

    pub(super) async fn start(self, settings: &[(&str, &str)]) -> Functions {
        // What the functions of one test download, those of the others need not.
        let cache = std::env::temp_dir().join("dugout-it-deno");
        let own = [("DUGOUT_DENO", self.1.to_str().unwrap()), ("DUGOUT_FUNCTIONS_CACHE", cache.to_str().unwrap())];
        // The machine may be loaded: a process may take its time.
        let patient = [("DUGOUT_FUNCTIONS_BOOT_S", "60"), ("SUPABASE_DB_MIGRATIONS_ENABLED", "false")];
        let settings: Vec<_> = own.iter().chain(&patient).chain(settings).copied().collect();
        let server = Server::of_project(self.0.path(), Database::cloned().await, &settings).await;
        Functions { folder: self.0, server }
    }
}

impl Functions {
    /// The server for a project; `None` without Deno.
    pub(super) async fn start(files: &[(&str, &str)]) -> Option<Self> {
        Some(Project::new("", files)?.start(&[]).await)
    }

    pub(super) fn call(&self, method: Method, path: &str) -> Request {
        self.server.request(method, &format!("/functions/v1/{path}"))
    }

    pub(super) fn get(&self, path: &str) -> Request {
        self.call(Method::GET, path)
    }

    /// Writes a file below `supabase/functions`.
    pub(super) fn write(&self, path: &str, text: &str) {
        write(self.folder.path(), path, text);
    }

    pub(super) fn supabase(&self) -> PathBuf {
        self.folder.path().join("supabase")
    }

    /// The data directory.
    pub(super) fn data(&self) -> &Path {
        self.server.data()
    }
}

fn write(project: &Path, path: &str, text: &str) {
    let path = project.join("supabase/functions").join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
