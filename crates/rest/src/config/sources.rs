//! The sources of settings: the database overrides the environment, which overrides a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::file::{File, Value};
use super::{FileError, Problem};

/// Environment and file, which are read again at each reload.
#[derive(Debug, Default)]
pub struct Sources {
    environment: BTreeMap<String, String>,
    file: Option<PathBuf>,
    /// The content of `@/dev/stdin`, which can be read only once.
    standard_input: OnceLock<Vec<u8>>,
}

/// The content of all three sources at one moment.
pub(super) struct Layers<'a> {
    sources: &'a Sources,
    database: &'a [(String, String)],
    file: File,
}

/// The only variable that PostgREST does not have: the lane of reads.
pub(super) const LANE: &str = "DUGOUT_REST_LANE";

fn is_ours(name: &str) -> bool {
    name.starts_with("PGRST_") || name == LANE
}

impl Sources {
    /// Reads `PGRST_*` of `environment`, and `file` if there is one.
    pub fn new(environment: impl IntoIterator<Item = (String, String)>, file: Option<&Path>) -> Self {
        Sources {
            environment: environment.into_iter().filter(|(name, _)| is_ours(name)).collect(),
            file: file.map(Path::to_owned),
            standard_input: OnceLock::new(),
        }
    }

    pub(super) fn layers<'a>(&'a self, database: &'a [(String, String)]) -> Result<Layers<'a>, Problem> {
        let file = match &self.file {
            None => File::default(),
            Some(path) => File::load(path, &self.environment).map_err(|error: FileError| Problem::of(error))?,
        };
        Ok(Layers { sources: self, database, file })
    }
}

impl Layers<'_> {
    /// The value of `key` (`db-max-rows`); its name is `db_max_rows` in the database, and `PGRST_DB_MAX_ROWS` in
    /// the environment.
    pub(super) fn get(&self, key: &str) -> Option<Value> {
        let name = key.replace('-', "_");
        let in_database = self.database.iter().find(|(own, _)| *own == name).map(|(_, value)| value);
        let text =
            in_database.or_else(|| self.sources.environment.get(&format!("PGRST_{}", name.to_ascii_uppercase())));
        text.map(|text| Value::Text(text.clone())).or_else(|| self.file.get(key).cloned())
    }

    /// The value of [`LANE`].
    pub(super) fn lane(&self) -> Option<&str> {
        self.sources.environment.get(LANE).map(String::as_str)
    }

    /// `app.settings.…` of file and environment, by name.
    pub(super) fn app_settings(&self) -> Vec<(String, String)> {
        const PREFIX: &str = "app.settings.";
        let in_file = self.file.entries().filter(|(key, _)| key.starts_with(PREFIX));
        let mut settings: BTreeMap<String, String> =
            in_file.map(|(key, value)| (key.to_owned(), value.to_string())).collect();
        settings.extend(self.sources.environment.iter().filter_map(|(name, value)| {
            Some((format!("{PREFIX}{}", name.strip_prefix("PGRST_APP_SETTINGS_")?), value.clone()))
        }));
        settings.into_iter().collect()
    }

    /// Variables that are not among `known` settings.
    pub(super) fn unknown(&self, known: &[String]) -> Vec<String> {
        let is_known =
            |name: &&String| name.starts_with("PGRST_APP_SETTINGS_") || *name == LANE || known.contains(name);
        self.sources.environment.keys().filter(|name| !is_known(name)).cloned().collect()
    }

    /// The bytes that `@path` refers to.
    pub(super) fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        if path != "/dev/stdin" {
            return std::fs::read(path);
        }
        if let Some(bytes) = self.sources.standard_input.get() {
            return Ok(bytes.clone());
        }
        let bytes = std::fs::read(path)?;
        Ok(self.sources.standard_input.get_or_init(|| bytes).clone())
    }
}
