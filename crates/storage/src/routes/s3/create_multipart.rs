//! `POST /{bucket}/{key}?uploads`: CreateMultipartUpload

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;

use super::answer;
use super::call::Call;
use crate::error::StorageError;
use crate::flows::multipart;
use crate::store::uploads::MultipartUpload;

/// Begins an upload in parts.
pub(super) async fn create(call: &Call) -> Result<HttpResponse, StorageError> {
    let requester = call.requester("storage.s3.upload.create_multipart");
    let target = call.resource.target();
    let upload = MultipartUpload {
        bucket: target.bucket.clone(),
        key: target.key.clone(),
        version: String::new(),
        metadata: multipart::metadata(call.content_type(), call.header(CACHE_CONTROL.as_str())),
        user_metadata: Some(call.user_metadata()?),
    };
    let id = multipart::create(&call.state, &requester, &target, upload).await?;
    answer::xml("InitiateMultipartUploadResult", |xml| {
        xml.content("Bucket", target.bucket.as_str())?;
        xml.content("Key", target.key.as_str())?;
        xml.content("UploadId", id.to_string().as_str())
    })
}
