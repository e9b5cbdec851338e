//! Rules about the sources, as tests: architecture.md and style.md of the project's design.

mod conformance;
mod crates;
mod deviations;
mod floors;
mod migrations;
mod prepared;
mod routes;
mod settings;
mod sizes;
mod words;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A file of the repository that a person wrote. Its path is relative to the root.
pub(crate) struct Source {
    pub path: String,
    pub text: String,
}

/// All files whose name ends in one of `endings` and that are in git or would be added (so a new one counts before it is added).
pub(crate) fn sources(endings: &[&str]) -> Vec<Source> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git lists the files");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let files: Vec<Source> = String::from_utf8(listed.stdout)
        .unwrap()
        .lines()
        .filter(|path| endings.iter().any(|ending| path.ends_with(ending)))
        // A file that was deleted, but not committed, is still listed.
        .filter_map(|path| {
            Some(Source { text: std::fs::read_to_string(root().join(path)).ok()?, path: path.to_owned() })
        })
        .collect();
    assert!(!files.is_empty(), "no file ends in {endings:?}: the test looks in the wrong place");
    files
}
