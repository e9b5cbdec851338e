//! Deleting a bucket.

use crate::error::StorageError;
use crate::session::Requester;
use crate::state::State;
use crate::store::{buckets, objects};

/// Deletes an empty bucket.
///
/// # Errors
/// `NoSuchBucket`, `ResourceNotEmpty`, and `ResourceReferenced` while there are multipart uploads.
pub(crate) async fn delete(state: &State, requester: &Requester, id: &str) -> Result<(), StorageError> {
    let mut connection = state.connection().await?;
    let tx = requester.as_service(&mut connection).await?;
    if !buckets::lock(&tx, id).await? {
        return Err(StorageError::no_such_bucket());
    }
    if objects::count(&tx, id, 1).await? > 0 {
        let message = "The bucket you tried to delete is not empty";
        return Err(StorageError::new(409, "ResourceNotEmpty", "ResourceNotEmpty", message));
    }
    tx.rollback().await.map_err(StorageError::database)?;
    // A concurrently uploaded object refers to the bucket: PostgreSQL then refuses.
    let tx = requester.as_user(&mut connection).await?;
    if !buckets::delete(&tx, id).await? {
        return Err(StorageError::no_such_bucket());
    }
    tx.commit().await.map_err(StorageError::database)?;
    drop(connection);
    state.cdn.bucket_changed(id).await;
    Ok(())
}
