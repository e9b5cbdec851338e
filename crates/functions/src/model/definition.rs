//! Which functions a project has, and where their files lie.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::config::FunctionSettings;

/// A name of a function is no longer, in bytes.
const MAX_NAME: usize = 128;

/// Files that make a folder a function, strongest first.
const ENTRIES: [&str; 5] = ["index.ts", "index.js", "index.mjs", "index.tsx", "index.jsx"];

/// A project's functions: the folder and the settings.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    /// The folder `supabase`, absolute.
    pub(crate) supabase: PathBuf,
    pub(crate) settings: BTreeMap<String, FunctionSettings>,
}

/// A function as it lies on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: String,
    /// The module that is run, absolute.
    pub(crate) entry: PathBuf,
    /// The folder of the function, where its deno.json is: that of the entry.
    pub(crate) folder: PathBuf,
    /// The import map that the settings name.
    pub(crate) import_map: Option<PathBuf>,
    /// Patterns of files that it may read, absolute.
    pub(crate) static_files: Vec<String>,
    /// The folder of all functions, with shared folders and the import map of those that have none.
    pub(crate) root: PathBuf,
    pub(crate) origin: Origin,
}

/// Where a function's files come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The project's folder.
    Project,
    /// A deployed version.
    Deployed {
        /// The version's number.
        number: u32,
        /// The folder with all of its files.
        files: PathBuf,
    },
}

impl Origin {
    /// The folder with all files of the deployed version.
    pub(crate) fn files(&self) -> Option<&Path> {
        match self {
            Origin::Project => None,
            Origin::Deployed { files, .. } => Some(files),
        }
    }

    /// The number of the deployed version.
    pub(crate) fn number(&self) -> Option<u32> {
        match self {
            Origin::Project => None,
            Origin::Deployed { number, .. } => Some(*number),
        }
    }
}

/// True for names that can be functions: a letter, then letters, digits, `_` and `-`, as the CLI has it.
pub(crate) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    name.len() <= MAX_NAME
        && bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

impl Project {
    /// The folder `supabase/functions`.
    pub(crate) fn folder(&self) -> PathBuf {
        self.supabase.join("functions")
    }

    /// The settings of a function.
    pub(crate) fn settings(&self, name: &str) -> FunctionSettings {
        self.settings.get(name).cloned().unwrap_or_default()
    }

    /// True for a function that the settings switch off.
    pub(crate) fn is_off(&self, name: &str) -> bool {
        self.settings.get(name).is_some_and(|settings| !settings.enabled)
    }

    /// The function with this name; `None` if the project lacks it or disables it.
    pub(crate) fn find(&self, name: &str) -> Option<Definition> {
        if !is_name(name) {
            return None;
        }
        let settings = self.settings(name);
        if !settings.enabled {
            return None;
        }
        let entry = match &settings.entrypoint {
            Some(entry) => self.supabase.join(entry),
            None => {
                let folder = self.folder().join(name);
                ENTRIES.iter().map(|file| folder.join(file)).find(|path| path.is_file())?
            }
        };
        let entry = entry.canonicalize().ok().filter(|entry| entry.is_file())?;
        Some(Definition {
            name: name.to_owned(),
            folder: entry.parent()?.to_owned(),
            entry,
            import_map: settings.import_map.as_ref().map(|path| self.supabase.join(path)),
            static_files: settings.static_files.iter().map(|pattern| absolute(&self.supabase, pattern)).collect(),
            root: self.folder(),
            origin: Origin::Project,
        })
    }

    /// The names of all functions that are switched on.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let folders = std::fs::read_dir(self.folder()).into_iter().flatten().flatten();
        let found = folders.filter_map(|entry| entry.file_name().into_string().ok());
        found.chain(self.settings.keys().cloned()).filter(|name| self.find(name).is_some()).collect()
    }
}

fn absolute(supabase: &Path, pattern: &str) -> String {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    supabase.join(pattern).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_cli() {
        let long = "a".repeat(MAX_NAME);
        for (name, is) in [
            ("hello", true),
            ("a", true),
            ("Hello-World_2", true),
            (long.as_str(), true),
            (&format!("{long}a"), false),
            ("", false),
            ("_shared", false),
            ("1st", false),
            ("a.b", false),
            ("..", false),
            ("é", false),
        ] {
            assert_eq!(is_name(name), is, "{name}");
        }
    }

    #[test]
    fn folders_and_settings_make_functions() {
        let supabase = std::env::temp_dir().join(format!("dugout-definitions-{}", std::process::id()));
        for folder in ["hello", "_shared", "empty", "off", "script"] {
            std::fs::create_dir_all(supabase.join("functions").join(folder)).unwrap();
        }
        let write = |path: &str| std::fs::write(supabase.join(path), "").unwrap();
        for path in ["functions/hello/index.ts", "functions/_shared/index.ts", "functions/off/index.ts", "elsewhere.ts"]
        {
            write(path);
        }
        write("functions/script/index.js");
        let set = |change: fn(&mut FunctionSettings)| {
            let mut settings = FunctionSettings::default();
            change(&mut settings);
            settings
        };
        let settings = BTreeMap::from([
            ("off".to_owned(), set(|own| own.enabled = false)),
            ("else".to_owned(), set(|own| own.entrypoint = Some("./elsewhere.ts".into()))),
            ("gone".to_owned(), set(|own| own.entrypoint = Some("gone.ts".into()))),
        ]);
        let supabase = supabase.canonicalize().unwrap();
        let project = Project { supabase: supabase.clone(), settings };
        assert_eq!(project.names().into_iter().collect::<Vec<_>>(), ["else", "hello", "script"]);
        let elsewhere = project.find("else").unwrap();
        assert_eq!((elsewhere.entry, elsewhere.folder), (supabase.join("elsewhere.ts"), supabase.clone()));
        assert_eq!(project.find("../hello"), None);
        std::fs::remove_dir_all(supabase).unwrap();
    }
}
