//! Looks up an object for reading.

use actix_web::{HttpRequest, HttpResponse};

use crate::error::StorageError;
use crate::flows::serve::{self, Wish};
use crate::flows::sign;
use crate::flows::upload::Target;
use crate::protocol::names;
use crate::session::{Asker, Requester};
use crate::state::State;
use crate::store::objects::Object;
use crate::store::{buckets, objects, reads};

/// SQLSTATE of a write in a read-only transaction.
const READ_ONLY: &str = "25006";

/// Whose permissions a lookup uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Anonymous: only public buckets.
    Stranger,
    /// The caller's: public buckets, and what the policies allow.
    Caller,
    /// The service's own, for a URL that was signed at this time, in seconds since 1970.
    Signed(i64),
}

/// The row, if the reader may see it.
///
/// DEVIATION (safer): the public route answers for a private bucket as for a missing one; upstream tells which objects it has.
///
/// # Errors
/// `NoSuchBucket`, `NoSuchKey`.
pub(crate) async fn row(
    state: &State,
    asker: Asker<'_>,
    target: &Target,
    reader: Reader,
) -> Result<Object, StorageError> {
    names::bucket(&target.bucket)?;
    let Some(lookups) = &state.lookups else {
        return row_in_transaction(state, &asker.requester(), target, reader).await;
    };
    let valid = names::key(&target.key);
    let key = valid.is_ok().then_some(target.key.as_str());
    let is_signed = matches!(reader, Reader::Signed(_));
    let found = lookups.trusted(&target.bucket, key, is_signed).await;
    let found = found.map_err(StorageError::database)?.ok_or_else(StorageError::no_such_bucket)?;
    if !found.is_public && reader == Reader::Stranger {
        return Err(StorageError::no_such_bucket());
    }
    valid?;
    if found.is_public || is_signed {
        return still_signed(found.object.ok_or_else(StorageError::no_such_key)?, reader);
    }
    visible(state, asker, target).await
}

/// Refuses a signed URL that was made before [`Object::signed_from`].
fn still_signed(object: Object, reader: Reader) -> Result<Object, StorageError> {
    match reader {
        // DEVIATION (more): SQL that writes `signedUrlsFrom` (seconds since 1970) into an object's metadata ends the
        // signed URLs that were made earlier.
        Reader::Signed(issued) if issued < object.signed_from() => Err(sign::expired()),
        _ => Ok(object),
    }
}

/// Like [`row`], for a service without lanes.
async fn row_in_transaction(
    state: &State,
    requester: &Requester,
    target: &Target,
    reader: Reader,
) -> Result<Object, StorageError> {
    let mut connection = state.connection().await?;
    let tx = requester.as_service(&mut connection).await?;
    let bucket = buckets::find(&tx, &target.bucket).await?.ok_or_else(StorageError::no_such_bucket)?;
    let trusted = bucket.public || matches!(reader, Reader::Signed(_));
    if !trusted && reader == Reader::Stranger {
        return Err(StorageError::no_such_bucket());
    }
    names::key(&target.key)?;
    if trusted {
        let object = objects::find(&tx, &target.bucket, &target.key).await?.ok_or_else(StorageError::no_such_key)?;
        return still_signed(object, reader);
    }
    drop(tx);
    drop(connection);
    visible_in_transaction(state, requester, target).await
}

/// The bytes of an object that the reader may see.
///
/// # Errors
/// Those of [`row`], and an invalid range.
pub(crate) async fn bytes(
    state: &State,
    request: &HttpRequest,
    asker: Asker<'_>,
    target: &Target,
    reader: Reader,
    wish: &Wish,
) -> Result<HttpResponse, StorageError> {
    let object = row(state, asker, target, reader).await?;
    match serve::bytes(state, request, &object, wish).await {
        // A new version replaced the old file between reading the row and the file: try again with the new row.
        Err(error) if error == StorageError::no_file() => {
            let now = row(state, asker, target, reader).await?;
            serve::bytes(state, request, &now, wish).await
        }
        served => served,
    }
}

/// The row under the caller's policies, even in a public bucket.
///
/// # Errors
/// `NoSuchKey`.
pub(crate) async fn visible(state: &State, asker: Asker<'_>, target: &Target) -> Result<Object, StorageError> {
    names::bucket(&target.bucket)?;
    names::key(&target.key)?;
    let Some(lookups) = &state.lookups else {
        return visible_in_transaction(state, &asker.requester(), target).await;
    };
    match reads::visible(lookups.lane(), asker.user(), &target.bucket, &target.key).await {
        Ok(object) => object.ok_or_else(StorageError::no_such_key),
        // A row policy may call a function that writes, so try again in a transaction that allows it.
        Err(pg::Error::Database(error)) if error.code == READ_ONLY => {
            visible_in_transaction(state, &asker.requester(), target).await
        }
        Err(error) => Err(StorageError::database(error)),
    }
}

/// Like [`visible`], in a read-write transaction.
async fn visible_in_transaction(state: &State, requester: &Requester, target: &Target) -> Result<Object, StorageError> {
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let object = objects::find(&tx, &target.bucket, &target.key).await?;
    tx.commit().await.map_err(StorageError::database)?;
    object.ok_or_else(StorageError::no_such_key)
}
