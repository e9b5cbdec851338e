//! Receives file contents: written and hashed in pieces, on blocking threads.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use actix_web::web;
use bytes::{Bytes, BytesMut};
use chrono::{DateTime, Utc};
use md5::{Digest, Md5};

use super::files::{Files, Place};
use crate::error::StorageError;
use crate::strip;

/// Size of a write, in bytes. Each upload holds one. With half of it, 200 uploads at once took 123 MB instead of 79.
pub(super) const PIECE: usize = 128 * 1024;

/// A file that is being written. Removed if dropped before [`Upload::finish`].
pub(crate) struct Upload {
    files: Files,
    target: Target,
    buffer: BytesMut,
    /// Absent while a thread writes.
    sink: Option<Sink>,
}

/// Where a file is moved to.
enum Target {
    Object(Place),
    Part(PathBuf),
}

struct Sink {
    path: PathBuf,
    file: File,
    hasher: Md5,
    length: u64,
    published: bool,
}

/// A written file.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// In bytes.
    pub(crate) length: u64,
    /// The MD5 in quotes, as in S3.
    pub(crate) etag: String,
    pub(crate) at: DateTime<Utc>,
}

impl Upload {
    /// Creates the unfinished file.
    ///
    /// # Errors
    /// Disk errors.
    pub(crate) async fn begin(files: &Files, place: &Place) -> Result<Self, StorageError> {
        Self::to(files, Target::Object(place.clone()), place.version.clone().unwrap_or_default()).await
    }

    /// Creates an unfinished file with a unique name, which will be moved to `target`.
    ///
    /// # Errors
    /// Disk errors.
    pub(super) async fn at(files: &Files, target: PathBuf, name: String) -> Result<Self, StorageError> {
        Self::to(files, Target::Part(target), name).await
    }

    async fn to(files: &Files, target: Target, name: String) -> Result<Self, StorageError> {
        let own = files.clone();
        let (path, file) = blocking(move || own.unfinished(&name)).await?;
        let sink = Sink { path, file, hasher: Md5::new(), length: 0, published: false };
        Ok(Upload { files: files.clone(), target, buffer: BytesMut::new(), sink: Some(sink) })
    }

    /// Writes the next bytes.
    ///
    /// # Errors
    /// Disk errors.
    pub(crate) async fn write(&mut self, mut bytes: Bytes) -> Result<(), StorageError> {
        // Never more than a piece, so that the buffer does not grow.
        while self.buffer.len() + bytes.len() >= PIECE {
            let first = bytes.split_to(PIECE - self.buffer.len());
            self.keep(&first);
            self.flush().await?;
        }
        self.keep(&bytes);
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.buffer.capacity() == 0 && !bytes.is_empty() {
            self.buffer.reserve(PIECE);
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Moves the file to its place, without its metadata if `stripped`. From then on the caller must remove it if necessary.
    ///
    /// # Errors
    /// Disk errors, and a file whose metadata cannot be removed.
    pub(crate) async fn finish(mut self, stripped: bool) -> Result<Written, StorageError> {
        self.flush().await?;
        let Some(mut sink) = self.sink.take() else { return Err(StorageError::internal("the file is away")) };
        if stripped && sink.length > 0 {
            let known = blocking(move || {
                let known = strip::strip(&mut sink.file)?;
                sink.hasher = hashed(&mut sink.file)?;
                Ok(known.then_some(sink))
            });
            sink = known.await?.ok_or_else(StorageError::unstrippable)?;
        }
        let path = match self.target {
            Target::Object(place) => match self.files.remote() {
                Some(remote) => {
                    // The file is removed with the sink.
                    remote.put(&sink.path, &place).await?;
                    return Ok(Written { length: sink.length, etag: etag(&mut sink.hasher), at: Utc::now() });
                }
                None => self.files.path(&place),
            },
            Target::Part(path) => path,
        };
        let files = self.files;
        blocking(move || {
            // The length is synced with the data; the times of the file are not used.
            sink.file.sync_data()?;
            files.put_at(&path, |target| fs::rename(&sink.path, target))?;
            sink.published = true;
            Ok(Written { length: sink.length, etag: etag(&mut sink.hasher), at: Utc::now() })
        })
        .await
    }

    async fn flush(&mut self) -> Result<(), StorageError> {
        // The buffer comes back: allocating each piece anew on one thread and freeing it on another fragments the memory.
        let mut piece = std::mem::take(&mut self.buffer);
        let Some(mut sink) = self.sink.take() else { return Err(StorageError::internal("the file is away")) };
        let (sink, piece) = blocking(move || {
            sink.file.write_all(&piece)?;
            sink.hasher.update(&piece);
            sink.length += piece.len() as u64;
            piece.clear();
            Ok((sink, piece))
        })
        .await?;
        (self.sink, self.buffer) = (Some(sink), piece);
        Ok(())
    }
}

/// Hashes a whole file.
pub(super) fn hashed(file: &mut File) -> io::Result<Md5> {
    let (mut hasher, mut piece) = (Md5::new(), vec![0; PIECE]);
    file.rewind()?;
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hasher),
            read => hasher.update(&piece[..read]),
        }
    }
}

/// The MD5 of the hashed bytes, as an ETag.
pub(super) fn etag(hasher: &mut Md5) -> String {
    let hex: String = hasher.finalize_reset().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

impl Drop for Sink {
    fn drop(&mut self) {
        if !self.published {
            // It may be gone already; otherwise `fsck` finds it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Runs disk operations on a blocking thread.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, StorageError> {
    match web::block(work).await {
        Ok(done) => done.map_err(|error| StorageError::file(&error)),
        Err(error) => Err(StorageError::internal(error)),
    }
}
