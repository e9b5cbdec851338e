//! The configuration of a command.

use std::collections::BTreeMap;
use std::path::Path;

use server::Config;
use server::config::{Resolved, Sources};

use crate::exit::Failure;
use crate::project;

/// The configuration from all sources.
pub(super) fn configuration(
    flags: BTreeMap<&'static str, String>,
    project: Option<&Path>,
) -> Result<(Config, Resolved), Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::new(format!("the current folder: {error}")))?;
    let project = project::find(project, &here)?;
    let sources = Sources { flags, env: environment(), project };
    Config::load(&sources).map_err(|problems| Failure::new(server::StartError::Config(problems)))
}

/// The environment variables that are valid UTF-8.
pub(super) fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
