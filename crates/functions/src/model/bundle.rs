//! What is deployed at once: the files of a function, and how it is run. Nothing of it is written before all of it is checked.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::definition::is_name;

/// All files of a function together, in bytes.
pub(crate) const MAX_BYTES: usize = 20 * 1024 * 1024;
/// Files of a function.
pub(crate) const MAX_FILES: usize = 1000;
/// The path of a file, in bytes.
pub(crate) const MAX_PATH: usize = 512;
/// A part of a path, in bytes: what file systems allow.
const MAX_PART: usize = 255;

/// How a function is run: the part `metadata` of a deployment.
///
/// Source: Supabase's management API, `POST /v1/projects/{ref}/functions/deploy`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Metadata {
    /// The module that is run, among the files.
    pub(crate) entrypoint_path: String,
    /// Its import map or deno.json, among the files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) import_map_path: Option<String>,
    /// Whether it wants a token; absent, what holds so far stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) verify_jwt: Option<bool>,
}

/// Why a bundle cannot be deployed: a sentence for the person who deploys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// No function can have the name.
    #[error("“{0}” is no name of a function: it begins with a letter, and letters, digits, - and _ follow")]
    Name(String),
    /// The path could leave the function's folder, or no file can have it.
    #[error(
        "“{0}” is no path of a file in a function: it must be relative, without “..”, at most {MAX_PATH} bytes long"
    )]
    Path(String),
    /// Two files have the same path, or one lies in another.
    #[error("{0} is there twice, or is a file and a folder at once")]
    Twice(String),
    /// More than [`MAX_FILES`].
    #[error("a function has at most {MAX_FILES} files")]
    TooMany,
    /// More than [`MAX_BYTES`].
    #[error("the files of a function have at most {} MiB together", MAX_BYTES / 1024 / 1024)]
    TooLong,
    /// The entry or the import map is missing.
    #[error("{0} is not among the files")]
    Missing(String),
}

/// The path of a file within a function: relative, and never out of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FilePath(String);

impl FilePath {
    /// Reads a path with slashes.
    ///
    /// # Errors
    /// [`BundleError::Path`].
    pub(crate) fn parse(text: &str) -> Result<Self, BundleError> {
        let path = text.strip_prefix("./").unwrap_or(text);
        let is_part = |part: &str| !matches!(part, "" | "." | "..") && part.len() <= MAX_PART;
        let is_plain = |c: char| !c.is_control() && !matches!(c, '\\' | '"');
        if path.len() > MAX_PATH || !path.chars().all(is_plain) || !path.split('/').all(is_part) {
            return Err(BundleError::Path(text.chars().take(MAX_PATH).collect()));
        }
        Ok(FilePath(path.to_owned()))
    }

    /// The file below `folder`.
    pub(crate) fn below(&self, folder: &Path) -> PathBuf {
        folder.join(&self.0)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The folders that the file lies in.
    fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(at, _)| &self.0[..at])
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The files of a function, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bundle {
    pub(crate) name: String,
    pub(crate) entry: FilePath,
    pub(crate) import_map: Option<FilePath>,
    pub(crate) verify_jwt: Option<bool>,
    pub(crate) files: BTreeMap<FilePath, Bytes>,
}

impl Bundle {
    /// Checks what a client sent.
    ///
    /// # Errors
    /// [`BundleError`].
    pub(crate) fn new(
        name: &str,
        metadata: &Metadata,
        sent: impl IntoIterator<Item = (String, Bytes)>,
    ) -> Result<Self, BundleError> {
        if !is_name(name) {
            return Err(BundleError::Name(name.chars().take(MAX_PART).collect()));
        }
        let (mut files, mut length) = (BTreeMap::new(), 0);
        for (path, bytes) in sent {
            let path = FilePath::parse(&path)?;
            length += bytes.len();
            if length > MAX_BYTES {
                return Err(BundleError::TooLong);
            }
            if files.insert(path.clone(), bytes).is_some() {
                return Err(BundleError::Twice(path.0));
            }
            if files.len() > MAX_FILES {
                return Err(BundleError::TooMany);
            }
        }
        for path in files.keys() {
            if let Some(folder) = path.folders().find(|folder| files.contains_key(&FilePath((*folder).to_owned()))) {
                return Err(BundleError::Twice(folder.to_owned()));
            }
        }
        let among = |path: &str| {
            let path = FilePath::parse(path)?;
            if files.contains_key(&path) { Ok(path) } else { Err(BundleError::Missing(path.0)) }
        };
        let entry = among(&metadata.entrypoint_path)?;
        let import_map = metadata.import_map_path.as_deref().filter(|path| !path.is_empty()).map(among).transpose()?;
        Ok(Bundle { name: name.to_owned(), entry, import_map, verify_jwt: metadata.verify_jwt, files })
    }

    /// A digest of all paths and contents, in hexadecimal.
    pub(crate) fn digest(&self) -> String {
        let mut digest = Sha256::new();
        for (path, bytes) in &self.files {
            for part in [path.0.as_bytes(), bytes.as_ref()] {
                digest.update((part.len() as u64).to_be_bytes());
                digest.update(part);
            }
        }
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(paths: &[&str], entry: &str) -> Result<Bundle, BundleError> {
        let metadata = Metadata { entrypoint_path: entry.to_owned(), ..Metadata::default() };
        Bundle::new("hello", &metadata, paths.iter().map(|path| ((*path).to_owned(), Bytes::from_static(b"x"))))
    }

    #[test]
    fn no_path_leaves_the_folder() {
        for path in [
            "",
            "/etc/passwd",
            "../a",
            "a/../../b",
            "a/..",
            "..",
            ".",
            "a//b",
            "a/",
            "a\\..\\b",
            "a\0b",
            "a\nb",
            "a\"b",
            "./../a",
        ] {
            assert_eq!(FilePath::parse(path), Err(BundleError::Path(path.to_owned())), "{path:?}");
        }
        for path in ["a", "./a", "a/b.ts", "a/..b", "supabase/functions/_shared/é.ts", "a b", ".npmrc"] {
            let parsed = FilePath::parse(path).unwrap();
            assert_eq!(parsed.as_str(), path.trim_start_matches("./"));
        }
        let longest = format!("{0}/{0}", "b".repeat(MAX_PART));
        assert!(longest.len() <= MAX_PATH && FilePath::parse(&longest).is_ok());
        for (long, is) in [(MAX_PART, true), (MAX_PART + 1, false)] {
            assert_eq!(FilePath::parse(&"a".repeat(long)).is_ok(), is);
        }
        for (more, is) in [(0, true), (1, false)] {
            let path = "ab/".repeat(MAX_PATH / 3) + &"c".repeat(MAX_PATH % 3 + more);
            assert_eq!(FilePath::parse(&path).is_ok(), is, "{}", path.len());
        }
    }

    #[test]
    fn a_bundle_has_limits_and_its_entry() {
        assert!(bundle(&["index.ts", "a/b.ts", "a.b"], "./index.ts").is_ok());
        for (paths, entry, error) in [
            (&["a", "./a"][..], "a", BundleError::Twice("a".to_owned())),
            (&["a", "a/b", "index.ts"], "index.ts", BundleError::Twice("a".to_owned())),
            (&["a"], "index.ts", BundleError::Missing("index.ts".to_owned())),
            (&["a"], "../a", BundleError::Path("../a".to_owned())),
        ] {
            assert_eq!(bundle(paths, entry), Err(error));
        }
        let many = |count: usize| {
            let paths: Vec<String> = (0..count).map(|number| format!("f{number}")).collect();
            bundle(&paths.iter().map(String::as_str).collect::<Vec<_>>(), "f0")
        };
        assert!(many(MAX_FILES).is_ok());
        assert_eq!(many(MAX_FILES + 1), Err(BundleError::TooMany));
        let long = |length| {
            let metadata = Metadata { entrypoint_path: "a".to_owned(), ..Metadata::default() };
            Bundle::new("hello", &metadata, [("a".to_owned(), Bytes::from(vec![0; length]))])
        };
        assert!(long(MAX_BYTES).is_ok());
        assert_eq!(long(MAX_BYTES + 1), Err(BundleError::TooLong));
        let map = Metadata { entrypoint_path: "a".to_owned(), import_map_path: Some("b".to_owned()), verify_jwt: None };
        let sent = || [("a".to_owned(), Bytes::new())];
        assert_eq!(Bundle::new("hello", &map, sent()), Err(BundleError::Missing("b".to_owned())));
        assert_eq!(Bundle::new("../x", &map, sent()), Err(BundleError::Name("../x".to_owned())));
    }

    #[test]
    fn the_digest_tells_names_from_contents() {
        let digest = |path: &str, bytes: &'static str| {
            let metadata = Metadata { entrypoint_path: path.to_owned(), ..Metadata::default() };
            Bundle::new("hello", &metadata, [(path.to_owned(), Bytes::from(bytes))]).unwrap().digest()
        };
        assert_ne!(digest("ab", "c"), digest("a", "bc"));
        assert_eq!(digest("a", "b"), digest("./a", "b"));
    }
}
