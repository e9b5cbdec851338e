//! Objects in an S3 server: `<tenant>/<bucket>/<key>/<version>` in one of its buckets, upstream's layout.
//!
//! Uploads are received into files first, as without such a server, so that nothing but whole objects gets there.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, RetryConfig};

use super::files::{Place, segment};
use super::writing::blocking;
use crate::config::Remote as Settings;
use crate::error::StorageError;

/// Size of a part, in bytes. A smaller object is sent in one request.
const PART: usize = 8 * 1024 * 1024;

/// How often a request is tried again that failed on the way.
const RETRIES: usize = 3;
/// How long it is tried.
const PATIENCE: Duration = Duration::from_secs(20);

/// A bucket of an S3 server. Clones share its connections.
#[derive(Clone, Debug)]
pub(crate) struct Remote {
    store: Arc<AmazonS3>,
    tenant: String,
}

/// The bytes of an object as they come.
pub(super) type Incoming = BoxStream<'static, Result<Bytes, StorageError>>;

impl Remote {
    /// Connects with the first request.
    ///
    /// # Errors
    /// If the settings do not fit together.
    pub(crate) fn new(settings: &Settings, tenant: &str) -> Result<Self, object_store::Error> {
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&settings.bucket)
            .with_region(&settings.region)
            .with_retry(RetryConfig { max_retries: RETRIES, retry_timeout: PATIENCE, ..RetryConfig::default() })
            .with_virtual_hosted_style_request(!settings.path_style);
        if !settings.endpoint.is_empty() {
            builder = builder.with_endpoint(&settings.endpoint).with_allow_http(true);
        }
        if let Some(keys) = &settings.keys {
            builder = builder.with_access_key_id(&keys.id).with_secret_access_key(keys.secret.reveal());
        }
        Ok(Remote { store: Arc::new(builder.build()?), tenant: tenant.to_owned() })
    }

    /// The name of a version.
    fn path(&self, place: &Place) -> Result<Path, StorageError> {
        let mut parts = vec![segment(&self.tenant), segment(&place.bucket)];
        parts.extend(place.key.split('/').map(segment));
        parts.extend(place.version.as_deref().map(segment));
        Path::parse(parts.join("/")).map_err(StorageError::internal)
    }

    /// Stores a file, which others see when it is whole.
    ///
    /// # Errors
    /// Those of the file and of the server.
    pub(super) async fn put(&self, source: &FilePath, place: &Place) -> Result<(), StorageError> {
        let (path, source) = (self.path(place)?, source.to_owned());
        let file = blocking(move || File::open(source)).await?;
        let (file, first) = piece(file).await?;
        if first.len() < PART {
            return self.store.put(&path, first.into()).await.map(drop).map_err(failed);
        }
        let mut upload = self.store.put_multipart(&path).await.map_err(failed)?;
        let sent = async {
            let (mut file, mut next) = (file, first);
            while !next.is_empty() {
                upload.put_part(next.into()).await.map_err(failed)?;
                (file, next) = piece(file).await?;
            }
            upload.complete().await.map(drop).map_err(failed)
        };
        let sent = sent.await;
        if sent.is_err() {
            // Otherwise the server keeps the parts.
            let _ = upload.abort().await;
        }
        sent
    }

    /// How long an object is, in bytes.
    ///
    /// # Errors
    /// `NoSuchKey`.
    pub(super) async fn length(&self, place: &Place) -> Result<u64, StorageError> {
        Ok(self.store.head(&self.path(place)?).await.map_err(failed)?.size)
    }

    /// A range of an object.
    ///
    /// # Errors
    /// `NoSuchKey`.
    pub(super) async fn get(&self, place: &Place, range: Range<u64>) -> Result<Incoming, StorageError> {
        if range.is_empty() {
            return Ok(futures_util::stream::empty().boxed());
        }
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let found = self.store.get_opts(&self.path(place)?, options).await.map_err(failed)?;
        Ok(found.into_stream().map(|piece| piece.map_err(failed)).boxed())
    }

    /// All names below the tenant's, as in [`super::Files::folder`], and when they were written.
    pub(crate) fn all(&self) -> BoxStream<'static, Result<(PathBuf, SystemTime), StorageError>> {
        let tenant = Path::from(self.tenant.as_str());
        let found = self.store.list(Some(&tenant));
        let own = move |found: object_store::ObjectMeta| {
            let name = found
                .location
                .prefix_match(&tenant)
                .map(|parts| parts.map(|part| part.as_ref().to_owned()).collect::<PathBuf>());
            (name.unwrap_or_default(), SystemTime::from(found.last_modified))
        };
        found.map(move |found| found.map(&own).map_err(failed)).boxed()
    }

    /// Copies a version within the server.
    ///
    /// # Errors
    /// `NoSuchKey`.
    pub(super) async fn copy(&self, from: &Place, to: &Place) -> Result<(), StorageError> {
        self.store.copy(&self.path(from)?, &self.path(to)?).await.map_err(failed)
    }

    /// Removes a version. It may be gone already.
    ///
    /// # Errors
    /// Those of the server.
    pub(super) async fn remove(&self, place: &Place) -> Result<(), StorageError> {
        match self.store.delete(&self.path(place)?).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            removed => removed.map_err(failed),
        }
    }
}

/// The next part of a file; empty at its end.
async fn piece(mut file: File) -> Result<(File, Bytes), StorageError> {
    blocking(move || {
        let mut piece = Vec::new();
        Read::by_ref(&mut file).take(PART as u64).read_to_end(&mut piece)?;
        Ok((file, piece.into()))
    })
    .await
}

fn failed(error: object_store::Error) -> StorageError {
    match error {
        object_store::Error::NotFound { .. } => StorageError::no_file(),
        other => StorageError::internal(other),
    }
}
