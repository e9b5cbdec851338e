//! Deleting objects: first the rows, then the files.

use super::events;
use crate::backend::Place;
use crate::error::StorageError;
use crate::session::Requester;
use crate::state::State;
use crate::store::objects::{self, Object};

/// Number of objects deleted in one transaction.
const BATCH: usize = 500;

/// Removes a file that no row refers to. If that fails, `fsck` finds it later.
pub(crate) async fn file(state: &State, place: Place) {
    // The error was logged where it arose.
    let _ = try_file(state, &place).await;
}

/// Removes a file that no row refers to, and what was rendered from it. It may be gone already.
///
/// # Errors
/// Those of the disk or the S3 server.
pub(crate) async fn try_file(state: &State, place: &Place) -> Result<(), StorageError> {
    let (renditions, version) = (state.renditions.clone(), place.version.clone());
    let removed = async {
        state.files.remove(place).await?;
        let forget = move || version.as_deref().map_or(Ok(()), |version| renditions.remove(version));
        crate::backend::blocking(forget).await
    };
    let removed = removed.await;
    if removed.is_err() {
        tracing::warn!(event = "storage_file_left", bucket = place.bucket, key = place.key);
    }
    removed
}

/// Deletes one object. Distinguishes an object that does not exist from one that may not be deleted.
///
/// # Errors
/// `NoSuchKey`, `AccessDenied`.
pub(crate) async fn one(state: &State, requester: &Requester, bucket: &str, key: &str) -> Result<(), StorageError> {
    let mut connection = state.connection().await?;
    let tx = requester.as_service(&mut connection).await?;
    let found = objects::find(&tx, bucket, key).await?;
    tx.rollback().await.map_err(StorageError::database)?;
    if found.is_none() {
        return Err(StorageError::no_such_key());
    }
    drop(connection);
    let deleted = many(state, requester, bucket, &[key.to_owned()]).await?;
    if deleted.is_empty() { Err(StorageError::access_denied("Access denied")) } else { Ok(()) }
}

/// Deletes those of the objects that exist and may be deleted, and returns them.
///
/// # Errors
/// Database errors; earlier batches stay deleted.
pub(crate) async fn many(
    state: &State,
    requester: &Requester,
    bucket: &str,
    names: &[String],
) -> Result<Vec<Object>, StorageError> {
    let mut all = Vec::new();
    for batch in names.chunks(BATCH) {
        let mut connection = state.connection().await?;
        let tx = requester.as_user(&mut connection).await?;
        let deleted = objects::delete(&tx, bucket, batch).await?;
        tx.commit().await.map_err(StorageError::database)?;
        drop(connection);
        for object in &deleted {
            events::removed(state, requester, object);
            file(state, object.place()).await;
        }
        all.extend(deleted);
    }
    Ok(all)
}
