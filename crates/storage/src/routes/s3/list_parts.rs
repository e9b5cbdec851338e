//! `GET /{bucket}/{key}?uploadId`: ListParts

use actix_web::HttpResponse;

use super::answer;
use super::call::Call;
use crate::error::StorageError;
use crate::flows::multipart::{Multipart, PART_LIMIT};

/// Maximum page size.
const PAGE_LIMIT: i64 = 1000;

/// The parts of an upload.
pub(super) async fn list(call: &Call) -> Result<HttpResponse, StorageError> {
    let id = call.resource.upload()?;
    let limit = call.resource.integer("max-parts", 0, i64::MAX)?.filter(|limit| *limit > 0);
    let limit = limit.unwrap_or(PAGE_LIMIT).min(PAGE_LIMIT);
    let after = call.resource.integer("part-number-marker", 0, i64::from(PART_LIMIT))?;
    let after_number = i32::try_from(after.unwrap_or_default()).map_err(StorageError::internal)?;
    let requester = call.requester("storage.s3.upload.list_parts");
    let target = call.resource.target();
    let multipart = Multipart { state: &call.state, requester: &requester, target: &target, id };
    // One more than the page, to find out whether there is a next page.
    let mut found = multipart.parts(after_number, limit + 1).await?;
    let shown = usize::try_from(limit).unwrap_or_default();
    let is_truncated = found.len() > shown;
    found.truncate(shown);
    answer::xml("ListPartsResult", |xml| {
        xml.content("Bucket", target.bucket.as_str())?;
        xml.content("Key", target.key.as_str())?;
        xml.content("UploadId", id.to_string().as_str())?;
        answer::optional(xml, "PartNumberMarker", after.map(|after| after.to_string()).as_deref())?;
        let next = found.last().filter(|_| is_truncated).map(|part| part.number.to_string());
        answer::optional(xml, "NextPartNumberMarker", next.as_deref())?;
        xml.content("MaxParts", &limit)?;
        xml.content("IsTruncated", &is_truncated)?;
        for part in &found {
            xml.element("Part", |xml| {
                xml.content("PartNumber", &part.number)?;
                xml.content("LastModified", answer::time(part.created_at).as_str())?;
                xml.content("ETag", part.etag.as_str())?;
                xml.content("Size", &part.size)
            })?;
        }
        Ok(())
    })
}
