//! The parts of multipart uploads: `.unfinished/multipart/<upload>/<part>`. A file for each row, named by its id.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::Utc;
use md5::{Digest, Md5};
use rustix::fs::{FlockOperation, flock};
use uuid::Uuid;

use super::files::{Files, Place};
use super::writing::{PIECE, Upload, Written, blocking, etag, hashed};
use crate::error::StorageError;
use crate::strip;

/// The folder of the parts, among the unfinished files.
const FOLDER: &str = "multipart";
/// How long a request waits for another one that completes or aborts the same upload.
const PATIENCE: Duration = Duration::from_secs(5);
/// Interval between attempts to lock.
const LOOK: Duration = Duration::from_millis(20);

/// The parts of all multipart uploads. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    files: Files,
    folder: PathBuf,
}

/// An upload that nobody else completes or aborts meanwhile. The lock ends with the process.
pub(crate) struct Held {
    _folder: File,
}

impl Parts {
    pub(crate) fn new(files: &Files) -> Self {
        Parts { files: files.clone(), folder: files.unfinished_folder().join(FOLDER) }
    }

    /// The folder of all uploads.
    pub(crate) fn all(&self) -> &Path {
        &self.folder
    }

    fn folder(&self, upload: Uuid) -> PathBuf {
        self.folder.join(upload.to_string())
    }

    fn part(&self, upload: Uuid, part: Uuid) -> PathBuf {
        self.folder(upload).join(part.to_string())
    }

    /// Begins a part.
    ///
    /// # Errors
    /// Disk errors.
    pub(crate) async fn begin(&self, upload: Uuid, part: Uuid) -> Result<Upload, StorageError> {
        Upload::at(&self.files, self.part(upload, part), part.to_string()).await
    }

    /// Removes a part that no row refers to, and the folder if it was the last one. It may be gone already.
    ///
    /// # Errors
    /// Disk errors.
    pub(crate) async fn remove(&self, upload: Uuid, part: Uuid) -> Result<(), StorageError> {
        let (path, folder) = (self.part(upload, part), self.folder(upload));
        blocking(move || {
            gone(fs::remove_file(path))?;
            // Not empty, or used by a concurrent upload.
            let _ = fs::remove_dir(folder);
            Ok(())
        })
        .await
    }

    /// Removes all parts of an upload whose row is gone.
    ///
    /// # Errors
    /// Disk errors.
    pub(crate) async fn remove_all(&self, upload: Uuid) -> Result<(), StorageError> {
        let folder = self.folder(upload);
        blocking(move || gone(fs::remove_dir_all(folder))).await
    }

    /// Locks an upload.
    ///
    /// # Errors
    /// 503 if another request holds it for too long.
    pub(crate) async fn hold(&self, upload: Uuid) -> Result<Held, StorageError> {
        let begun = Instant::now();
        loop {
            let folder = self.folder(upload);
            let locked = blocking(move || {
                fs::create_dir_all(&folder)?;
                let folder = File::open(&folder)?;
                match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
                    Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
                    locked => locked.map(|()| Some(folder)).map_err(io::Error::from),
                }
            });
            match locked.await? {
                Some(folder) => return Ok(Held { _folder: folder }),
                None if begun.elapsed() > PATIENCE => return Err(StorageError::locked()),
                None => tokio::time::sleep(LOOK).await,
            }
        }
    }

    /// Writes the parts one after the other into the file of an object, without its metadata if `stripped`.
    ///
    /// # Errors
    /// Disk errors, and a file whose metadata cannot be removed.
    pub(crate) async fn join(
        &self,
        upload: Uuid,
        parts: &[Uuid],
        place: &Place,
        stripped: bool,
    ) -> Result<Written, StorageError> {
        let sources: Vec<PathBuf> = parts.iter().map(|part| self.part(upload, *part)).collect();
        let files = self.files.clone();
        let name = Uuid::new_v4().to_string();
        let (unfinished, file) = blocking(move || files.unfinished(&name)).await?;
        let joined = async {
            let written = blocking(move || join(&sources, file, stripped)).await?;
            let written = written.ok_or_else(StorageError::unstrippable)?;
            self.files.publish(unfinished.clone(), place).await?;
            Ok(written)
        };
        let joined = joined.await;
        if joined.is_err() {
            let _ = blocking(move || fs::remove_file(unfinished)).await;
        }
        joined
    }
}

/// `None` if the metadata of what the parts make cannot be removed.
fn join(sources: &[PathBuf], mut file: File, stripped: bool) -> io::Result<Option<Written>> {
    let (mut hasher, mut length, mut piece) = (Md5::new(), 0, vec![0; PIECE]);
    for source in sources {
        let mut source = File::open(source)?;
        loop {
            let read = source.read(&mut piece)?;
            if read == 0 {
                break;
            }
            hasher.update(&piece[..read]);
            file.write_all(&piece[..read])?;
            length += read as u64;
        }
    }
    if stripped && length > 0 {
        if !strip::strip(&mut file)? {
            return Ok(None);
        }
        hasher = hashed(&mut file)?;
    }
    file.sync_all()?;
    Ok(Some(Written { length, etag: etag(&mut hasher), at: Utc::now() }))
}

/// Success also for what was not there.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
