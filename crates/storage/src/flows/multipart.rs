//! Multipart uploads of the S3 protocol: parts in files of their own, joined at the end.

use chrono::SubsecRound;
use serde_json::{Value, json};
use uuid::Uuid;

use super::receive::Incoming;
use super::upload::{self, Target};
use crate::backend::{Bytes, Place, Written};
use crate::error::StorageError;
use crate::protocol::{content, names};
use crate::session::Requester;
use crate::state::State;
use crate::store::uploads::{self, MultipartUpload, Part};

/// The largest number of a part.
pub(crate) const PART_LIMIT: i32 = 10_000;
/// The media type if the client gives none.
const UNTYPED: &str = "application/octet-stream";

/// A request to a multipart upload.
pub(crate) struct Multipart<'a> {
    pub(crate) state: &'a State,
    pub(crate) requester: &'a Requester,
    pub(crate) target: &'a Target,
    pub(crate) id: Uuid,
}

/// The bytes of a part.
pub(crate) enum Source {
    Body(Incoming),
    /// A range of another object.
    Object(Bytes),
}

impl Source {
    async fn next(&mut self) -> Result<Option<bytes::Bytes>, StorageError> {
        match self {
            Source::Body(incoming) => incoming.next().await,
            Source::Object(bytes) => bytes.next().await,
        }
    }
}

/// Begins an upload and returns its id.
///
/// # Errors
/// If the bucket or its policies refuse.
pub(crate) async fn create(
    state: &State,
    requester: &Requester,
    target: &Target,
    mut upload: MultipartUpload,
) -> Result<Uuid, StorageError> {
    let bucket = upload::bucket(state, requester, &target.bucket).await?;
    names::key(&target.key)?;
    let types = bucket.allowed_mime_types.unwrap_or_default();
    if let Some(kind) = upload.metadata.get("mimetype").and_then(Value::as_str).filter(|_| !types.is_empty()) {
        content::allowed(kind, &types)?;
    }
    upload::allowed(state, requester, target, true, &upload.metadata, upload.user_metadata.as_deref()).await?;
    let id = Uuid::new_v4();
    upload.version = Uuid::new_v4().to_string();
    let mut connection = state.connection().await?;
    let tx = requester.as_service(&mut connection).await?;
    uploads::insert(&tx, id, &upload, requester.owner.as_deref()).await?;
    tx.commit().await.map_err(StorageError::database)?;
    Ok(id)
}

impl Multipart<'_> {
    /// The upload, if it is one of this object.
    ///
    /// # Errors
    /// `NoSuchUpload`.
    async fn find(&self) -> Result<MultipartUpload, StorageError> {
        let mut connection = self.state.connection().await?;
        let tx = self.requester.as_service(&mut connection).await?;
        let found = uploads::find(&tx, self.id).await?;
        let Target { bucket, key } = self.target;
        found.filter(|found| found.bucket == *bucket && found.key == *key).ok_or_else(StorageError::no_such_upload)
    }

    /// Whether the caller may write the object.
    async fn allowed(&self, upload: &MultipartUpload, upsert: bool) -> Result<(), StorageError> {
        let MultipartUpload { metadata, user_metadata, .. } = upload;
        upload::allowed(self.state, self.requester, self.target, upsert, metadata, user_metadata.as_deref()).await
    }

    /// How long the object may be, in bytes.
    async fn limit(&self) -> Result<u64, StorageError> {
        let bucket = upload::bucket(self.state, self.requester, &self.target.bucket).await?;
        Ok(self.state.config.multipart_limit(bucket.file_size_limit))
    }

    /// Checks a part before its first byte is read; returns how long the part may be, in bytes.
    ///
    /// # Errors
    /// `NoSuchUpload`, `EntityTooLarge`, and refusals by policies.
    pub(crate) async fn expect(&self, number: i32, length: u64) -> Result<MultipartUpload, StorageError> {
        let limit = self.limit().await?;
        let upload = self.find().await?;
        self.allowed(&upload, true).await?;
        let mut connection = self.state.connection().await?;
        let tx = self.requester.as_service(&mut connection).await?;
        let others = uploads::size_without(&tx, self.id, number).await?;
        if u64::try_from(others).unwrap_or_default().saturating_add(length) > limit {
            return Err(StorageError::too_large());
        }
        Ok(upload)
    }

    /// Stores a part; an earlier one with its number is replaced.
    ///
    /// # Errors
    /// `NoSuchUpload`, `EntityTooLarge`, errors of the body and the disk. Then nothing of the part is left.
    pub(crate) async fn part(
        &self,
        upload: &MultipartUpload,
        number: i32,
        mut source: Source,
    ) -> Result<Part, StorageError> {
        let (parts, id) = (&self.state.parts, Uuid::new_v4());
        let mut file = parts.begin(self.id, id).await?;
        while let Some(piece) = source.next().await? {
            file.write(piece).await?;
        }
        let written = file.finish(false).await?;
        let limit = self.limit().await?;
        let part = Part {
            id,
            number,
            size: i64::try_from(written.length).unwrap_or(i64::MAX),
            etag: written.etag,
            created_at: written.at.trunc_subsecs(6),
        };
        let replaced = match self.recorded(upload, &part, limit).await {
            Ok(replaced) => replaced,
            Err((error, known)) => {
                // Without an answer to the commit the row may exist; `fsck` decides then.
                if known {
                    parts.remove(self.id, id).await?;
                }
                return Err(error);
            }
        };
        for old in replaced {
            parts.remove(self.id, old).await?;
        }
        Ok(part)
    }

    /// Writes the row of a part; the ids of those it replaces, or the error and whether the row was certainly not committed.
    async fn recorded(
        &self,
        upload: &MultipartUpload,
        part: &Part,
        limit: u64,
    ) -> Result<Vec<Uuid>, (StorageError, bool)> {
        let nothing_kept = |error| (error, true);
        let mut connection = self.state.connection().await.map_err(nothing_kept)?;
        let tx = self.requester.as_service(&mut connection).await.map_err(nothing_kept)?;
        if !uploads::lock(&tx, self.id).await.map_err(nothing_kept)? {
            return Err(nothing_kept(StorageError::no_such_upload()));
        }
        // Other parts may have come meanwhile.
        let others = uploads::size_without(&tx, self.id, part.number).await.map_err(nothing_kept)?;
        if u64::try_from(others.saturating_add(part.size)).unwrap_or(u64::MAX) > limit {
            return Err(nothing_kept(StorageError::too_large()));
        }
        let owner = self.requester.owner.as_deref();
        let replaced = uploads::replace_part(&tx, self.id, upload, part, owner).await.map_err(nothing_kept)?;
        match tx.commit().await {
            Ok(()) => Ok(replaced),
            Err(error) => {
                let known = matches!(error, pg::Error::Database(_));
                Err((StorageError::database(error), known))
            }
        }
    }

    /// Joins the named parts, or all if none is named, to the object; without `upsert` only to a new one. Safe to repeat after a crash in between.
    ///
    /// # Errors
    /// `NoSuchUpload`, `MissingPart`, `InvalidChecksum`, `EntityTooLarge`, and refusals by policies.
    pub(crate) async fn complete(&self, wanted: &[(i32, String)], upsert: bool) -> Result<Written, StorageError> {
        self.find().await?;
        let _held = self.state.parts.hold(self.id).await?;
        // Another request may have ended it meanwhile.
        let upload = self.find().await?;
        self.allowed(&upload, upsert).await?;
        let limit = self.limit().await?;
        let mut connection = self.state.connection().await?;
        let tx = self.requester.as_service(&mut connection).await?;
        let found = uploads::parts(&tx, self.id, 0, i64::from(PART_LIMIT)).await?;
        tx.rollback().await.map_err(StorageError::database)?;
        drop(connection);
        let chosen = self.chosen(&found, wanted)?;
        if chosen.is_empty() {
            return Err(StorageError::invalid_request("You must specify at least one part"));
        }
        let length: i64 = chosen.iter().map(|part| part.size).sum();
        if u64::try_from(length).unwrap_or(u64::MAX) > limit {
            return Err(StorageError::too_large());
        }
        // A placeholder of an empty folder must be empty.
        if names::is_folder_placeholder(&self.target.key) && length > 0 {
            return Err(StorageError::too_large());
        }
        let Target { bucket, key } = self.target.clone();
        let place = Place { bucket, key, version: Some(upload.version.clone()) };
        let ids: Vec<Uuid> = chosen.iter().map(|part| part.id).collect();
        let written = self.state.parts.join(self.id, &ids, &place, self.state.config.strips(&place.bucket)).await?;
        let text = |name: &str| upload.metadata.get(name).and_then(Value::as_str);
        let cache_control = text("cacheControl").unwrap_or("no-cache");
        let facts = upload::facts(&written, text("mimetype").unwrap_or(UNTYPED), cache_control, None);
        let user_metadata = upload.user_metadata.as_deref();
        upload::record_again(self.state, self.requester, &place, upsert, &facts, user_metadata).await?;
        self.forget().await?;
        Ok(written)
    }

    /// The parts to join, in their order.
    fn chosen<'p>(&self, found: &'p [Part], wanted: &[(i32, String)]) -> Result<Vec<&'p Part>, StorageError> {
        if wanted.is_empty() {
            return Ok(found.iter().collect());
        }
        let mut chosen = Vec::new();
        for (number, etag) in wanted {
            let missing = || {
                let message = format!("Part {number} is missing for upload id {}", self.id);
                StorageError::new(400, "MissingPart", "MissingPart", message)
            };
            let part = found.iter().find(|part| part.number == *number).ok_or_else(missing)?;
            if part.etag.trim_matches('"') != etag.trim_matches('"') {
                return Err(StorageError::checksum(format!("Invalid ETag for part {number}")));
            }
            chosen.push(part);
        }
        chosen.sort_by_key(|part| part.number);
        chosen.dedup_by_key(|part| part.number);
        Ok(chosen)
    }

    /// Ends the upload without an object.
    ///
    /// # Errors
    /// `NoSuchUpload`, and refusals by policies.
    pub(crate) async fn abort(&self) -> Result<(), StorageError> {
        let upload = self.find().await?;
        self.allowed(&upload, true).await?;
        let _held = self.state.parts.hold(self.id).await?;
        self.find().await?;
        self.forget().await
    }

    /// Removes the rows first: files without rows are harmless.
    async fn forget(&self) -> Result<(), StorageError> {
        let mut connection = self.state.connection().await?;
        let tx = self.requester.as_service(&mut connection).await?;
        uploads::delete(&tx, self.id).await?;
        tx.commit().await.map_err(StorageError::database)?;
        drop(connection);
        self.state.parts.remove_all(self.id).await
    }

    /// A page of the parts that the caller sees.
    ///
    /// # Errors
    /// `NoSuchUpload`.
    pub(crate) async fn parts(&self, after: i32, limit: i64) -> Result<Vec<Part>, StorageError> {
        self.find().await?;
        let mut connection = self.state.connection().await?;
        let tx = self.requester.as_user(&mut connection).await?;
        uploads::parts(&tx, self.id, after, limit).await
    }
}

/// The facts of an upload to be, for its row.
pub(crate) fn metadata(mime_type: Option<&str>, cache_control: Option<&str>) -> Value {
    let mut metadata = json!({});
    for (name, value) in [("mimetype", mime_type), ("cacheControl", cache_control)] {
        if let Some(value) = value {
            metadata[name] = Value::from(value);
        }
    }
    metadata
}
