//! An upload: permission check, writing, moving to its place, and the row.

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use pg::pool::Transaction;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use uuid::Uuid;

use super::events::{self, Origin};
use super::receive::{Incoming, Rules};
use super::remove;
use crate::backend::{Place, Upload, Written};
use crate::error::StorageError;
use crate::protocol::names;
use crate::session::Requester;
use crate::state::State;
use crate::store::buckets::{self, Bucket};
use crate::store::objects::{self, NewObject, Object};

/// How long a writer waits for another one of the same name.
const WRITER_PATIENCE: &str = "5s";

/// The object named by a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) bucket: String,
    pub(crate) key: String,
}

/// Stores a request's body as an object.
///
/// # Errors
/// If the bucket, its policies or the disk refuse; then nothing is left behind.
pub(crate) async fn upload(
    state: &State,
    requester: &Requester,
    target: &Target,
    upsert: bool,
    request: &HttpRequest,
    payload: Payload,
) -> Result<Object, StorageError> {
    let bucket = bucket(state, requester, &target.bucket).await?;
    let types = bucket.allowed_mime_types.unwrap_or_default();
    let limit = state.config.standard_limit(bucket.file_size_limit);
    let incoming = Incoming::of(request, payload, &Rules { key: &target.key, limit, types: &types }).await?;
    store(state, requester, target, upsert, incoming).await
}

/// A bucket with its rules, whether the caller sees it or not.
///
/// # Errors
/// `NoSuchBucket`.
pub(crate) async fn bucket(state: &State, requester: &Requester, name: &str) -> Result<Bucket, StorageError> {
    names::bucket(name)?;
    // The connection is released at the end: the client may send slowly.
    let mut connection = state.connection().await?;
    let tx = requester.as_service(&mut connection).await?;
    let bucket = buckets::find(&tx, name).await?.ok_or_else(StorageError::no_such_bucket)?;
    tx.rollback().await.map_err(StorageError::database)?;
    Ok(bucket)
}

/// Stores an upload whose body has not been read yet.
///
/// # Errors
/// If the policies or the disk refuse; then nothing is left behind.
pub(crate) async fn store(
    state: &State,
    requester: &Requester,
    target: &Target,
    upsert: bool,
    mut incoming: Incoming,
) -> Result<Object, StorageError> {
    names::key(&target.key)?;
    let mut shown = json!({ "mimetype": incoming.mime_type });
    if let Some(length) = incoming.declared {
        shown["contentLength"] = Value::from(length);
    }
    // No policy refuses the service's role anything, and a name that is taken is no obstacle.
    if !(upsert && requester.is_service()) {
        allowed(state, requester, target, upsert, &shown, incoming.user_metadata.as_deref()).await?;
    }

    let version = Uuid::new_v4().to_string();
    let place = Place { bucket: target.bucket.clone(), key: target.key.clone(), version: Some(version) };
    let mut upload = Upload::begin(&state.files, &place).await?;
    while let Some(piece) = incoming.next().await? {
        upload.write(piece).await?;
    }
    let written = upload.finish(state.config.strips(&target.bucket)).await?;
    let metadata = facts(&written, &incoming.mime_type, &incoming.cache_control, incoming.robots.as_deref());
    let empty = serde_json::from_str("{}").map_err(StorageError::internal)?;
    let user_metadata = incoming.user_metadata.as_deref().unwrap_or(empty);
    record(state, requester, &place, upsert, &metadata, Some(user_metadata), Origin::Upload).await
}

/// Checks whether the caller's policies allow this row, by writing it and rolling back.
///
/// # Errors
/// If the policies or a unique constraint refuse.
pub(crate) async fn allowed(
    state: &State,
    requester: &Requester,
    target: &Target,
    upsert: bool,
    metadata: &Value,
    user_metadata: Option<&RawValue>,
) -> Result<(), StorageError> {
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let row = NewObject {
        bucket_id: &target.bucket,
        name: &target.key,
        version: "1",
        owner: requester.owner.as_deref(),
        metadata,
        user_metadata,
    };
    match upsert {
        true => drop(objects::upsert(&tx, &row).await?),
        false => objects::insert(&tx, &row).await?,
    }
    tx.rollback().await.map_err(StorageError::database)
}

/// Writes the row of a file that is in its place, and removes the version that it replaces.
///
/// DEVIATION (safer): the caller must be allowed to write the object at the end of an upload, too; upstream checks the permission
/// only at the start. Without upsert an object that appeared meanwhile is a duplicate.
///
/// # Errors
/// `KeyAlreadyExists`, and those of the policies and the database; the file is removed, unless it is unknown whether the
/// row was committed.
pub(crate) async fn record(
    state: &State,
    requester: &Requester,
    place: &Place,
    upsert: bool,
    metadata: &Value,
    user_metadata: Option<&RawValue>,
    origin: Origin,
) -> Result<Object, StorageError> {
    match recorded(state, requester, place, upsert, metadata, user_metadata).await {
        Ok((object, replaced)) => {
            events::created(state, requester, &object, origin, replaced.is_none());
            if let Some(old) = replaced {
                remove::file(state, old.place()).await;
            }
            Ok(object)
        }
        Err((error, known)) => {
            if known {
                remove::file(state, place.clone()).await;
            }
            Err(error)
        }
    }
}

/// As [`record`], for a version whose row an earlier attempt may have written already. If this attempt fails, the file stays
/// unless the database has refused the row.
///
/// # Errors
/// Errors of the database.
pub(crate) async fn record_again(
    state: &State,
    requester: &Requester,
    place: &Place,
    upsert: bool,
    metadata: &Value,
    user_metadata: Option<&RawValue>,
) -> Result<(), StorageError> {
    match recorded(state, requester, place, upsert, metadata, user_metadata).await {
        Ok((object, replaced)) => {
            events::created(state, requester, &object, Origin::Upload, replaced.is_none());
            if let Some(old) = replaced {
                remove::file(state, old.place()).await;
            }
            Ok(())
        }
        Err((error, known)) => {
            if known && matches!(error.status(), 403 | 404 | 409) {
                remove::file(state, place.clone()).await;
            }
            Err(error)
        }
    }
}

/// The new row and the one it replaces; or the error, and whether the row was certainly not committed.
async fn recorded(
    state: &State,
    requester: &Requester,
    place: &Place,
    upsert: bool,
    metadata: &Value,
    user_metadata: Option<&RawValue>,
) -> Result<(Object, Option<Object>), (StorageError, bool)> {
    let nothing_kept = |error| (error, true);
    let mut connection = state.connection().await.map_err(nothing_kept)?;
    let tx = requester.as_service(&mut connection).await.map_err(nothing_kept)?;
    objects::lock_name(&tx, &place.bucket, &place.key, WRITER_PATIENCE).await.map_err(nothing_kept)?;
    let current = objects::find_locked(&tx, &place.bucket, &place.key).await.map_err(nothing_kept)?;
    let row = NewObject {
        bucket_id: &place.bucket,
        name: &place.key,
        version: place.version.as_deref().unwrap_or_default(),
        owner: requester.owner.as_deref(),
        metadata,
        user_metadata,
    };
    let object = written(&tx, requester, &row, current.as_ref(), upsert).await.map_err(nothing_kept)?;
    match tx.commit().await {
        Ok(()) => Ok((object, current.filter(|current| current.version != place.version))),
        Err(error) => {
            let known = matches!(error, pg::Error::Database(_));
            Err((StorageError::database(error), known))
        }
    }
}

/// Writes the row as the service, if the caller may replace `current`.
async fn written(
    tx: &Transaction<'_>,
    requester: &Requester,
    row: &NewObject<'_>,
    current: Option<&Object>,
    upsert: bool,
) -> Result<Object, StorageError> {
    match current {
        // The row was written before: a crash came between it and the answer.
        Some(current) if current.version.as_deref() == Some(row.version) => {}
        Some(_) if !upsert => return Err(StorageError::key_exists()),
        Some(_) if requester.is_service() => {}
        Some(_) => requester.try_as_user(tx, async |tx| objects::upsert(tx, row).await.map(drop)).await?,
        None if upsert => {
            if !requester.is_service() {
                requester.try_as_user(tx, async |tx| objects::upsert(tx, row).await.map(drop)).await?;
            }
        }
        None => {
            if !requester.is_service() {
                requester.try_as_user(tx, async |tx| objects::insert(tx, row).await).await?;
            }
            // SQL that does not take the lock may have been faster.
            objects::insert(tx, row).await?;
            let inserted = objects::find(tx, row.bucket_id, row.name).await?;
            return inserted.ok_or_else(StorageError::no_such_key);
        }
    }
    objects::upsert(tx, row).await
}

/// `objects.metadata`, in the format of upstream's backends.
pub(crate) fn facts(written: &Written, mime_type: &str, cache_control: &str, robots: Option<&str>) -> Value {
    let mut facts = json!({
        "eTag": written.etag,
        "size": written.length,
        "mimetype": mime_type,
        "cacheControl": cache_control,
        "lastModified": crate::store::time(Some(written.at)),
        "contentLength": written.length,
        "httpStatusCode": 200,
    });
    if let Some(robots) = robots {
        facts["xRobotsTag"] = Value::from(robots);
    }
    facts
}
