//! Multipart uploads.

use reqwest::Method;

use super::signer::{Signer, element, elements};
use super::{refused, started};
use crate::kit::Answer;

async fn begun(signer: &Signer, key: &str, headers: &[(&str, &str)]) -> String {
    let begun = signer.send(Method::POST, key, &[("uploads", "")], headers, b"").await.is(200);
    element(&begun, "UploadId").to_owned()
}

async fn part(signer: &Signer, key: &str, id: &str, number: &str, bytes: &[u8]) -> Answer {
    let query = [("partNumber", number), ("uploadId", id)];
    signer.send(Method::PUT, key, &query, &[], bytes).await
}

async fn complete(signer: &Signer, key: &str, id: &str, parts: &[(u32, &str)]) -> Answer {
    let parts: String = parts
        .iter()
        .map(|(number, etag)| format!("<Part><PartNumber>{number}</PartNumber><ETag>{etag}</ETag></Part>"))
        .collect();
    let body = match parts.as_str() {
        "" => String::new(),
        parts => format!("<CompleteMultipartUpload>{parts}</CompleteMultipartUpload>"),
    };
    signer.send(Method::POST, key, &[("uploadId", id)], &[], body.as_bytes()).await
}

#[tokio::test]
async fn parts_become_an_object() {
    let (s, signer) = started().await;
    let headers = [("content-type", "video/mp4"), ("cache-control", "max-age=5"), ("x-amz-meta-a", "1")];
    let id = begun(&signer, "b/v.mp4", &headers).await;
    let second = part(&signer, "b/v.mp4", &id, "2", b"world").await.is(200);
    let first = part(&signer, "b/v.mp4", &id, "1", b"to be replaced").await.is(200);
    let replaced = first.header("etag").to_owned();
    let first = part(&signer, "b/v.mp4", &id, "1", b"hello ").await.is(200);
    part(&signer, "b/v.mp4", &id, "10000", b"not chosen").await.is(200);
    for number in ["0", "10001", "x"] {
        let wrong = part(&signer, "b/v.mp4", &id, number, b"x").await;
        assert_eq!((wrong.status, element(&wrong, "Code")), (400, "InvalidRequest"), "{number}");
    }
    let list = async |query: &[(&str, &str)]| {
        let query = [&[("uploadId", id.as_str())], query].concat();
        signer.send(Method::GET, "b/v.mp4", &query, &[], b"").await.is(200)
    };
    assert_eq!(elements(&list(&[]).await, "PartNumber"), ["1", "2", "10000"]);
    let page = list(&[("max-parts", "1"), ("part-number-marker", "1")]).await;
    assert_eq!(elements(&page, "PartNumber"), ["2"]);
    assert_eq!((element(&page, "IsTruncated"), element(&page, "NextPartNumberMarker")), ("true", "2"));
    let uploads = signer.send(Method::GET, "b", &[("uploads", ""), ("prefix", "v")], &[], b"").await.is(200);
    assert_eq!(elements(&uploads, "UploadId"), [id.as_str()]);
    // The object is not there before it is whole.
    refused(&signer.get("b/v.mp4").await, 404, "NoSuchKey", "Object not found");
    let missing = complete(&signer, "b/v.mp4", &id, &[(3, "x")]).await;
    refused(&missing, 400, "MissingPart", &format!("Part 3 is missing for upload id {id}"));
    let stale = complete(&signer, "b/v.mp4", &id, &[(1, &replaced)]).await;
    refused(&stale, 400, "InvalidChecksum", "Invalid ETag for part 1");
    // An id is good for its key only.
    refused(&complete(&signer, "b/other", &id, &[]).await, 404, "NoSuchUpload", "Upload not found");
    let chosen = [(2, second.header("etag")), (1, first.header("etag"))];
    let done = complete(&signer, "b/v.mp4", &id, &chosen).await.is(200);
    assert_eq!((element(&done, "Location"), element(&done, "Key")), ("b/v.mp4", "v.mp4"));
    let read = signer.get("b/v.mp4").await.is(200);
    assert_eq!(read.body, "hello world");
    for (name, value) in [("content-type", "video/mp4"), ("cache-control", "max-age=5"), ("x-amz-meta-a", "1")] {
        assert_eq!(read.header(name), value);
    }
    refused(&complete(&signer, "b/v.mp4", &id, &chosen).await, 404, "NoSuchUpload", "Upload not found");
    refused(&part(&signer, "b/v.mp4", &id, "1", b"x").await, 404, "NoSuchUpload", "Upload not found");
    let left = "select (select count(*) from storage.s3_multipart_uploads_parts) +
        (select count(*) from storage.s3_multipart_uploads)";
    let left: i64 = s.database.connect().await.query_one(left, &[]).await.unwrap().get(0);
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_part_can_be_a_range_of_an_object() {
    let (_s, signer) = started().await;
    signer.put("b/source", b"0123456789").await.is(200);
    let id = begun(&signer, "b/copy", &[]).await;
    let copy = async |number: &str, range: Option<&str>| {
        let query = [("partNumber", number), ("uploadId", id.as_str())];
        let mut headers = vec![("x-amz-copy-source", "b/source")];
        headers.extend(range.map(|range| ("x-amz-copy-source-range", range)));
        signer.send(Method::PUT, "b/copy", &query, &headers, b"").await
    };
    copy("1", Some("bytes=2-4")).await.is(200);
    copy("2", None).await.is(200);
    for range in ["bytes=-5", "bytes=5-", "bytes=0-10", "bytes=4-2"] {
        refused(&copy("3", Some(range)).await, 400, "InvalidRange", "invalid range provided");
    }
    complete(&signer, "b/copy", &id, &[]).await.is(200);
    assert_eq!(signer.get("b/copy").await.is(200).body, "2340123456789");
}

#[tokio::test]
async fn an_aborted_upload_leaves_nothing() {
    let (_s, signer) = started().await;
    let id = begun(&signer, "b/a", &[]).await;
    part(&signer, "b/a", &id, "1", b"x").await.is(200);
    let full = signer.send(Method::DELETE, "b", &[], &[], b"").await;
    let pending = "The bucket could not be updated because it is referenced by a pending multipart upload.";
    refused(&full, 409, "ResourceReferenced", pending);
    signer.send(Method::DELETE, "b/a", &[("uploadId", &id)], &[], b"").await.is(204);
    let again = signer.send(Method::DELETE, "b/a", &[("uploadId", &id)], &[], b"").await;
    refused(&again, 404, "NoSuchUpload", "Upload not found");
    refused(&part(&signer, "b/a", &id, "1", b"x").await, 404, "NoSuchUpload", "Upload not found");
    let unknown = part(&signer, "b/a", "../../etc", "1", b"x").await;
    refused(&unknown, 404, "NoSuchUpload", "Upload not found");
    signer.send(Method::DELETE, "b", &[], &[], b"").await.is(204);
}

/// The parts together are the object: its limit is theirs.
#[tokio::test]
async fn the_limit_of_a_bucket_holds_for_all_parts() {
    let (s, signer) = started().await;
    let limit = "update storage.buckets set file_size_limit = 10, allowed_mime_types = '{text/*}' where id = 'b'";
    s.database.connect().await.batch_execute(limit).await.unwrap();
    let too_large = "The object exceeded the maximum allowed size";
    let image = signer.send(Method::POST, "b/a", &[("uploads", "")], &[("content-type", "image/png")], b"").await;
    refused(&image, 415, "InvalidMimeType", "mime type image/png is not supported");
    let id = begun(&signer, "b/a", &[("content-type", "text/plain")]).await;
    part(&signer, "b/a", &id, "1", b"123456").await.is(200);
    refused(&part(&signer, "b/a", &id, "2", b"12345").await, 413, "EntityTooLarge", too_large);
    part(&signer, "b/a", &id, "2", b"1234").await.is(200);
    // In the place of a part, not beside it.
    part(&signer, "b/a", &id, "1", b"654321").await.is(200);
    complete(&signer, "b/a", &id, &[]).await.is(200);
    assert_eq!(signer.get("b/a").await.is(200).body, "6543211234");
    signer.put("b/ten", b"1234567890").await.is(200);
    refused(&signer.put("b/eleven", b"12345678901").await, 413, "EntityTooLarge", too_large);
    let chunked = signer.chunked("b/chunked", &[b"12345678901"], None, None).await;
    refused(&chunked, 413, "EntityTooLarge", too_large);
}
