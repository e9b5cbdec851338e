//! The files that a function consists of, and the addresses that they import.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::SystemTime;

use regex::Regex;

/// Files that are followed at most. The rest is loaded by Deno all the same, but not watched.
const MAX_FILES: usize = 2000;
/// Longer files are not searched for imports, in bytes.
const MAX_LENGTH: u64 = 4 * 1024 * 1024;

/// What the imports of a server over `node:http` contain.
const NODE_SERVERS: [&str; 6] = ["node:http", "express", "koa", "fastify", "polka", "nestjs"];

/// How a module asks whether it is the main one.
const MAIN: [&str; 2] = ["import.meta.main", "mainModule"];

#[expect(clippy::expect_used, reason = "a constant, compiled by every test of this file")]
static SPECIFIER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:\bfrom|\bimport|\bimport\s*\(|\bexport\s*\*\s*from)\s*["']([^"'\s]+)["']"#).expect("a constant")
});

#[expect(clippy::expect_used, reason = "a constant, compiled by every test of this file")]
static DEFAULT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*export\s+(?:default\b|\{[^}]*\bas\s+default\b)").expect("a constant"));

/// What reading the modules found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// Each file with what tells whether it has changed; `None` where it is missing.
    pub(crate) files: BTreeMap<PathBuf, Option<Stamp>>,
    /// Addresses outside of the project.
    pub(crate) foreign: BTreeSet<String>,
    /// Whether the entry has a default export.
    pub(crate) has_default: bool,
    /// Whether a module asks if it is the main one.
    pub(crate) needs_main: bool,
}

/// Changes whenever a file is written.
pub(crate) type Stamp = (SystemTime, u64);

/// The stamp of a file; `None` when it is missing.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    let data = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some((data.modified().ok()?, data.len()))
}

impl Graph {
    /// Follows the relative imports from `entry`. Others than modules (`more`) are watched only.
    pub(crate) fn read(entry: &Path, more: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut graph = Graph::default();
        for path in more {
            let stamp = stamp(&path);
            graph.files.insert(path, stamp);
        }
        let mut waiting = vec![entry.to_owned()];
        while let Some(path) = waiting.pop() {
            if graph.files.len() >= MAX_FILES || graph.files.contains_key(&path) {
                continue;
            }
            let stamp = stamp(&path);
            graph.files.insert(path.clone(), stamp);
            if stamp.is_none_or(|(_, length)| length > MAX_LENGTH) || !is_module(&path) {
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            graph.has_default |= path == entry && DEFAULT.is_match(&text);
            graph.needs_main |= MAIN.iter().any(|name| text.contains(name));
            for found in SPECIFIER.captures_iter(&text) {
                let specifier = &found[1];
                match relative(&path, specifier) {
                    Some(path) => waiting.push(path),
                    None => {
                        graph.foreign.insert(specifier.to_owned());
                    }
                }
            }
        }
        graph
    }

    /// Whether no file has changed since.
    pub(crate) fn is_current(&self) -> bool {
        self.files.iter().all(|(path, seen)| stamp(path) == *seen)
    }

    /// Whether it may serve with `node:http`: by its own import, or by a framework over it.
    pub(crate) fn has_node_server(&self) -> bool {
        let is_one = |specifier: &String| NODE_SERVERS.iter().any(|name| specifier.contains(name));
        self.foreign.iter().any(is_one)
    }

    /// The modules that are there.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().filter(|(path, stamp)| stamp.is_some() && is_module(path)).map(|(path, _)| path)
    }
}

fn is_module(path: &Path) -> bool {
    let endings = ["ts", "tsx", "mts", "js", "jsx", "mjs"];
    path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| endings.contains(&ending))
}

/// The file that a relative specifier names.
fn relative(from: &Path, specifier: &str) -> Option<PathBuf> {
    if !specifier.starts_with("./") && !specifier.starts_with("../") && !specifier.starts_with('/') {
        return None;
    }
    let base = url::Url::from_file_path(from).ok()?;
    base.join(specifier).ok()?.to_file_path().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_followed_and_changes_are_seen() {
        let folder = std::env::temp_dir().join(format!("dugout-graph-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("hello")).unwrap();
        std::fs::create_dir_all(folder.join("_shared")).unwrap();
        let write = |path: &str, text: &str| std::fs::write(folder.join(path), text).unwrap();
        write(
            "hello/index.ts",
            "import 'jsr:@supabase/functions-js/edge-runtime.d.ts'\nimport { a } from \"../_shared/a.ts\";\n\
             import{b}from'./gone.ts'\nconst c = await import( 'npm:c' );\nexport default { fetch: a };\n",
        );
        write("_shared/a.ts", "export * from './b.ts';\nimport type { X } from 'x'\n");
        write("_shared/b.ts", "import '../hello/index.ts'; // in a circle");
        let read = || Graph::read(&folder.join("hello/index.ts"), [folder.join("hello/deno.json")]);
        let graph = read();
        let foreign: Vec<&str> = graph.foreign.iter().map(String::as_str).collect();
        assert_eq!(foreign, ["jsr:@supabase/functions-js/edge-runtime.d.ts", "npm:c", "x"]);
        assert_eq!(graph.files.len(), 5);
        assert!(graph.has_default && graph.is_current());
        assert_eq!(graph.modules().count(), 3);
        for (path, text) in [("_shared/b.ts", "changed"), ("hello/gone.ts", "now there"), ("hello/deno.json", "{}")] {
            let graph = read();
            write(path, text);
            assert!(!graph.is_current(), "{path}");
        }
        std::fs::remove_file(folder.join("_shared/a.ts")).unwrap();
        assert!(!graph.is_current());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
