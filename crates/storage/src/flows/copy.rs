//! Copying and moving objects.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use uuid::Uuid;

use super::events::{self, Origin};
use super::remove;
use super::upload::{self, Target};
use crate::backend::Place;
use crate::error::StorageError;
use crate::protocol::names;
use crate::session::Requester;
use crate::state::State;
use crate::store::objects::{self, NewObject, Object};

/// How long a writer waits for another one of the same name.
const WRITER_PATIENCE: &str = "5s";

/// The properties of a copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    pub(crate) upsert: bool,
    /// If false, the following fields replace the source's.
    ///
    /// DEVIATION: what new metadata of a copy does not name is kept; in the S3 protocol upstream drops `Cache-Control`.
    pub(crate) copy_metadata: bool,
    pub(crate) cache_control: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) user_metadata: Option<Box<RawValue>>,
}

/// Copies an object that the caller can read to a place where they can write.
///
/// # Errors
/// `NoSuchKey`, and the errors of an upload.
pub(crate) async fn copy(
    state: &State,
    requester: &Requester,
    from: &Target,
    to: &Target,
    changes: &Changes,
) -> Result<Object, StorageError> {
    names::bucket(&from.bucket)?;
    names::bucket(&to.bucket)?;
    names::key(&to.key)?;
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let source = objects::find(&tx, &from.bucket, &from.key).await?.ok_or_else(StorageError::no_such_key)?;
    tx.rollback().await.map_err(StorageError::database)?;
    drop(connection);
    let mut metadata = source.metadata.clone().unwrap_or_else(|| json!({}));
    if !changes.copy_metadata {
        for (name, value) in [("cacheControl", &changes.cache_control), ("mimetype", &changes.mime_type)] {
            if let Some(value) = value {
                metadata[name] = Value::from(value.clone());
            }
        }
    }
    let user_metadata =
        if changes.copy_metadata { source.user_metadata.clone() } else { changes.user_metadata.clone() };
    check(state, from, to)?;
    upload::allowed(state, requester, to, changes.upsert, &metadata, user_metadata.as_deref()).await?;
    let place = second_name(state, source.place(), to).await?;
    metadata["lastModified"] = crate::store::time(Some(chrono::Utc::now()));
    let user_metadata = user_metadata.as_deref();
    upload::record(state, requester, &place, changes.upsert, &metadata, user_metadata, Origin::Copy).await
}

/// Moves an object.
///
/// # Errors
/// `NoSuchKey`, `AccessDenied`, or the target exists.
pub(crate) async fn rename(
    state: &State,
    requester: &Requester,
    from: &Target,
    to: &Target,
) -> Result<(), StorageError> {
    names::bucket(&from.bucket)?;
    names::bucket(&to.bucket)?;
    names::key(&to.key)?;
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    objects::find(&tx, &from.bucket, &from.key).await?.ok_or_else(StorageError::no_such_key)?;
    renamed(&tx, requester, from, to, ("1", &Value::Null)).await?;
    tx.rollback().await.map_err(StorageError::database)?;
    if from == to {
        return Ok(());
    }
    check(state, from, to)?;
    let tx = requester.as_service(&mut connection).await?;
    let source = objects::find(&tx, &from.bucket, &from.key).await?.ok_or_else(StorageError::no_such_key)?;
    tx.rollback().await.map_err(StorageError::database)?;
    let place = second_name(state, source.place(), to).await?;
    let done = async {
        let tx = requester.as_service(&mut connection).await?;
        objects::lock_name(&tx, &to.bucket, &to.key, WRITER_PATIENCE).await?;
        let current = objects::find_locked(&tx, &from.bucket, &from.key).await?;
        // A concurrent upload has replaced the version that we copied.
        let current = current.filter(|current| current.version == source.version);
        let mut metadata = current.ok_or_else(StorageError::no_such_key)?.metadata.unwrap_or_default();
        if metadata.is_object() {
            // Under its new name the content is new.
            metadata["lastModified"] = crate::store::time(Some(chrono::Utc::now()));
        }
        renamed(&tx, requester, from, to, (place.version.as_deref().unwrap_or_default(), &metadata)).await?;
        tx.commit().await.map_err(StorageError::database)
    };
    match done.await {
        Ok(()) => {
            events::moved(state, requester, &source, &place);
            remove::file(state, source.place()).await;
        }
        Err(error) => {
            remove::file(state, place).await;
            return Err(error);
        }
    }
    Ok(())
}

/// Objects with metadata do not come by another way into a bucket that strips it.
fn check(state: &State, from: &Target, to: &Target) -> Result<(), StorageError> {
    match state.config.strips(&to.bucket) && !state.config.strips(&from.bucket) {
        true => Err(StorageError::invalid_request("This bucket removes metadata: upload the file to it instead")),
        false => Ok(()),
    }
}

async fn renamed(
    tx: &pg::pool::Transaction<'_>,
    requester: &Requester,
    from: &Target,
    to: &Target,
    (version, metadata): (&str, &Value),
) -> Result<(), StorageError> {
    let row = NewObject {
        bucket_id: &to.bucket,
        name: &to.key,
        version,
        owner: requester.owner.as_deref(),
        metadata,
        user_metadata: None,
    };
    let found = objects::rename(tx, (&from.bucket, &from.key), &row).await?;
    if found { Ok(()) } else { Err(StorageError::no_such_key()) }
}

/// Copies the bytes to a new version of another object.
async fn second_name(state: &State, from: Place, to: &Target) -> Result<Place, StorageError> {
    let version = Some(Uuid::new_v4().to_string());
    let place = Place { bucket: to.bucket.clone(), key: to.key.clone(), version };
    state.files.copy(&from, &place).await?;
    Ok(place)
}
