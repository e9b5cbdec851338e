//! The cache of rendered images: `<folder>/<version>/<hash of the parameters>.<extension>`. Images are removed with the version
//! of their object; above the size limit the least recently used ones are removed.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use super::render::{self, Output, Picture};
use super::workers::Workers;
use crate::backend::{Files, Place, at_once, blocking};
use crate::error::StorageError;
use crate::protocol::transform::Transform;

/// Extensions and their media types.
const KINDS: [(&str, &str); 4] =
    [("jpg", "image/jpeg"), ("png", "image/png"), ("gif", "image/gif"), ("webp", "image/webp")];

/// The cache and the rendering threads. Clones share both.
#[derive(Clone)]
pub(crate) struct Renditions {
    folder: PathBuf,
    /// In bytes.
    limit: u64,
    index: Arc<Mutex<Option<Index>>>,
    /// Serializes requests for the same image, so that it is rendered once.
    making: Arc<Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>>,
    workers: Workers,
}

/// The files on disk.
#[derive(Default)]
struct Index {
    /// By `<version>/<hash>`.
    entries: HashMap<String, Entry>,
    bytes: u64,
    /// A counter of accesses.
    uses: u64,
}

struct Entry {
    bytes: u64,
    used: u64,
    kind: &'static str,
}

impl Renditions {
    pub(crate) fn new(files: &Files, limit: u64) -> Self {
        let folder = files.rendered_folder().to_path_buf();
        let (index, making) = (Arc::default(), Arc::default());
        Renditions { folder, limit, index, making, workers: Workers::default() }
    }

    /// The rendered image of a version of an object, from the cache if possible.
    ///
    /// # Errors
    /// 400 for a file that is no supported image, or a too large one; `NoSuchKey` if the file is gone.
    pub(crate) async fn get(
        &self,
        files: &Files,
        place: Place,
        transform: Transform,
        output: Output,
    ) -> Result<Picture, StorageError> {
        // Without a version the file may change, so the result is not cached.
        let Some(key) = key(&place, &transform, output) else {
            return self.render(files, &place, transform, output).await;
        };
        if let Some(found) = self.find(&key).await? {
            return Ok(found);
        }
        let turn = self.making().entry(key.clone()).or_default().clone();
        let own = turn.lock().await;
        let made = match self.find(&key).await {
            Ok(Some(found)) => Ok(found),
            _ => self.make(&key, files, &place, transform, output).await,
        };
        drop(own);
        // Only the map and this function hold the lock object.
        let mut making = self.making();
        if Arc::strong_count(&turn) <= 2 {
            making.remove(&key);
        }
        made
    }

    /// Removes the images of a version.
    pub(crate) fn remove(&self, version: &str) -> io::Result<()> {
        if !is_version(version) {
            return Ok(());
        }
        if let Some(index) = self.index().as_mut() {
            let own = |key: &String| key.split('/').next() == Some(version);
            let gone: Vec<String> = index.entries.keys().filter(|key| own(key)).cloned().collect();
            gone.iter().for_each(|key| index.forget(key));
        }
        match fs::remove_dir_all(self.folder.join(version)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    async fn make(
        &self,
        key: &str,
        files: &Files,
        place: &Place,
        transform: Transform,
        output: Output,
    ) -> Result<Picture, StorageError> {
        let made = self.render(files, place, transform, output).await?;
        let (own, key, picture) = (self.clone(), key.to_owned(), made.clone());
        // The image is served even if it cannot be cached.
        if blocking(move || own.keep(&key, &picture)).await.is_err() {
            tracing::warn!(event = "picture_not_kept");
        }
        Ok(made)
    }

    async fn render(
        &self,
        files: &Files,
        place: &Place,
        transform: Transform,
        output: Output,
    ) -> Result<Picture, StorageError> {
        let local = files.local(place, render::FILE_LIMIT).await?.ok_or_else(|| render::invalid("too long"))?;
        let source = local.path.clone();
        self.workers.run(move || render::render(&source, &transform, output)).await
    }

    async fn find(&self, key: &str) -> Result<Option<Picture>, StorageError> {
        let known = self.index().as_mut().map(|index| index.use_of(key));
        match known {
            Some(None) => return Ok(None),
            Some(Some(kind)) => {
                if let Some(bytes) = at_once::whole(&self.path(key, kind)) {
                    return Ok(Some(Picture { bytes, kind }));
                }
            }
            None => {}
        }
        let (own, key) = (self.clone(), key.to_owned());
        blocking(move || {
            let Some(kind) = own.with_index(|index| index.use_of(&key))? else { return Ok(None) };
            match fs::read(own.path(&key, kind)) {
                Ok(bytes) => Ok(Some(Picture { bytes: bytes.into(), kind })),
                Err(_) => {
                    own.with_index(|index| index.forget(&key))?;
                    Ok(None)
                }
            }
        })
        .await
    }

    fn keep(&self, key: &str, picture: &Picture) -> io::Result<()> {
        let bytes = picture.bytes.len() as u64;
        if bytes > self.limit {
            return Ok(());
        }
        let path = self.path(key, picture.kind);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        // Written under a unique name: after a crash the final name must not have a partial file.
        let next = path.with_extension(format!("{}.next", uuid::Uuid::new_v4()));
        let written = fs::File::create_new(&next)
            .and_then(|mut file| file.write_all(&picture.bytes))
            .and_then(|()| fs::rename(&next, &path));
        if let Err(error) = written {
            let _ = fs::remove_file(&next);
            return Err(error);
        }
        let gone = self.with_index(|index| {
            index.add(key.to_owned(), bytes, picture.kind);
            index.over(self.limit)
        })?;
        for (key, kind) in gone {
            let path = self.path(&key, kind);
            let _ = fs::remove_file(&path);
            // Succeeds for the last image of the version.
            let _ = path.parent().map(fs::remove_dir);
        }
        Ok(())
    }

    fn path(&self, key: &str, kind: &'static str) -> PathBuf {
        let extension = KINDS.iter().find(|(_, own)| *own == kind).map_or("png", |(extension, _)| extension);
        self.folder.join(format!("{key}.{extension}"))
    }

    /// The index; the first call reads it from disk.
    fn with_index<T>(&self, work: impl FnOnce(&mut Index) -> T) -> io::Result<T> {
        let mut index = self.index();
        if index.is_none() {
            *index = Some(Index::read(&self.folder)?);
        }
        Ok(work(index.get_or_insert_default()))
    }

    fn index(&self) -> MutexGuard<'_, Option<Index>> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn making(&self) -> MutexGuard<'_, HashMap<String, Arc<tokio::sync::Mutex<()>>>> {
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index {
    fn read(folder: &Path) -> io::Result<Self> {
        let mut index = Index::default();
        let versions = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(index),
            versions => versions?,
        };
        for version in versions.flatten() {
            for file in fs::read_dir(version.path())?.flatten() {
                let name = file.file_name().to_string_lossy().into_owned();
                let known = name.split_once('.').and_then(|(hash, extension)| {
                    let kind = KINDS.iter().find(|(own, _)| *own == extension)?.1;
                    Some((format!("{}/{hash}", version.file_name().to_string_lossy()), kind))
                });
                match known {
                    Some((key, kind)) => index.add(key, file.metadata()?.len(), kind),
                    // Left by a crash.
                    None => fs::remove_file(file.path())?,
                }
            }
        }
        Ok(index)
    }

    fn add(&mut self, key: String, bytes: u64, kind: &'static str) {
        self.forget(&key);
        self.uses += 1;
        self.bytes += bytes;
        self.entries.insert(key, Entry { bytes, used: self.uses, kind });
    }

    fn use_of(&mut self, key: &str) -> Option<&'static str> {
        self.uses += 1;
        let entry = self.entries.get_mut(key)?;
        entry.used = self.uses;
        Some(entry.kind)
    }

    fn forget(&mut self, key: &str) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= entry.bytes;
        }
    }

    /// Removes and returns the least recently used entries down to 90 % of the limit.
    fn over(&mut self, limit: u64) -> Vec<(String, &'static str)> {
        if self.bytes <= limit {
            return Vec::new();
        }
        let mut oldest: Vec<(u64, String, &'static str)> =
            self.entries.iter().map(|(key, entry)| (entry.used, key.clone(), entry.kind)).collect();
        oldest.sort_unstable();
        // The newest entry stays.
        oldest.pop();
        let mut gone = Vec::new();
        for (_, key, kind) in oldest {
            if self.bytes <= limit / 10 * 9 {
                break;
            }
            self.forget(&key);
            gone.push((key, kind));
        }
        gone
    }
}

/// `<version>/<hash>`.
fn key(place: &Place, transform: &Transform, output: Output) -> Option<String> {
    let version = place.version.as_deref().filter(|version| is_version(version))?;
    // `output` is the format after content negotiation.
    let asked = Transform { format: None, ..*transform }.describe();
    let hash = Sha256::digest(format!("{output:?} {asked}"));
    let hash: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    Some(format!("{version}/{hash}"))
}

fn is_version(text: &str) -> bool {
    uuid::Uuid::try_parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_the_longest_goes_first() {
        let mut index = Index::default();
        for name in ["a", "b", "c"] {
            index.add(name.to_owned(), 40, "image/png");
        }
        assert!(index.use_of("a").is_some());
        assert_eq!(index.over(120), []);
        assert_eq!(index.over(119), [("b".to_owned(), "image/png")]);
        assert_eq!(index.bytes, 80);
        // The newest stays, whatever the limit.
        assert_eq!(index.over(1), [("c".to_owned(), "image/png")]);
        assert_eq!((index.bytes, index.entries.len()), (40, 1));
        index.add("a".to_owned(), 10, "image/png");
        assert_eq!(index.bytes, 10);
    }
}
