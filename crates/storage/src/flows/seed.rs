//! Declared buckets and their files.
//!
//! Source: supabase/cli, `seed buckets`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use uuid::Uuid;

use super::events::Origin;
use super::upload;
use crate::backend::{Place, Upload, blocking};
use crate::declared::Declared;
use crate::error::StorageError;
use crate::protocol::{content, names};
use crate::session::Requester;
use crate::state::State;
use crate::store::buckets::{self, Change, NewBucket};
use crate::store::objects;

/// As the CLI sets it: an hour.
const CACHE_CONTROL: &str = "max-age=3600";
/// Size of a read, in bytes.
const PIECE: usize = 256 * 1024;

impl State {
    /// Creates the declared buckets that are missing. `seed` also brings the others to what is declared, and uploads the files
    /// that are new or changed; it is for development, where the files of the project are the truth.
    ///
    /// # Errors
    /// A sentence: what cannot be created or read, and why.
    pub(crate) async fn declare(&self, seed: bool) -> Result<(), String> {
        let requester = Requester::own(self, "storage.bucket.create");
        for bucket in &self.config.buckets {
            let said = |error: StorageError| format!("the bucket {}: {error}", bucket.name);
            self.declare_bucket(&requester, bucket, seed).await.map_err(said)?;
            let Some(folder) = bucket.objects.as_deref().filter(|_| seed) else { continue };
            let unread = |error: std::io::Error| format!("the bucket {}: {}: {error}", bucket.name, folder.display());
            for (path, key) in files(folder).map_err(unread)? {
                let said = |error: StorageError| format!("the bucket {}: {}: {error}", bucket.name, path.display());
                self.declare_object(&requester, bucket, &path, key).await.map_err(said)?;
            }
        }
        Ok(())
    }

    async fn declare_bucket(&self, requester: &Requester, bucket: &Declared, seed: bool) -> Result<(), StorageError> {
        names::new_bucket(&bucket.name)?;
        bucket.allowed_mime_types.iter().try_for_each(|pattern| content::pattern(pattern))?;
        if bucket.file_size_limit.is_some_and(|limit| limit > self.config.file_size_limit) {
            return Err(StorageError::too_large());
        }
        let limit = bucket.file_size_limit.and_then(|limit| i64::try_from(limit).ok());
        let types = Some(bucket.allowed_mime_types.clone()).filter(|types| !types.is_empty());
        let mut connection = self.connection().await?;
        let tx = requester.as_service(&mut connection).await?;
        match buckets::find(&tx, &bucket.name).await? {
            Some(_) if !seed => return Ok(()),
            Some(_) => {
                let change = Change {
                    public: Some(bucket.public),
                    file_size_limit: Some(limit),
                    allowed_mime_types: Some(types),
                };
                buckets::update(&tx, &bucket.name, &change).await?;
            }
            None => {
                let new = NewBucket {
                    id: bucket.name.clone(),
                    name: bucket.name.clone(),
                    public: bucket.public,
                    file_size_limit: limit,
                    allowed_mime_types: types,
                    owner: None,
                };
                buckets::insert(&tx, &new).await?;
            }
        }
        tx.commit().await.map_err(StorageError::database)
    }

    async fn declare_object(
        &self,
        requester: &Requester,
        bucket: &Declared,
        path: &Path,
        key: String,
    ) -> Result<(), StorageError> {
        names::key(&key)?;
        let own = path.to_path_buf();
        let (mut file, length, modified) = blocking(move || {
            let file = fs::File::open(own)?;
            let data = file.metadata()?;
            Ok((file, data.len(), chrono::DateTime::<chrono::Utc>::from(data.modified()?)))
        })
        .await?;
        let limit = bucket.file_size_limit.and_then(|limit| i64::try_from(limit).ok());
        if length > self.config.standard_limit(limit) {
            return Err(StorageError::too_large());
        }
        let kind = mime_guess::from_path(path).first_or_octet_stream().essence_str().to_owned();
        if !bucket.allowed_mime_types.is_empty() {
            content::allowed(&kind, &bucket.allowed_mime_types)?;
        }
        let mut connection = self.connection().await?;
        let tx = requester.as_service(&mut connection).await?;
        let current = objects::find(&tx, &bucket.name, &key).await?;
        tx.rollback().await.map_err(StorageError::database)?;
        drop(connection);
        let size = |object: &objects::Object| object.metadata.as_ref().and_then(|facts| facts.get("size")?.as_u64());
        if current.is_some_and(|object| size(&object) == Some(length) && object.updated_at > Some(modified)) {
            return Ok(());
        }
        let place = Place { bucket: bucket.name.clone(), key, version: Some(Uuid::new_v4().to_string()) };
        let mut upload = Upload::begin(&self.files, &place).await?;
        loop {
            let (next, piece) = blocking(move || piece(file)).await?;
            if piece.is_empty() {
                break;
            }
            upload.write(piece).await?;
            file = next;
        }
        let written = upload.finish(self.config.strips(&bucket.name)).await?;
        let facts = upload::facts(&written, &kind, CACHE_CONTROL, None);
        upload::record(self, requester, &place, true, &facts, None, Origin::Upload).await.map(drop)
    }
}

fn piece(mut file: fs::File) -> std::io::Result<(fs::File, Bytes)> {
    let mut piece = Vec::with_capacity(PIECE);
    Read::by_ref(&mut file).take(PIECE as u64).read_to_end(&mut piece)?;
    Ok((file, piece.into()))
}

/// The files below a folder and their keys, in the order of the keys. Links are not followed.
fn files(folder: &Path) -> std::io::Result<Vec<(PathBuf, String)>> {
    let (mut files, mut folders) = (Vec::new(), vec![(folder.to_path_buf(), String::new())]);
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let key = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type()? {
                kind if kind.is_dir() => folders.push((entry.path(), format!("{key}/"))),
                kind if kind.is_file() => files.push((entry.path(), key)),
                _ => {}
            }
        }
    }
    files.sort_by(|(_, one), (_, other)| one.cmp(other));
    Ok(files)
}
