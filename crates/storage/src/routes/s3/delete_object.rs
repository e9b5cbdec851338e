//! `DELETE /{bucket}/{key}`: DeleteObject

use actix_web::HttpResponse;

use super::call::Call;
use crate::error::StorageError;
use crate::flows::{remove, upload};

/// Deletes an object. One that does not exist counts as deleted.
pub(super) async fn delete(call: &Call) -> Result<HttpResponse, StorageError> {
    let requester = call.requester("storage.s3.object.delete");
    let (bucket, key) = (&call.resource.bucket, &call.resource.key);
    match remove::one(&call.state, &requester, bucket, key).await {
        Err(error) if error == StorageError::no_such_key() => {
            upload::bucket(&call.state, &requester, bucket).await?;
        }
        removed => removed?,
    }
    Ok(HttpResponse::NoContent().finish())
}
