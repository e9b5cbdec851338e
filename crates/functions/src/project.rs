//! The functions of a project for the command line: listed, and made.

mod pack;

use std::io;
use std::path::{Path, PathBuf};

use gateway::settings::Resolved;

use crate::model::Project;
use crate::model::definition::is_name;
use crate::outside::deployments;
use crate::{access_token, config, routes};

pub use crate::model::bundle::BundleError;
pub use pack::{PackError, Packed, pack};

/// Where a server takes deployments.
pub const MANAGEMENT: &str = routes::MANAGEMENT;

/// Under which a running server tells the access token of Supabase's CLI.
pub const ACCESS_TOKEN: &str = access_token::NAME;

/// What a new function does: it greets.
const TEMPLATE: &str = include_str!("../runtime/template.ts");

/// A function of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name, the last part of its address.
    pub name: String,
    /// Whether it wants a token.
    pub verify_jwt: bool,
    /// The module that is run.
    pub entry: PathBuf,
}

/// A function that was deployed to a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployed {
    /// Its name.
    pub name: String,
    /// Whether it wants a token.
    pub verify_jwt: bool,
    /// The version that is served.
    pub version: u32,
    /// All versions that are kept.
    pub versions: Vec<u32>,
}

/// The functions that were deployed to the server of a data directory, by name.
pub fn deployed(data_dir: &Path) -> Vec<Deployed> {
    let listed = deployments::listed(data_dir).into_iter();
    let deployed = listed.map(|(version, versions)| Deployed {
        name: version.name,
        verify_jwt: version.verify_jwt,
        version: version.number,
        versions,
    });
    deployed.collect()
}

/// Why there is no new function.
#[derive(Debug, thiserror::Error)]
pub enum NewError {
    /// No function can have the name.
    #[error("“{0}” is no name of a function: it begins with a letter, and letters, digits, - and _ follow")]
    Name(String),
    /// There is one already.
    #[error("{0} exists already")]
    Exists(PathBuf),
    /// The file cannot be written.
    #[error("{0} cannot be written: {1}")]
    File(PathBuf, io::Error),
}

/// The functions of the project that are switched on, by name.
pub fn list(resolved: &Resolved) -> Vec<Listed> {
    let Some(supabase) = config::supabase(resolved) else { return Vec::new() };
    // The server says what is wrong with a setting.
    let project = Project { supabase, settings: config::functions(resolved, &mut Vec::new()) };
    let listed = |name: String| {
        let entry = project.find(&name)?.entry;
        Some(Listed { verify_jwt: project.settings(&name).verify_jwt, entry, name })
    };
    project.names().into_iter().filter_map(listed).collect()
}

/// Makes a function in the folder `supabase`, and returns its module.
///
/// # Errors
/// [`NewError`], a sentence for a person.
pub fn create(supabase: &Path, name: &str) -> Result<PathBuf, NewError> {
    if !is_name(name) {
        return Err(NewError::Name(name.to_owned()));
    }
    let folder = supabase.join("functions").join(name);
    if folder.exists() {
        return Err(NewError::Exists(folder));
    }
    let entry = folder.join("index.ts");
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&entry, TEMPLATE));
    written.map_err(|error| NewError::File(entry.clone(), error))?;
    Ok(entry)
}

/// The log of a function in a data directory.
pub fn log_of(data_dir: &Path, name: &str) -> Option<PathBuf> {
    is_name(name).then(|| data_dir.join("functions/logs").join(format!("{name}.log")))
}
