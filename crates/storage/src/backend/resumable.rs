//! Resumable uploads on disk. Each has a folder with `info.json` and `data`. The offset is the length of `data`, so a killed
//! process loses nothing that reached the kernel.
//!
//! One request at a time holds an upload, by a file lock on `data` that ends with the process. A second request asks the holder
//! to stop.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use bytes::{Bytes, BytesMut};
use chrono::{DateTime, Utc};
use md5::{Digest, Md5};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use uuid::Uuid;

use super::files::{Files, Place};
use super::writing::{PIECE, Written, blocking, etag};
use crate::error::StorageError;
use crate::protocol::tus::{Metadata, Refusal, UploadId};
use crate::strip;

/// The folder of these uploads, among the unfinished files.
const FOLDER: &str = "resumable";
const INFO: &str = "info.json";
const DATA: &str = "data";
/// How long a request waits for the holder.
const PATIENCE: Duration = Duration::from_secs(5);
/// Interval between attempts to lock.
const LOOK: Duration = Duration::from_millis(20);
/// Interval between clean-ups, in seconds.
const SWEEP: i64 = 600;

/// All resumable uploads. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Resumables {
    folder: PathBuf,
    /// Wakes the holder of an upload, so that it stops.
    holders: Arc<Mutex<HashMap<Uuid, Arc<Notify>>>>,
    /// Time of the last clean-up, in seconds since 1970.
    swept: Arc<AtomicI64>,
}

/// The facts of an upload, in `info.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Info {
    pub(crate) bucket: String,
    pub(crate) key: String,
    pub(crate) version: Uuid,
    /// In bytes; `None` while deferred.
    pub(crate) length: Option<u64>,
    pub(crate) metadata: Metadata,
    pub(crate) owner: Option<String>,
    /// The upload may replace an object.
    #[serde(default)]
    pub(crate) upsert: bool,
    /// Seconds since 1970.
    pub(crate) begun: i64,
    /// The object's row is written and `data` is removed.
    pub(crate) recorded: bool,
}

/// A locked upload.
pub(crate) struct Held {
    pub(crate) info: Info,
    /// Number of bytes received.
    pub(crate) offset: u64,
    /// Notified when another request wants the upload.
    pub(crate) wanted: Arc<Notify>,
    all: Resumables,
    /// `None` while a thread writes, and for a finished upload.
    file: Option<File>,
    buffer: BytesMut,
}

enum Attempt {
    Missing,
    Busy,
    Got(Box<Info>, Option<File>, u64),
}

impl Info {
    /// The final place of the bytes.
    pub(crate) fn place(&self) -> Place {
        Place { bucket: self.bucket.clone(), key: self.key.clone(), version: Some(self.version.to_string()) }
    }
}

impl Resumables {
    pub(crate) fn new(files: &Files) -> Self {
        let folder = files.unfinished_folder().join(FOLDER);
        Resumables { folder, holders: Arc::default(), swept: Arc::default() }
    }

    fn folder(&self, version: Uuid) -> PathBuf {
        self.folder.join(version.to_string())
    }

    /// Creates an upload.
    ///
    /// # Errors
    /// Errors of the disk.
    pub(crate) async fn begin(&self, info: Info) -> Result<(), StorageError> {
        let folder = self.folder(info.version);
        blocking(move || {
            fs::create_dir_all(&folder)?;
            File::create_new(folder.join(DATA))?;
            write_info(&folder, &info)?;
            folder.parent().map_or(Ok(()), |parent| File::open(parent)?.sync_all())
        })
        .await
    }

    /// Locks an upload; a finished one needs no lock. Asks the current holder to stop.
    ///
    /// # Errors
    /// 404 for an unknown upload, 503 if the holder does not stop in time.
    pub(crate) async fn hold(&self, id: &UploadId) -> Result<Held, Refusal> {
        let begun = Instant::now();
        loop {
            let folder = self.folder(id.version);
            match blocking(move || attempt(&folder)).await? {
                Attempt::Got(info, file, offset) => {
                    if info.bucket != id.bucket || info.key != id.key {
                        return Err(Refusal::not_found());
                    }
                    let wanted = Arc::new(Notify::new());
                    if file.is_some() {
                        self.holders().insert(id.version, wanted.clone());
                    }
                    let all = self.clone();
                    return Ok(Held { info: *info, offset, wanted, all, file, buffer: BytesMut::new() });
                }
                Attempt::Missing => return Err(Refusal::not_found()),
                Attempt::Busy if begun.elapsed() > PATIENCE => return Err(StorageError::locked().into()),
                Attempt::Busy => {
                    if let Some(holder) = self.holders().get(&id.version) {
                        holder.notify_one();
                    }
                    tokio::time::sleep(LOOK).await;
                }
            }
        }
    }

    /// Removes uploads created before `limit` (seconds since 1970) in the background, at most every [`SWEEP`] seconds.
    pub(crate) fn sweep(&self, now: i64, limit: i64) {
        let last = self.swept.load(Ordering::Relaxed);
        let due = now - last >= SWEEP;
        if due && self.swept.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            let folder = self.folder.clone();
            drop(actix_web::rt::task::spawn_blocking(move || {
                if let Err(error) = sweep(&folder, limit) {
                    tracing::warn!(event = "storage_sweep_failed", detail = %error);
                }
            }));
        }
    }

    fn holders(&self) -> std::sync::MutexGuard<'_, HashMap<Uuid, Arc<Notify>>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// True if all bytes are received.
    pub(crate) fn is_whole(&self) -> bool {
        self.info.length == Some(self.offset)
    }

    /// Stores a deferred length.
    ///
    /// # Errors
    /// Errors of the disk.
    pub(crate) async fn declare(&mut self, length: u64) -> Result<(), StorageError> {
        self.info.length = Some(length);
        let (folder, info) = (self.all.folder(self.info.version), self.info.clone());
        blocking(move || write_info(&folder, &info)).await
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// Errors of the disk.
    pub(crate) async fn write(&mut self, bytes: &Bytes) -> Result<(), StorageError> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() < PIECE { Ok(()) } else { self.flush(false).await }
    }

    /// Writes and fsyncs what was appended, so that it can be acknowledged.
    ///
    /// # Errors
    /// Errors of the disk.
    pub(crate) async fn sync(&mut self) -> Result<(), StorageError> {
        self.flush(true).await
    }

    async fn flush(&mut self, sync: bool) -> Result<(), StorageError> {
        let piece = self.buffer.split().freeze();
        let Some(mut file) = self.file.take() else { return Err(StorageError::internal("the file is away")) };
        let length = piece.len() as u64;
        let file = blocking(move || {
            file.write_all(&piece)?;
            if sync {
                file.sync_all()?;
            }
            Ok(file)
        })
        .await?;
        self.offset += length;
        self.file = Some(file);
        Ok(())
    }

    /// Links the bytes to their final place, without their metadata if `stripped`. Idempotent.
    ///
    /// # Errors
    /// Errors of the disk, and a file whose metadata cannot be removed.
    pub(crate) async fn publish(&self, files: &Files, stripped: bool) -> Result<Written, StorageError> {
        let data = self.all.folder(self.info.version).join(DATA);
        let source = data.clone();
        let written = blocking(move || {
            let mut file = File::options().read(true).write(stripped).open(&source)?;
            if stripped && file.metadata()?.len() > 0 {
                if !strip::strip(&mut file)? {
                    return Ok(None);
                }
                file.sync_all()?;
                file.rewind()?;
            }
            let (mut hasher, mut piece, mut length) = (Md5::new(), vec![0; PIECE], 0);
            loop {
                let read = file.read(&mut piece)?;
                if read == 0 {
                    break;
                }
                hasher.update(&piece[..read]);
                length += read as u64;
            }
            Ok(Some(Written { length, etag: etag(&mut hasher), at: Utc::now() }))
        });
        let written = written.await?.ok_or_else(StorageError::unstrippable)?;
        files.publish_link(data, &self.info.place()).await?;
        Ok(written)
    }

    /// Time of the last write.
    ///
    /// # Errors
    /// Errors of the disk.
    pub(crate) async fn written_at(&self) -> Result<DateTime<Utc>, StorageError> {
        let data = self.all.folder(self.info.version).join(DATA);
        blocking(move || Ok(DateTime::<Utc>::from(fs::metadata(data)?.modified()?))).await
    }

    /// Marks the upload as finished, after the object's row was committed.
    ///
    /// # Errors
    /// Errors of the disk.
    pub(crate) async fn recorded(&mut self) -> Result<(), StorageError> {
        self.info.recorded = true;
        let (folder, info) = (self.all.folder(self.info.version), self.info.clone());
        blocking(move || {
            write_info(&folder, &info)?;
            fs::remove_file(folder.join(DATA))
        })
        .await
    }

    /// Deletes the upload.
    ///
    /// # Errors
    /// Errors of the disk.
    pub(crate) async fn remove(&self) -> Result<(), StorageError> {
        let folder = self.all.folder(self.info.version);
        blocking(move || remove(&folder)).await
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut holders = self.all.holders();
        if holders.get(&self.info.version).is_some_and(|holder| Arc::ptr_eq(holder, &self.wanted)) {
            holders.remove(&self.info.version);
        }
    }
}

fn attempt(folder: &Path) -> io::Result<Attempt> {
    let finished = |info: Info| {
        let length = info.length.unwrap_or_default();
        Ok(Attempt::Got(Box::new(info), None, length))
    };
    match read_info(folder)? {
        None => return Ok(Attempt::Missing),
        Some(info) if info.recorded => return finished(info),
        Some(_) => {}
    }
    let file = match File::options().read(true).write(true).open(folder.join(DATA)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        opened => Some(opened?),
    };
    if let Some(file) = &file {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Err(rustix::io::Errno::WOULDBLOCK) => return Ok(Attempt::Busy),
            locked => locked?,
        }
    }
    // The previous holder may have finished or removed it.
    match (read_info(folder)?, file) {
        (Some(info), _) if info.recorded => finished(info),
        (Some(info), Some(mut file)) => {
            let offset = file.seek(SeekFrom::End(0))?;
            Ok(Attempt::Got(Box::new(info), Some(file), offset))
        }
        _ => Ok(Attempt::Missing),
    }
}

fn read_info(folder: &Path) -> io::Result<Option<Info>> {
    match fs::read(folder.join(INFO)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => Ok(Some(serde_json::from_slice(&read?)?)),
    }
}

fn write_info(folder: &Path, info: &Info) -> io::Result<()> {
    let next = folder.join("info.next");
    let mut file = File::create(&next)?;
    serde_json::to_writer(&mut file, info)?;
    file.sync_all()?;
    fs::rename(&next, folder.join(INFO))?;
    File::open(folder)?.sync_all()
}

/// Removes `info.json` first: a folder without it is no upload.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_file(folder.join(INFO)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => fs::remove_dir_all(folder),
    }
}

fn sweep(folder: &Path, limit: i64) -> io::Result<()> {
    let old = |path: &Path| {
        let modified = fs::symlink_metadata(path).and_then(|data| data.modified()).unwrap_or(SystemTime::now());
        DateTime::<Utc>::from(modified).timestamp() < limit
    };
    for entry in fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        match attempt(&path) {
            // `_file` holds the lock until the folder is gone.
            Ok(Attempt::Got(info, _file, _)) if info.begun < limit => remove(&path)?,
            // Left by a crash before `info.json` was written.
            Ok(Attempt::Missing) if old(&path) => fs::remove_dir_all(&path)?,
            _ => {}
        }
    }
    // Left by crashes during ordinary uploads, which stall much earlier.
    let beside = folder.parent().unwrap_or(folder);
    for entry in fs::read_dir(beside)?.flatten() {
        if entry.file_type()?.is_file() && old(&entry.path()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
