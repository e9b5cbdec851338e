//! Settings: limits of all functions, and the sections `[functions.<name>]` of config.toml.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gateway::Secret;
use gateway::settings::{Problem, Resolved, unset_variable};

/// The settings of the service.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The folder `supabase`; `None` without a project, and then there are no functions.
    pub(crate) supabase: Option<PathBuf>,
    /// The Deno to use; `None` looks for one.
    pub(crate) deno: Option<PathBuf>,
    /// Where downloaded modules are kept; `None` is a folder in the data directory.
    pub(crate) cache: Option<PathBuf>,
    /// `[functions.<name>]`.
    pub(crate) functions: BTreeMap<String, FunctionSettings>,
    /// `[edge_runtime.secrets]`.
    pub(crate) secrets: BTreeMap<String, Secret<String>>,
    pub(crate) limits: Limits,
    /// Processes that wait for a function.
    pub(crate) warm: usize,
}

/// What one function may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Memory of its process, in mebibytes.
    pub(crate) memory: u64,
    /// CPU time of its process between two signs of life.
    pub(crate) cpu: Duration,
    /// From a request to the end of its response.
    pub(crate) wall_clock: Duration,
    /// From a request to the first byte of its response.
    pub(crate) response: Duration,
    /// From the start of a process until it serves.
    pub(crate) boot: Duration,
    /// How long a process without requests is kept.
    pub(crate) idle: Duration,
    /// Processes at most.
    pub(crate) processes: usize,
}

impl Default for Limits {
    /// Those of the hosted service, as far as it has them.
    fn default() -> Self {
        Limits {
            memory: 256,
            cpu: Duration::from_secs(2),
            wall_clock: Duration::from_secs(400),
            response: Duration::from_secs(150),
            boot: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            processes: 32,
        }
    }
}

/// `[functions.<name>]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionSettings {
    pub(crate) enabled: bool,
    pub(crate) verify_jwt: bool,
    /// Relative to `supabase/`.
    pub(crate) entrypoint: Option<PathBuf>,
    /// Relative to `supabase/`.
    pub(crate) import_map: Option<PathBuf>,
    /// Patterns, relative to `supabase/`.
    pub(crate) static_files: Vec<String>,
}

impl Default for FunctionSettings {
    fn default() -> Self {
        FunctionSettings {
            enabled: true,
            verify_jwt: true,
            entrypoint: None,
            import_map: None,
            static_files: Vec::new(),
        }
    }
}

/// Reads the sections `[functions.<name>]`.
pub(crate) fn functions(resolved: &Resolved, problems: &mut Vec<Problem>) -> BTreeMap<String, FunctionSettings> {
    let mut functions: BTreeMap<String, FunctionSettings> = BTreeMap::new();
    for (path, text) in &resolved.config.values {
        let Some((name, key)) = path.strip_prefix("functions.").and_then(|path| path.split_once('.')) else { continue };
        let function = functions.entry(name.to_owned()).or_default();
        let mut switch = |place: &mut bool| match text.trim().parse() {
            Ok(value) => *place = value,
            Err(_) => problems.push(Problem {
                place: format!("{path} in {}", resolved.config.path.display()),
                message: format!("“{text}” must be true or false"),
            }),
        };
        let file = || Some(PathBuf::from(text)).filter(|_| !text.is_empty());
        match key {
            "enabled" => switch(&mut function.enabled),
            "verify_jwt" => switch(&mut function.verify_jwt),
            "entrypoint" => function.entrypoint = file(),
            "import_map" => function.import_map = file(),
            "static_files" => {
                let patterns = text.split(',').map(str::trim).filter(|pattern| !pattern.is_empty());
                function.static_files = patterns.map(str::to_owned).collect();
            }
            _ => {}
        }
    }
    functions
}

/// Reads `[edge_runtime.secrets]`. Those whose variable is not set are left out, as by the CLI.
pub(crate) fn secrets(resolved: &Resolved, warnings: &mut Vec<String>) -> BTreeMap<String, Secret<String>> {
    let mut secrets = BTreeMap::new();
    for (path, text) in &resolved.config.values {
        let Some(name) = path.strip_prefix("edge_runtime.secrets.") else { continue };
        let origin = gateway::settings::Origin::File(resolved.config.path.clone(), path.clone());
        if let Some(variable) = unset_variable(text, &origin) {
            warnings.push(format!(
                "{origin} names the environment variable {variable}, which is not set: functions have no {name}"
            ));
            continue;
        }
        secrets.insert(name.to_owned(), Secret::new(text.clone()));
    }
    secrets
}

/// The folder `supabase`, if the project has one.
pub(crate) fn supabase(resolved: &Resolved) -> Option<PathBuf> {
    let folder = resolved.config.path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    Path::new(folder).canonicalize().ok()
}
