//! Versions as files, for what cannot read a stream.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use uuid::Uuid;

use super::files::{Files, Place};
use super::reading::Bytes;
use super::writing::blocking;
use crate::error::StorageError;

/// The file of a version. A copy of one in an S3 server is removed with it.
pub(crate) struct Local {
    pub(crate) path: PathBuf,
    is_copy: bool,
}

impl Files {
    /// The file of a version; `None` if it would have to be copied and is longer than `limit`, in bytes.
    ///
    /// # Errors
    /// `NoSuchKey`.
    pub(crate) async fn local(&self, place: &Place, limit: u64) -> Result<Option<Local>, StorageError> {
        if self.remote().is_none() {
            return Ok(Some(Local { path: self.path(place), is_copy: false }));
        }
        let (opened, length) = self.open(place.clone()).await?;
        if length > limit {
            return Ok(None);
        }
        let (own, name) = (self.clone(), Uuid::new_v4().to_string());
        let (path, mut file) = blocking(move || own.unfinished(&name)).await?;
        let local = Local { path, is_copy: true };
        let mut bytes = Bytes::of(opened, 0, length).await?;
        while let Some(piece) = bytes.next().await? {
            file = blocking(move || {
                file.write_all(&piece)?;
                Ok(file)
            })
            .await?;
        }
        Ok(Some(local))
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        if self.is_copy {
            // It may be gone already; otherwise `fsck` finds it.
            let _ = fs::remove_file(&self.path);
        }
    }
}
