//! `[storage.buckets]` of config.toml.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gateway::settings::{ConfigFile, Origin, Problem};

use crate::protocol::sizes;

/// A declared bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Declared {
    /// Its name and id.
    pub(crate) name: String,
    /// Anyone can read.
    pub(crate) public: bool,
    /// Maximum size of an object, in bytes; `None` for the server's limit.
    pub(crate) file_size_limit: Option<u64>,
    /// Patterns of media types; empty for all.
    pub(crate) allowed_mime_types: Vec<String>,
    /// The folder with the files to upload.
    pub(crate) objects: Option<PathBuf>,
}

/// `[storage.buckets.NAME]` of config.toml, by name. Paths of objects are relative to that file.
pub(crate) fn read(config: &ConfigFile, problems: &mut Vec<Problem>) -> Vec<Declared> {
    let mut buckets: BTreeMap<&str, Declared> = BTreeMap::new();
    for (path, text) in &config.values {
        let Some((name, key)) = path.strip_prefix("storage.buckets.").and_then(|rest| rest.rsplit_once('.')) else {
            continue;
        };
        let bucket = buckets.entry(name).or_insert_with(|| Declared { name: name.to_owned(), ..Declared::default() });
        let mut wrong = |expected: &str| {
            let place = Origin::File(config.path.clone(), path.clone()).to_string();
            problems.push(Problem { place, message: format!("“{text}” must be {expected}") });
        };
        match key {
            "public" => match text.parse() {
                Ok(public) => bucket.public = public,
                Err(_) => wrong("true or false"),
            },
            "file_size_limit" => match sizes::binary(text) {
                Some(limit) => bucket.file_size_limit = Some(limit),
                None => wrong("a size such as 50MiB, or a number of bytes"),
            },
            "allowed_mime_types" => {
                bucket.allowed_mime_types =
                    text.split(',').map(str::trim).filter(|kind| !kind.is_empty()).map(str::to_owned).collect();
            }
            "objects_path" if !text.is_empty() => {
                bucket.objects = Some(config.path.parent().unwrap_or(Path::new(".")).join(text));
            }
            _ => {}
        }
    }
    buckets.into_values().collect()
}
