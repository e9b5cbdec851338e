//! Modules of other servers, which Deno loads before it runs a function.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tokio::time::timeout;

use super::launch::shared_environment;

/// Downloads the modules that a function imports.
///
/// # Errors
/// What Deno says, or why it cannot be run.
pub(crate) async fn download(
    deno: &Path,
    cache: &Path,
    config: &Path,
    entry: &Path,
    patience: Duration,
) -> Result<(), String> {
    let mut command = tokio::process::Command::from(command(deno, cache, config, entry));
    command.kill_on_drop(true);
    let output = timeout(patience, command.output())
        .await
        .map_err(|_| format!("the modules were not loaded within {patience:?}"))?;
    let output = output.map_err(|error| format!("{} cannot be run: {error}", deno.display()))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()) }
}

/// The command that downloads the modules of a function. It runs none of its code, and has our own environment: registries and
/// proxies are configured there.
fn command(deno: &Path, cache: &Path, config: &Path, entry: &Path) -> Command {
    let mut command = Command::new(deno);
    shared_environment(&mut command, cache);
    command.args(["cache", "--quiet", "--no-lock", "--allow-import", "--config"]).arg(config).arg(entry);
    command.stdin(Stdio::null());
    command
}
