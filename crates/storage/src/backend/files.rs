//! The object folder: `<root>/<global bucket>/<tenant>/<bucket>/<key>/<version>`, upstream's layout.
//!
//! A file gets its name when it is complete and synced, and is never written again. So a new version does not disturb
//! readers of the old one, and a copy is a hard link.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::folders::Folders;
use super::remote::Remote;
use super::writing::blocking;
use crate::config::Config;
use crate::error::StorageError;

/// Unfinished files, beside the tenant's buckets. No bucket has a name with a slash in it.
const UNFINISHED: &str = ".unfinished";
/// Rendered images.
const RENDERED: &str = ".rendered";
/// The folder of events that wait for a retry of the webhook.
const WAITING: &str = ".events";
/// How often to create a folder again that a concurrent deletion removed.
const TRIES: usize = 16;

/// The folder of all objects. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    objects: PathBuf,
    unfinished: PathBuf,
    rendered: PathBuf,
    /// Where objects are kept instead, once they are whole.
    remote: Option<Remote>,
    folders: Folders,
}

/// A version of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) bucket: String,
    pub(crate) key: String,
    /// A UUID; `None` for objects of upstream's first versions, whose file is the key itself.
    pub(crate) version: Option<String>,
}

impl Files {
    /// The folder is created with the first object.
    pub(crate) fn new(config: &Config) -> Self {
        let base = config.folder.join(&config.global_bucket);
        let [unfinished, rendered] = [UNFINISHED, RENDERED].map(|name| base.join(name));
        let objects = base.join(&config.tenant);
        Files { objects, unfinished, rendered, remote: None, folders: Folders::default() }
    }

    /// The same with the objects in an S3 server.
    pub(crate) fn with_remote(mut self, remote: Option<Remote>) -> Self {
        self.remote = remote;
        self
    }

    /// The S3 server, if the objects are in one.
    pub(crate) fn remote(&self) -> Option<&Remote> {
        self.remote.as_ref()
    }

    /// The path of a version. No bucket or key can lead out of the folder.
    pub(crate) fn path(&self, place: &Place) -> PathBuf {
        let mut path = self.objects.join(segment(&place.bucket));
        path.extend(place.key.split('/').map(segment));
        if let Some(version) = &place.version {
            path.push(segment(version));
        }
        path
    }

    /// Creates an unfinished file.
    pub(crate) fn unfinished(&self, name: &str) -> io::Result<(PathBuf, File)> {
        fs::create_dir_all(&self.unfinished)?;
        let path = self.unfinished.join(segment(name));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        Ok((path, file))
    }

    /// Moves a complete file to its place.
    ///
    /// # Errors
    /// Those of the disk or the S3 server; then the file may still be there.
    pub(crate) async fn publish(&self, unfinished: PathBuf, place: &Place) -> Result<(), StorageError> {
        if let Some(remote) = &self.remote {
            remote.put(&unfinished, place).await?;
            return blocking(move || fs::remove_file(unfinished)).await;
        }
        let (files, place) = (self.clone(), place.clone());
        blocking(move || files.rename(&unfinished, &place)).await
    }

    /// Moves a complete file to its place and syncs the folders, so that it survives a power failure.
    fn rename(&self, unfinished: &Path, place: &Place) -> io::Result<()> {
        self.put(place, |target| fs::rename(unfinished, target))
    }

    /// The folder of the tenant's buckets.
    pub(crate) fn folder(&self) -> &Path {
        &self.objects
    }

    /// What a file can be: a version of a key, or a key without a version.
    pub(crate) fn places(&self, path: &Path) -> Vec<Place> {
        let Ok(own) = path.strip_prefix(&self.objects) else { return Vec::new() };
        let parts: Option<Vec<String>> = own.iter().map(|part| part.to_str().map(unsegment)).collect();
        let Some((bucket, rest)) = parts.as_deref().and_then(<[String]>::split_first) else { return Vec::new() };
        let place = |key: &[String], version: Option<&String>| Place {
            bucket: bucket.clone(),
            key: key.join("/"),
            version: version.cloned(),
        };
        let versioned = rest.split_last().filter(|(_, key)| !key.is_empty());
        let versioned = versioned.map(|(version, key)| place(key, Some(version)));
        versioned.into_iter().chain([place(rest, None)]).collect()
    }

    /// Removes what [`Files::folder`] or the S3 server has at a path of [`Files::path`], or an unfinished file.
    ///
    /// # Errors
    /// Those of the disk or the S3 server.
    pub(crate) async fn remove_path(&self, path: PathBuf) -> Result<(), StorageError> {
        match (&self.remote, self.places(&path).first()) {
            (Some(remote), Some(place)) => remote.remove(place).await,
            _ => {
                let files = self.clone();
                blocking(move || files.remove_file(&path)).await
            }
        }
    }

    /// The folder of rendered images.
    pub(crate) fn rendered_folder(&self) -> &Path {
        &self.rendered
    }

    /// The folder of events that the webhook has not taken.
    pub(crate) fn waiting_folder(&self) -> PathBuf {
        self.unfinished.with_file_name(WAITING)
    }

    /// The folder of unfinished files.
    pub(crate) fn unfinished_folder(&self) -> &Path {
        &self.unfinished
    }

    /// Hard-links a version, or copies it if the file system has no hard links.
    ///
    /// # Errors
    /// Those of the disk or the S3 server.
    pub(crate) async fn copy(&self, from: &Place, to: &Place) -> Result<(), StorageError> {
        if let Some(remote) = &self.remote {
            return remote.copy(from, to).await;
        }
        self.publish_link(self.path(from), to).await
    }

    /// Gives a complete file a second name, as [`Files::copy`] does. Idempotent.
    ///
    /// # Errors
    /// Those of the disk or the S3 server.
    pub(crate) async fn publish_link(&self, source: PathBuf, to: &Place) -> Result<(), StorageError> {
        if let Some(remote) = &self.remote {
            return remote.put(&source, to).await;
        }
        let (files, to) = (self.clone(), to.clone());
        blocking(move || files.link(&source, &to)).await
    }

    fn link(&self, source: &Path, to: &Place) -> io::Result<()> {
        match self.put(to, |target| fs::hard_link(source, target)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
            Ok(()) => return Ok(()),
        }
        let name = to.version.as_deref().unwrap_or_default();
        let (unfinished, mut file) = self.unfinished(name)?;
        let copied = File::open(source)
            .and_then(|mut source| io::copy(&mut source, &mut file))
            .and_then(|_| file.sync_all())
            .and_then(|()| self.rename(&unfinished, to));
        if copied.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        copied
    }

    /// Removes a version and the folders that become empty. It may be gone already.
    ///
    /// # Errors
    /// Those of the disk or the S3 server.
    pub(crate) async fn remove(&self, place: &Place) -> Result<(), StorageError> {
        if let Some(remote) = &self.remote {
            return remote.remove(place).await;
        }
        let (files, path) = (self.clone(), self.path(place));
        blocking(move || files.remove_file(&path)).await
    }

    /// Removes a file below the folder of all objects, or an unfinished one, and the folders that become empty.
    fn remove_file(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if !is_absence(error.kind()) => return Err(error),
            _ => {}
        }
        let own = |folder: &&Path| {
            let below = |base: &Path| folder.starts_with(base) && **folder != *base;
            below(&self.objects) || below(&self.unfinished)
        };
        for folder in path.ancestors().skip(1).take_while(own) {
            // Not empty, or used by a concurrent upload.
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn put(&self, place: &Place, name: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
        self.put_at(&self.path(place), name)
    }

    /// Gives a file the name `target` with `name`, and syncs the folders.
    pub(super) fn put_at(&self, target: &Path, name: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
        let folder = target.parent().unwrap_or(&self.objects);
        let mut tries = 0;
        loop {
            fs::create_dir_all(folder)?;
            match name(target) {
                // A concurrent deletion has just removed the empty folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound && tries < TRIES && !folder.exists() => {
                    tries += 1
                }
                named => break named?,
            }
        }
        // Sync the folders, so that the name and new folders are on disk.
        let base = self.objects.parent().unwrap_or(&self.objects);
        for folder in target.ancestors().skip(1).take_while(|folder| folder.starts_with(base)) {
            self.folders.sync(folder)?;
        }
        Ok(())
    }
}

/// Whether a file cannot be there: its name is that of a folder, is too long, or leads through another file.
fn is_absence(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{InvalidFilename, IsADirectory, NotADirectory, NotFound};
    matches!(kind, NotFound | IsADirectory | NotADirectory | InvalidFilename)
}

/// A part of a key as a file name. Names with a special meaning are written with a percent sign, which no key contains.
pub(super) fn segment(text: &str) -> String {
    match text {
        "" => "%".to_owned(),
        "." => "%2E".to_owned(),
        ".." => "%2E%2E".to_owned(),
        text if text.contains(['/', '\0']) => text.replace('/', "%2F").replace('\0', "%00"),
        text => text.to_owned(),
    }
}

/// The inverse of [`segment`].
fn unsegment(name: &str) -> String {
    match name {
        "%" => String::new(),
        name => name.replace("%2E", ".").replace("%2F", "/").replace("%00", "\0"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_leads_out_of_the_folder() {
        let files = Files::new(&Config { folder: PathBuf::from("/files"), ..Config::default() });
        for (bucket, key, path) in [
            ("b", "a/b.png", "/files/stub/stub/b/a/b.png/v"),
            ("b", "../../../etc/passwd", "/files/stub/stub/b/%2E%2E/%2E%2E/%2E%2E/etc/passwd/v"),
            ("..", "..", "/files/stub/stub/%2E%2E/%2E%2E/v"),
            ("b", "a//b/", "/files/stub/stub/b/a/%/b/%/v"),
            ("b", "/etc/passwd", "/files/stub/stub/b/%/etc/passwd/v"),
            ("b", "./.", "/files/stub/stub/b/%2E/%2E/v"),
        ] {
            let place = Place { bucket: bucket.to_owned(), key: key.to_owned(), version: Some("v".to_owned()) };
            assert_eq!(files.path(&place), PathBuf::from(path), "{bucket} {key}");
            assert!(files.places(Path::new(path)).contains(&place), "{bucket} {key}");
        }
        let odd = Place { bucket: "b".to_owned(), key: "a".to_owned(), version: Some("../../x".to_owned()) };
        assert_eq!(files.path(&odd), PathBuf::from("/files/stub/stub/b/a/..%2F..%2Fx"));
    }
}
