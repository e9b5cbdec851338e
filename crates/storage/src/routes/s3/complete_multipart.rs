//! `POST /{bucket}/{key}?uploadId`: CompleteMultipartUpload

use actix_web::HttpResponse;
use s3s::dto::{CompletedMultipartUpload, CompletedPart};

use super::answer;
use super::call::Call;
use crate::error::StorageError;
use crate::flows::multipart::Multipart;

/// Joins the parts; without a body all of them.
pub(super) async fn complete(call: &mut Call) -> Result<HttpResponse, StorageError> {
    let id = call.resource.upload()?;
    let wanted = call.xml::<CompletedMultipartUpload>().await?;
    let wanted: Vec<CompletedPart> = wanted.and_then(|wanted| wanted.parts).unwrap_or_default();
    let part = |part: &CompletedPart| Some((part.part_number?, part.e_tag.as_ref()?.value().to_owned()));
    let wanted: Option<Vec<(i32, String)>> = wanted.iter().map(part).collect();
    let missing = || StorageError::invalid_request("Body, CompleteMultipartUpload, Part must have PartNumber and ETag");
    let wanted = wanted.ok_or_else(missing)?;
    let requester = call.requester("storage.s3.upload.complete_multipart");
    let target = call.resource.target();
    let multipart = Multipart { state: &call.state, requester: &requester, target: &target, id };
    let written = multipart.complete(&wanted).await?;
    answer::xml("CompleteMultipartUploadResult", |xml| {
        xml.content("Location", format!("{}/{}", target.bucket, target.key).as_str())?;
        xml.content("Bucket", target.bucket.as_str())?;
        xml.content("Key", target.key.as_str())?;
        xml.content("ETag", written.etag.as_str())
    })
}
