//! `GET /{bucket}?uploads`: ListMultipartUploads

use actix_web::HttpResponse;

use super::answer;
use super::call::Call;
use super::list_objects::{encoded, encoding};
use crate::error::StorageError;
use crate::flows::upload;
use crate::protocol::cursor::Cursor;
use crate::store::uploads::{self, Listed, Page};

/// Maximum page size.
const PAGE_LIMIT: i64 = 1000;

/// The unfinished uploads that the caller sees.
pub(super) async fn list(call: &Call) -> Result<HttpResponse, StorageError> {
    let resource = &call.resource;
    let limit = resource.integer("max-uploads", 1, PAGE_LIMIT)?.unwrap_or(PAGE_LIMIT);
    let encode = encoding(resource)?;
    let text = |name: &str| resource.query(name).unwrap_or_default();
    let marker = |name: &str| match text(name) {
        "" => Ok(String::new()),
        token => Cursor::decode(token).map(|cursor| cursor.start_after),
    };
    let (after_key, after_upload) = (marker("key-marker")?, marker("upload-id-marker")?);
    let requester = call.requester("storage.s3.upload.list_multipart");
    upload::bucket(&call.state, &requester, &resource.bucket).await?;
    let page = Page {
        bucket: &resource.bucket,
        prefix: text("prefix"),
        delimiter: text("delimiter"),
        // One more than the page, to find out whether there is a next page.
        limit: i32::try_from(limit + 1).map_err(StorageError::internal)?,
        after_key: &after_key,
        after_upload: &after_upload,
    };
    let mut connection = call.state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let mut found = uploads::list(&tx, &page).await?;
    tx.rollback().await.map_err(StorageError::database)?;
    let shown = usize::try_from(limit).unwrap_or_default();
    let is_truncated = found.len() > shown;
    found.truncate(shown);
    let is_prefix = |listed: &Listed| {
        let own = listed.key.strip_prefix(page.prefix).unwrap_or(&listed.key);
        !page.delimiter.is_empty() && own.ends_with(page.delimiter)
    };
    let (prefixes, uploads): (Vec<&Listed>, Vec<&Listed>) = found.iter().partition(|listed| is_prefix(listed));
    let token = |text: &str| Cursor { start_after: text.to_owned(), ..Cursor::default() }.encode();
    let last = found.last().filter(|_| is_truncated);
    answer::xml("ListMultipartUploadsResult", |xml| {
        // `Name` is upstream's, `Bucket` S3's.
        xml.content("Name", page.bucket)?;
        xml.content("Bucket", page.bucket)?;
        xml.content("Prefix", page.prefix)?;
        answer::optional(xml, "KeyMarker", resource.query("key-marker"))?;
        answer::optional(xml, "UploadIdMarker", resource.query("upload-id-marker"))?;
        answer::optional(xml, "NextKeyMarker", last.map(|last| token(&last.key)).as_deref())?;
        answer::optional(xml, "NextUploadIdMarker", last.map(|last| token(&last.id)).as_deref())?;
        for upload in uploads {
            xml.element("Upload", |xml| {
                xml.content("Key", &*encoded(&upload.key, encode))?;
                xml.content("UploadId", upload.id.as_str())?;
                answer::optional(xml, "Initiated", upload.created_at.map(answer::time).as_deref())?;
                xml.content("StorageClass", "STANDARD")
            })?;
        }
        xml.content("IsTruncated", &is_truncated)?;
        xml.content("MaxUploads", &limit)?;
        answer::optional(xml, "Delimiter", resource.query("delimiter"))?;
        answer::optional(xml, "EncodingType", resource.query("encoding-type"))?;
        for prefix in prefixes {
            xml.element("CommonPrefixes", |xml| xml.content("Prefix", &*encoded(&prefix.key, encode)))?;
        }
        Ok(())
    })
}
