//! `DELETE /{bucket}/{key}?uploadId`: AbortMultipartUpload

use actix_web::HttpResponse;

use super::call::Call;
use crate::error::StorageError;
use crate::flows::multipart::Multipart;

/// Ends an upload and removes its parts.
///
/// DEVIATION (words): the end of a multipart upload is answered 204, as in S3; upstream answers 200.
pub(super) async fn abort(call: &Call) -> Result<HttpResponse, StorageError> {
    let id = call.resource.upload()?;
    let requester = call.requester("storage.s3.upload.abort_multipart");
    let target = call.resource.target();
    Multipart { state: &call.state, requester: &requester, target: &target, id }.abort().await?;
    Ok(HttpResponse::NoContent().finish())
}
