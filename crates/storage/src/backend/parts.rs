//! The parts of multipart uploads: `.unfinished/multipart/<upload>/<part>`. A file for each row, named by its id.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chrono::Utc;
use md5::{Digest, Md5};
use rustix::fs::{FlockOperation, flock};
use uuid::Uuid;

use super::files::{Files, Place};
use super::writing::{PIECE, Upload, Written, blocking, etag};
use crate::error::StorageError;

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

    /// Writes the parts one after the other into the file of an object.
    ///
    /// # Errors
    /// Disk errors.
    pub(crate) async fn join(&self, upload: Uuid, parts: &[Uuid], place: &Place) -> Result<Written, StorageError> {
        let sources: Vec<PathBuf> = parts.iter().map(|part| self.part(upload, *part)).collect();
        let (files, place) = (self.files.clone(), place.clone());
        let name = Uuid::new_v4().to_string();
        blocking(move || {
            let (unfinished, file) = files.unfinished(&name)?;
            let joined = join(&sources, file).and_then(|written| {
                files.publish(&unfinished, &place)?;
                Ok(written)
            });
            if joined.is_err() {
                let _ = fs::remove_file(&unfinished);
            }
            joined
        })
        .await
    }
}

fn join(sources: &[PathBuf], mut file: File) -> io::Result<Written> {
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
    file.sync_all()?;
    Ok(Written { length, etag: etag(&mut hasher), at: Utc::now() })
}

/// Success also for what was not there.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
