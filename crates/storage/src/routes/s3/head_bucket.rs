//! `HEAD /{bucket}`: HeadBucket

use actix_web::HttpResponse;

use super::call::Call;
use crate::error::StorageError;
use crate::store::buckets;

/// Whether the caller sees the bucket.
pub(super) async fn head(call: &Call) -> Result<HttpResponse, StorageError> {
    visible(call, "storage.s3.bucket.head").await?;
    Ok(HttpResponse::Ok().insert_header(("x-amz-bucket-region", call.state.config.s3.region.as_str())).finish())
}

/// Checks that the caller sees the bucket.
///
/// # Errors
/// `NoSuchBucket`.
pub(super) async fn visible(call: &Call, operation: &'static str) -> Result<(), StorageError> {
    let requester = call.requester(operation);
    let mut connection = call.state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    buckets::find(&tx, &call.resource.bucket).await?.map(drop).ok_or_else(StorageError::no_such_bucket)
}
