//! Bytes that come in: written and hashed piece by piece, away from the threads that serve requests.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use actix_web::web;
use bytes::{Bytes, BytesMut};
use chrono::{DateTime, Utc};
use md5::{Digest, Md5};

use super::files::{Files, Place};
use crate::error::StorageError;

/// As many bytes go to the disk at once.
const PIECE: usize = 256 * 1024;

/// A file that is being written. Dropped before [`Upload::finish`], it is gone.
pub(crate) struct Upload {
    files: Files,
    place: Place,
    buffer: BytesMut,
    /// Away while a thread writes.
    sink: Option<Sink>,
}

struct Sink {
    path: PathBuf,
    file: File,
    hasher: Md5,
    length: u64,
    published: bool,
}

/// What was written.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// In bytes.
    pub(crate) length: u64,
    /// The MD5 in quotes, as S3 has it.
    pub(crate) etag: String,
    pub(crate) at: DateTime<Utc>,
}

impl Upload {
    /// # Errors
    /// Those of the disk.
    pub(crate) async fn begin(files: &Files, place: Place) -> Result<Self, StorageError> {
        let (own, name) = (files.clone(), place.version.clone().unwrap_or_default());
        let (path, file) = blocking(move || own.unfinished(&name)).await?;
        let sink = Sink { path, file, hasher: Md5::new(), length: 0, published: false };
        Ok(Upload { files: files.clone(), place, buffer: BytesMut::new(), sink: Some(sink) })
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// Those of the disk.
    pub(crate) async fn write(&mut self, bytes: Bytes) -> Result<(), StorageError> {
        self.buffer.extend_from_slice(&bytes);
        if self.buffer.len() < PIECE { Ok(()) } else { self.flush().await }
    }

    /// Gives the file its place. From here on it is the caller's to remove.
    ///
    /// # Errors
    /// Those of the disk.
    pub(crate) async fn finish(mut self) -> Result<Written, StorageError> {
        self.flush().await?;
        let (files, place) = (self.files.clone(), self.place.clone());
        let Some(mut sink) = self.sink.take() else { return Err(StorageError::internal("the file is away")) };
        blocking(move || {
            sink.file.sync_all()?;
            files.publish(&sink.path, &place)?;
            sink.published = true;
            let digest = sink.hasher.finalize_reset();
            let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            Ok(Written { length: sink.length, etag: format!("\"{hex}\""), at: Utc::now() })
        })
        .await
    }

    async fn flush(&mut self) -> Result<(), StorageError> {
        let piece = self.buffer.split().freeze();
        let Some(mut sink) = self.sink.take() else { return Err(StorageError::internal("the file is away")) };
        let sink = blocking(move || {
            sink.file.write_all(&piece)?;
            sink.hasher.update(&piece);
            sink.length += piece.len() as u64;
            Ok(sink)
        })
        .await?;
        self.sink = Some(sink);
        Ok(())
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if !self.published {
            // Gone already, or `fsck` finds it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Runs what waits for the disk on a thread that may.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, StorageError> {
    match web::block(work).await {
        Ok(done) => done.map_err(|error| StorageError::file(&error)),
        Err(error) => Err(StorageError::internal(error)),
    }
}
