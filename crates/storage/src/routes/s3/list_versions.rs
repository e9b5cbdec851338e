//! `GET /{bucket}?versions`: ListObjectVersions

use actix_web::HttpResponse;

use super::answer;
use super::call::Call;
use super::list_objects::page;
use crate::error::StorageError;

/// What S3 calls the version of an object in a bucket without versions.
const VERSION: &str = "null";

/// A page of the objects that the caller sees, each with its only version.
///
/// DEVIATION (more): ListObjectVersions lists the current versions; upstream answers with a list of objects, which `rclone purge`
/// reads for ever.
pub(super) async fn list(call: &Call) -> Result<HttpResponse, StorageError> {
    let resource = &call.resource;
    let page = page(call, resource.query("key-marker").unwrap_or_default()).await?;
    let next = page.next();
    answer::xml("ListVersionsResult", |xml| {
        xml.content("Name", resource.bucket.as_str())?;
        xml.content("Prefix", resource.query("prefix").unwrap_or_default())?;
        xml.content("KeyMarker", resource.query("key-marker").unwrap_or_default())?;
        xml.content("VersionIdMarker", resource.query("version-id-marker").unwrap_or_default())?;
        answer::optional(xml, "NextKeyMarker", next.as_deref())?;
        answer::optional(xml, "NextVersionIdMarker", next.as_ref().map(|_| VERSION))?;
        xml.content("MaxKeys", &page.limit)?;
        xml.content("IsTruncated", &page.is_truncated)?;
        answer::optional(xml, "Delimiter", resource.query("delimiter"))?;
        answer::optional(xml, "EncodingType", resource.query("encoding-type"))?;
        page.write(xml, "Version", |xml| {
            xml.content("VersionId", VERSION)?;
            xml.content("IsLatest", &true)
        })
    })
}
