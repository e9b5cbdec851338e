//! `PUT /{bucket}/{key}?uploadId&partNumber` with `x-amz-copy-source`: UploadPartCopy

use actix_web::HttpResponse;

use super::answer;
use super::call::Call;
use super::copy_object::find;
use super::upload_part::number;
use crate::backend::Bytes;
use crate::error::StorageError;
use crate::flows::multipart::{Multipart, Source};

/// Stores a part that is a range of another object, or all of it.
pub(super) async fn copy(call: &Call) -> Result<HttpResponse, StorageError> {
    let (id, number) = (call.resource.upload()?, number(&call.resource)?);
    let requester = call.requester("storage.s3.upload.part_copy");
    let source = find(call, &requester, &call.copy_source()?).await?;
    let (file, length) = call.state.files.open(source.place()).await?;
    let (first, length) = match call.header("x-amz-copy-source-range") {
        Some(text) => range(text, length)?,
        None => (0, length),
    };
    let target = call.resource.target();
    let multipart = Multipart { state: &call.state, requester: &requester, target: &target, id };
    let upload = multipart.expect(number, length).await?;
    let source = Source::Object(Bytes::of(file, first, length).await?);
    let part = multipart.part(&upload, number, source).await?;
    answer::xml("CopyPartResult", |xml| {
        xml.content("ETag", part.etag.as_str())?;
        xml.content("LastModified", answer::time(part.created_at).as_str())
    })
}

/// First byte and length of `bytes=first-last`, which must be within the source.
fn range(text: &str, length: u64) -> Result<(u64, u64), StorageError> {
    let wrong = || StorageError::new(400, "invalid_range", "InvalidRange", "invalid range provided");
    let (first, last) = text.strip_prefix("bytes=").and_then(|text| text.split_once('-')).ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let (first, last) = (number(first).ok_or_else(wrong)?, number(last).ok_or_else(wrong)?);
    if first > last || last >= length { Err(wrong()) } else { Ok((first, last - first + 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_within_the_source() {
        for (text, found) in [
            ("bytes=0-9", Some((0, 10))),
            ("bytes=9-9", Some((9, 1))),
            ("bytes=0-10", None),
            ("bytes=5-4", None),
            ("bytes=-5", None),
            ("bytes=5-", None),
            ("bytes=+1-2", None),
            ("0-9", None),
        ] {
            assert_eq!(range(text, 10).ok(), found, "{text}");
        }
    }
}
