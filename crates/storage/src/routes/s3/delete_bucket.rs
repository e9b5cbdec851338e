//! `DELETE /{bucket}`: DeleteBucket

use actix_web::HttpResponse;

use super::call::Call;
use crate::error::StorageError;
use crate::flows::bucket;

/// Deletes an empty bucket.
pub(super) async fn delete(call: &Call) -> Result<HttpResponse, StorageError> {
    let requester = call.requester("storage.s3.bucket.delete");
    bucket::delete(&call.state, &requester, &call.resource.bucket).await?;
    Ok(HttpResponse::NoContent().finish())
}
