//! Looks up an object for reading.

use actix_web::{HttpRequest, HttpResponse};

use crate::error::StorageError;
use crate::flows::serve::{self, Wish};
use crate::flows::sign;
use crate::flows::upload::Target;
use crate::protocol::names;
use crate::session::Requester;
use crate::state::State;
use crate::store::objects::Object;
use crate::store::{buckets, objects};

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
    requester: &Requester,
    target: &Target,
    reader: Reader,
) -> Result<Object, StorageError> {
    names::bucket(&target.bucket)?;
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
        return match reader {
            // DEVIATION (more): SQL that writes `signedUrlsFrom` (seconds since 1970) into an object's metadata ends the
            // signed URLs that were made earlier.
            Reader::Signed(issued) if issued < object.signed_from() => Err(sign::expired()),
            _ => Ok(object),
        };
    }
    tx.rollback().await.map_err(StorageError::database)?;
    let tx = requester.as_user(&mut connection).await?;
    objects::find(&tx, &target.bucket, &target.key).await?.ok_or_else(StorageError::no_such_key)
}

/// The bytes of an object that the reader may see.
///
/// # Errors
/// Those of [`row`], and an invalid range.
pub(crate) async fn bytes(
    state: &State,
    request: &HttpRequest,
    requester: &Requester,
    target: &Target,
    reader: Reader,
    wish: &Wish,
) -> Result<HttpResponse, StorageError> {
    let object = row(state, requester, target, reader).await?;
    match serve::bytes(state, request, &object, wish).await {
        // A new version replaced the old file between reading the row and the file: try again with the new row.
        Err(error) if error == StorageError::no_file() => {
            let now = row(state, requester, target, reader).await?;
            serve::bytes(state, request, &now, wish).await
        }
        served => served,
    }
}

/// The row under the caller's policies, even in a public bucket.
///
/// # Errors
/// `NoSuchKey`.
pub(crate) async fn visible(state: &State, requester: &Requester, target: &Target) -> Result<Object, StorageError> {
    names::bucket(&target.bucket)?;
    names::key(&target.key)?;
    let mut connection = state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    objects::find(&tx, &target.bucket, &target.key).await?.ok_or_else(StorageError::no_such_key)
}
