//! Deployed functions on the disk: `functions/deployed/<name>` in the data directory.
//!
//! A version is a folder that appears complete or not at all; the file `current` has the number of the one that is served, and
//! is replaced in one step. Whenever the server is killed, the function is as before or as after.
//!
//! ```text
//! functions/deployed/hello/current            2
//! functions/deployed/hello/1/version.json     see model/version.rs
//! functions/deployed/hello/1/files/…
//! functions/deployed/hello/2/…
//! functions/deployed/.incoming-…              being written; removed at the next start
//! ```

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use crate::model::definition::{Origin, is_name};
use crate::model::{Bundle, Definition, Version};

/// Versions of a function that are kept, with the one that is served.
pub(crate) const KEPT: usize = 10;

const CURRENT: &str = "current";
const VERSION: &str = "version.json";
const FILES: &str = "files";

/// All deployed functions. The writing methods block, and are called one after the other.
#[derive(Debug)]
pub(crate) struct Deployments {
    folder: PathBuf,
    served: RwLock<HashMap<String, Arc<Version>>>,
}

impl Deployments {
    /// Those of a data directory. What a killed server left half done is removed.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn open(data_dir: &Path) -> io::Result<Self> {
        let folder = fs::canonicalize(data_dir)?.join("functions/deployed");
        private(&folder)?;
        let mut served = HashMap::new();
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with('.') {
                fs::remove_dir_all(entry.path())?;
            } else if is_name(&name) {
                match read_current(&entry.path()) {
                    Ok(Some(version)) => drop(served.insert(name, Arc::new(version))),
                    // Written, but not served yet.
                    Ok(None) => {}
                    Err(error) => tracing::error!(event = "function_unreadable", function = name, detail = %error),
                }
            }
        }
        Ok(Deployments { folder, served: RwLock::new(served) })
    }

    /// The version of the function that is served.
    pub(crate) fn served(&self, name: &str) -> Option<Arc<Version>> {
        self.served.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// The versions that are served, by name.
    pub(crate) fn all(&self) -> Vec<Arc<Version>> {
        let served = self.served.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = served.values().cloned().collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    }

    /// The versions of a function that are on the disk, oldest first.
    pub(crate) fn versions(&self, name: &str) -> Vec<Version> {
        let folder = self.folder.join(name);
        let numbers = if is_name(name) { numbers(&folder) } else { BTreeSet::new() };
        numbers.into_iter().filter_map(|number| read_version(&folder, number).ok()).collect()
    }

    /// How a version is run.
    pub(crate) fn definition(&self, version: &Version) -> Option<Definition> {
        let files = self.folder.join(&version.name).join(version.number.to_string()).join(FILES);
        let entry = files.join(&version.entry);
        let folder = entry.parent()?.to_owned();
        // The folder of all functions, as it was in the project.
        let root = folder.parent().filter(|root| root.starts_with(&files)).unwrap_or(&files).to_owned();
        Some(Definition {
            name: version.name.clone(),
            import_map: version.import_map.as_ref().map(|path| files.join(path)),
            static_files: Vec::new(),
            origin: Origin::Deployed { number: version.number, files },
            folder,
            root,
            entry,
        })
    }

    /// Writes a version, which is not served yet, and removes the oldest if they are too many.
    ///
    /// # Errors
    /// Those of the file system. Nothing of the version is left then.
    pub(crate) fn stage(&self, bundle: &Bundle, verify_jwt: bool, now: i64) -> io::Result<Version> {
        let folder = self.folder.join(&bundle.name);
        let last = self.versions(&bundle.name).pop();
        let number = numbers(&folder).last().map_or(1, |last| last + 1);
        let version = Version {
            name: bundle.name.clone(),
            id: last.as_ref().map_or_else(|| uuid::Uuid::new_v4().to_string(), |last| last.id.clone()),
            number,
            entry: bundle.entry.as_str().to_owned(),
            import_map: bundle.import_map.as_ref().map(|path| path.as_str().to_owned()),
            verify_jwt,
            sha256: bundle.digest(),
            created_at: last.map_or(now, |last| last.created_at),
            updated_at: now,
        };
        let incoming = self.folder.join(format!(".incoming-{}", uuid::Uuid::new_v4().simple()));
        let written = write(&incoming, bundle, &version).and_then(|()| {
            private(&folder)?;
            sync(&self.folder)?;
            fs::rename(&incoming, folder.join(number.to_string()))?;
            sync(&folder)
        });
        if written.is_err() {
            // What is left is removed at the next start.
            let _ = fs::remove_dir_all(&incoming);
        }
        written?;
        self.prune(&bundle.name);
        Ok(version)
    }

    /// Removes a version that is not served.
    pub(crate) fn discard(&self, version: &Version) {
        let is_served = self.served(&version.name).is_some_and(|served| served.number == version.number);
        if !is_served {
            self.throw_away(&self.folder.join(&version.name).join(version.number.to_string()));
        }
    }

    /// Serves a version from now on.
    ///
    /// # Errors
    /// `NotFound` when there is no such version; those of the file system.
    pub(crate) fn serve(&self, name: &str, number: u32) -> io::Result<Arc<Version>> {
        let folder = self.folder.join(name);
        let version = Arc::new(read_version(&folder, number)?);
        let draft = folder.join(".current");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        file.write_all(format!("{number}\n").as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, folder.join(CURRENT))?;
        sync(&folder)?;
        self.served.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), Arc::clone(&version));
        Ok(version)
    }

    /// Removes the oldest versions when there are too many, but never the one that is served.
    fn prune(&self, name: &str) {
        let folder = self.folder.join(name);
        let served = self.served(name).map(|version| version.number);
        let mut others: Vec<u32> = numbers(&folder).into_iter().filter(|other| Some(*other) != served).collect();
        others.truncate(others.len().saturating_sub(KEPT - 1));
        for old in others {
            self.throw_away(&folder.join(old.to_string()));
        }
    }

    /// Serves no version of the function any more. Returns the folder with its files, which may still be in use.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn remove(&self, name: &str) -> io::Result<PathBuf> {
        let removed = self.folder.join(format!(".removed-{}", uuid::Uuid::new_v4().simple()));
        fs::rename(self.folder.join(name), &removed)?;
        self.served.write().unwrap_or_else(PoisonError::into_inner).remove(name);
        sync(&self.folder)?;
        Ok(removed)
    }

    /// Removes a folder so that no half of it is ever seen.
    fn throw_away(&self, folder: &Path) {
        let removed = self.folder.join(format!(".removed-{}", uuid::Uuid::new_v4().simple()));
        if fs::rename(folder, &removed).is_ok() {
            let _ = fs::remove_dir_all(&removed);
        }
    }
}

fn write(incoming: &Path, bundle: &Bundle, version: &Version) -> io::Result<()> {
    let files = incoming.join(FILES);
    private(&files)?;
    let mut folders = BTreeSet::from([incoming.to_owned(), files.clone()]);
    for (path, bytes) in &bundle.files {
        let file = path.below(&files);
        if let Some(folder) = file.parent() {
            private(folder)?;
            folders.extend(folder.ancestors().take_while(|folder| folder.starts_with(&files)).map(Path::to_owned));
        }
        write_file(&file, bytes)?;
    }
    write_file(&incoming.join(VERSION), &serde_json::to_vec_pretty(version)?)?;
    folders.iter().try_for_each(|folder| sync(folder))
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn private(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Makes the names in a folder last.
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Reads which version of the function in `folder` the server serves; `None` before the first.
fn read_current(folder: &Path) -> io::Result<Option<Version>> {
    let text = match fs::read_to_string(folder.join(CURRENT)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text?,
    };
    let number = text.trim().parse().map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    read_version(folder, number).map(Some)
}

fn read_version(folder: &Path, number: u32) -> io::Result<Version> {
    let text = fs::read(folder.join(number.to_string()).join(VERSION))?;
    serde_json::from_slice(&text).map_err(io::Error::from)
}

fn numbers(folder: &Path) -> BTreeSet<u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The versions that a data directory serves, without a server: for the command line.
pub(crate) fn listed(data_dir: &Path) -> Vec<(Version, Vec<u32>)> {
    let folder = data_dir.join("functions/deployed");
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_name)).map(|entry| entry.path());
    let of = |folder: PathBuf| Some((read_current(&folder).ok()??, numbers(&folder).into_iter().collect()));
    let mut listed: Vec<(Version, Vec<u32>)> = folders.filter_map(of).collect();
    listed.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
    listed
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::model::bundle::Metadata;

    struct Data(PathBuf);

    impl Data {
        fn new(name: &str) -> Self {
            let data = std::env::temp_dir().join(format!("dugout-deployments-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&data);
            fs::create_dir_all(&data).unwrap();
            Data(data)
        }

        fn open(&self) -> Deployments {
            Deployments::open(&self.0).unwrap()
        }
    }

    impl Drop for Data {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn bundle(text: &str) -> Bundle {
        let metadata = Metadata { entrypoint_path: "functions/hello/index.ts".to_owned(), ..Metadata::default() };
        let files = [("functions/hello/index.ts", text), ("functions/_shared/a.ts", "a")];
        let files = files.map(|(path, text)| (path.to_owned(), Bytes::from(text.to_owned())));
        Bundle::new("hello", &metadata, files).unwrap()
    }

    fn text(deployments: &Deployments) -> String {
        let served = deployments.served("hello").unwrap();
        fs::read_to_string(deployments.definition(&served).unwrap().entry).unwrap()
    }

    #[test]
    fn versions_are_kept_served_and_survive_a_restart() {
        let data = Data::new("versions");
        let deployments = data.open();
        let first = deployments.stage(&bundle("one"), true, 1).unwrap();
        assert!(deployments.served("hello").is_none(), "written is not served");
        assert!(data.open().served("hello").is_none(), "nor after a restart");
        deployments.serve("hello", first.number).unwrap();
        let second = deployments.stage(&bundle("two"), false, 2).unwrap();
        assert_eq!(text(&deployments), "one");
        deployments.serve("hello", second.number).unwrap();
        assert_eq!((text(&deployments), text(&data.open())), ("two".to_owned(), "two".to_owned()));
        assert_eq!((second.number, &second.id, second.created_at, second.updated_at), (2, &first.id, 1, 2));
        let definition = deployments.definition(&second).unwrap();
        assert!(definition.root.join("_shared/a.ts").is_file(), "{definition:?}");
        deployments.serve("hello", 1).unwrap();
        assert_eq!(text(&data.open()), "one");
        assert_eq!(deployments.serve("hello", 3).unwrap_err().kind(), io::ErrorKind::NotFound);
        deployments.discard(&first);
        assert_eq!(text(&deployments), "one", "what is served stays");
        deployments.discard(&second);
        assert_eq!(deployments.versions("hello").len(), 1);
        let removed = deployments.remove("hello").unwrap();
        assert!(removed.exists() && deployments.served("hello").is_none());
        assert!(data.open().all().is_empty() && !removed.exists());
    }

    #[test]
    fn only_so_many_versions_are_kept_and_never_without_the_served_one() {
        let data = Data::new("kept");
        let deployments = data.open();
        let stage = |text: &str| deployments.stage(&bundle(text), true, 0).unwrap();
        let numbers = || deployments.versions("hello").iter().map(|version| version.number).collect::<Vec<_>>();
        stage("first");
        deployments.serve("hello", 1).unwrap();
        for number in 2..=KEPT {
            stage(&number.to_string());
        }
        assert_eq!((numbers().len(), numbers()[1]), (KEPT, 2));
        stage("more");
        assert_eq!((numbers().len(), numbers()[0], numbers()[1]), (KEPT, 1, 3));
    }

    #[test]
    fn what_a_killed_server_left_is_removed() {
        let data = Data::new("killed");
        let folder = data.0.join("functions/deployed");
        for left in [".incoming-1/files", ".removed-2/1/files", "hello"] {
            fs::create_dir_all(folder.join(left)).unwrap();
        }
        fs::write(folder.join("hello/.current"), "9").unwrap();
        let deployments = data.open();
        assert!(!folder.join(".incoming-1").exists() && !folder.join(".removed-2").exists());
        let staged = deployments.stage(&bundle("one"), true, 0).unwrap();
        deployments.serve("hello", staged.number).unwrap();
        assert_eq!(text(&data.open()), "one");
    }
}
