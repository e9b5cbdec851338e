//! The functions of a project for the command line: listed, and made.

use std::io;
use std::path::{Path, PathBuf};

use gateway::settings::Resolved;

use crate::config;
use crate::model::Project;
use crate::model::definition::is_name;

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
