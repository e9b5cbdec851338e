//! Checksums of bodies, and the region of a signature.

use reqwest::Method;

use super::signer::{KEYS, Signer};
use super::{refused, started};
use crate::kit::Server;

/// Of `hello`: the header, its value, and how messages name it.
const SUMS: [(&str, &str, &str); 5] = [
    ("x-amz-checksum-crc32", "NhCmhg==", "CRC32"),
    ("x-amz-checksum-crc32c", "mnG7TA==", "CRC32C"),
    ("x-amz-checksum-crc64nvme", "M3eFcAZSQlc=", "CRC64NVME"),
    ("x-amz-checksum-sha1", "qvTGHdzF6KLavt4PO0gs2a6pQ00=", "SHA1"),
    ("x-amz-checksum-sha256", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", "SHA256"),
];

#[tokio::test]
async fn a_body_must_have_the_checksum_that_comes_with_it() {
    let (_s, signer) = started().await;
    signer.put("b/kept.txt", b"before").await.is(200);
    let put =
        async |header: (&str, &str), body: &[u8]| signer.send(Method::PUT, "b/kept.txt", &[], &[header], body).await;
    for (name, value, title) in SUMS {
        put((name, value), b"hello").await.is(200);
        let message = format!("The {title} you specified did not match the calculated checksum.");
        refused(&put((name, value), b"hellO").await, 400, "BadDigest", &message);
        let message = format!("Value for {name} header is invalid.");
        refused(&put((name, "x"), b"hello").await, 400, "InvalidRequest", &message);
        assert_eq!(signer.get("b/kept.txt").await.is(200).body, "hello", "{name}");
    }
    put(("content-md5", "XUFAKrxLKna5cZ2REBfFkg=="), b"hello").await.is(200);
    let wrong = put(("content-md5", "XUFAKrxLKna5cZ2REBfFkg=="), b"hellO").await;
    refused(&wrong, 400, "BadDigest", "The Content-MD5 you specified did not match what we received.");
    let wrong = put(("content-md5", "XUFA"), b"hello").await;
    refused(&wrong, 400, "InvalidDigest", "The Content-MD5 you specified is not valid.");

    // In a trailer, which the chunks' signatures do not cover.
    let headers =
        [("content-encoding", "aws-chunked"), ("x-amz-decoded-content-length", "5"), ("x-amz-trailer", SUMS[0].0)];
    for (sum, status) in [(SUMS[0].1, 200), ("AAAAAA==", 400)] {
        let (request, ..) = signer.signed(Method::PUT, "b/t", &[], &headers, "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        let body = format!("5\r\nhello\r\n0\r\n{}:{sum}\r\n\r\n", SUMS[0].0);
        let answer = request.body(body).header("content-type", "text/plain").await;
        assert_eq!(answer.status, status, "{}", answer.body);
    }

    // Parts, too.
    let begun = signer.send(Method::POST, "b/m", &[("uploads", "")], &[], b"").await.is(200);
    let id = super::element(&begun, "UploadId").to_owned();
    let query = [("partNumber", "1"), ("uploadId", id.as_str())];
    let part = async |body: &[u8]| signer.send(Method::PUT, "b/m", &query, &[(SUMS[0].0, SUMS[0].1)], body).await;
    part(b"hello").await.is(200);
    assert_eq!(part(b"hellO").await.status, 400);
}

#[tokio::test]
async fn the_region_of_a_signature_counts_where_it_is_enforced() {
    let enforce = ("S3_PROTOCOL_ENFORCE_REGION", "true");
    let other = Server::with(&[KEYS[0], KEYS[1], enforce]).await;
    let signer = Signer::service(&other);
    refused(&signer.put("b", b"").await, 403, "AccessDenied", "Invalid Region");
    let presigned = signer.presigned(&Method::GET, "b/a.txt", 60);
    refused(&crate::kit::Request::to_get(&presigned).await, 403, "AccessDenied", "Invalid Region");
    // The region of the signatures of these tests.
    let own = Server::with(&[KEYS[0], KEYS[1], enforce, ("STORAGE_S3_REGION", "us-east-1")]).await;
    Signer::service(&own).put("b", b"").await.is(200);
}
