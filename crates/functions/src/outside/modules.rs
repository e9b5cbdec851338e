//! The modules of a function, which Deno loads before it runs the function.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Deserialize;
use tokio::time::timeout;
use url::Url;

use super::launch::shared_environment;

/// What Deno needs to find the modules of a function.
pub(crate) struct Modules<'a> {
    pub(crate) deno: &'a Path,
    pub(crate) cache: &'a Path,
    pub(crate) config: &'a Path,
    pub(crate) entry: &'a Path,
    /// Addresses from which no module is loaded, in Deno's syntax, because importing one would read what that server returns.
    pub(crate) denied: &'a [String],
}

/// What `deno info --json` says.
#[derive(Deserialize)]
struct Info {
    modules: Vec<Module>,
}

#[derive(Deserialize)]
struct Module {
    specifier: String,
}

impl Modules<'_> {
    /// Downloads the remote modules.
    ///
    /// # Errors
    /// What Deno says, or why it cannot be run.
    pub(crate) async fn download(&self, patience: Duration) -> Result<(), String> {
        self.run(&["cache", "--quiet"], patience).await.map(drop)
    }

    /// The local files among the modules, including missing ones and those that a literal `import()` names. Deno loads them
    /// without read permission, because they are part of the program.
    ///
    /// # Errors
    /// What Deno says, or why it cannot be run.
    pub(crate) async fn local(&self, patience: Duration) -> Result<Vec<PathBuf>, String> {
        let said = self.run(&["info", "--json"], patience).await?;
        let info: Info = serde_json::from_slice(&said).map_err(|error| format!("deno info cannot be read: {error}"))?;
        let addresses = info.modules.iter().filter_map(|module| Url::parse(&module.specifier).ok());
        Ok(addresses.filter(|address| address.scheme() == "file").filter_map(|file| file.to_file_path().ok()).collect())
    }

    /// Runs Deno with the server's environment, which configures registries and proxies. It runs none of the function's code.
    async fn run(&self, what: &[&str], patience: Duration) -> Result<Vec<u8>, String> {
        let mut command = Command::new(self.deno);
        shared_environment(&mut command, self.cache);
        command
            .args(what)
            .args(["--no-lock", "--allow-import"])
            .arg(format!("--deny-import={}", self.denied.join(",")));
        command.arg("--config").arg(self.config).arg(self.entry).stdin(Stdio::null());
        let mut command = tokio::process::Command::from(command);
        command.kill_on_drop(true);
        let output = timeout(patience, command.output())
            .await
            .map_err(|_| format!("the modules were not loaded within {patience:?}"))?;
        let output = output.map_err(|error| format!("{} cannot be run: {error}", self.deno.display()))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
        }
    }
}
