//! Who may sign, and what a signature covers.

use chrono::Duration;
use reqwest::Method;

use super::signer::{KEYS, Signer};
use super::{refused, started};
use crate::kit::{Calls, Request};

const MISMATCH: &str =
    "The request signature we calculated does not match the signature you provided. Check your key and signing method.";
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[tokio::test]
async fn only_a_signature_opens_anything() {
    let (s, signer) = started().await;
    signer.put("b/a.txt", b"hello").await.is(200);
    refused(&s.get("/storage/v1/s3/b/a.txt").await, 403, "AccessDenied", "Missing signature");
    let service = s.as_service(Method::GET, "/storage/v1/s3/b/a.txt").await;
    refused(&service, 403, "AccessDenied", "Missing signature");
    for (id, secret) in [(KEYS[0].1, "wrong"), ("wrong", KEYS[1].1), ("stub", &s.anon_key)] {
        let answer = Signer::of(&s.url, id, secret, None).get("b/a.txt").await;
        refused(&answer, 403, "SignatureDoesNotMatch", MISMATCH);
    }
    // What was signed is what counts: another path, another query, another method, another body.
    let (request, ..) = signer.signed(Method::GET, "b/a.txt", &[], &[], EMPTY);
    assert_eq!(request.await.is(200).body, "hello");
    let url = signer.presigned(&Method::GET, "b/a.txt", 60);
    for (method, url) in [
        (Method::GET, url.replace("a.txt", "b.txt")),
        (Method::DELETE, url.clone()),
        (Method::GET, format!("{url}&response-content-type=text/plain")),
    ] {
        refused(&Request::of(method, &url).await, 403, "SignatureDoesNotMatch", MISMATCH);
    }
    let (request, ..) = signer.signed(Method::PUT, "b/c.txt", &[], &[("content-type", "text/plain")], EMPTY);
    let changed = request.body("other").header("content-type", "text/plain").await;
    assert_eq!(changed.status, 400, "{}", changed.body);
    refused(&signer.get("b/c.txt").await, 404, "NoSuchKey", "Object not found");
}

/// Everyone knows the anon key. With an empty token it must not sign for the service.
#[tokio::test]
async fn an_empty_session_token_is_none() {
    let (s, _) = started().await;
    let anyone = Signer::of(&s.url, "stub", &s.anon_key, Some(""));
    refused(&anyone.get("b").await, 403, "SignatureDoesNotMatch", MISMATCH);
    refused(&anyone.put("mine", b"").await, 403, "SignatureDoesNotMatch", MISMATCH);
    let url = anyone.presigned(&Method::GET, "b", 60);
    for request in [Request::to_get(&url), Request::to_get(&url).header("x-amz-security-token", "")] {
        refused(&request.await, 403, "SignatureDoesNotMatch", MISMATCH);
    }
}

/// Who may put one object may not read another.
#[tokio::test]
async fn headers_that_are_not_signed_are_refused() {
    let (s, signer) = started().await;
    signer.put("secret", b"").await.is(200);
    signer.put("secret/a.txt", b"secret").await.is(200);
    let url = signer.presigned(&Method::PUT, "b/a.txt", 60);
    let copy = Request::of(Method::PUT, &url).header("x-amz-copy-source", "/secret/a.txt").body("").await;
    let message = "There were headers present in the request which were not signed: x-amz-copy-source";
    refused(&copy, 403, "AccessDenied", message);
    let (request, ..) = signer.signed(Method::PUT, "b/a.txt", &[], &[], EMPTY);
    let copy = request.header("content-length", "0").header("x-amz-copy-source", "/secret/a.txt").await;
    refused(&copy, 403, "AccessDenied", message);
    refused(&signer.get("b/a.txt").await, 404, "NoSuchKey", "Object not found");
    // CloudFront adds its own to every request.
    let (request, ..) = signer.signed(Method::GET, "secret/a.txt", &[], &[], EMPTY);
    assert_eq!(request.header("x-amz-cf-id", "a").await.is(200).body, "secret");
    drop(s);
}

#[tokio::test]
async fn a_signature_ages() {
    let (s, mut signer) = started().await;
    signer.put("b/a.txt", b"hello").await.is(200);
    signer.skew = Duration::minutes(-61);
    let url = signer.presigned(&Method::GET, "b/a.txt", 3600);
    refused(&Request::to_get(&url).await, 400, "ExpiredToken", "The provided token has expired.");
    signer.skew = Duration::minutes(-59);
    let url = signer.presigned(&Method::GET, "b/a.txt", 3600);
    // A foreign header beside it, such as a gateway's, is not looked at.
    assert_eq!(Request::to_get(&url).bearer(&s.anon_key).await.is(200).body, "hello");
    let put = signer.presigned(&Method::PUT, "b/put.txt", 3600);
    Request::of(Method::PUT, &put).body("by anyone").header("content-type", "text/plain").await.is(200);
    let late = signer.get("b/a.txt").await;
    assert_eq!((late.status, super::element(&late, "Code")), (403, "RequestTimeTooSkewed"));
    signer.skew = Duration::zero();
    let read = signer.get("b/put.txt").await.is(200);
    assert_eq!((read.body.as_str(), read.header("content-type")), ("by anyone", "text/plain"));
}

#[tokio::test]
async fn a_body_in_chunks_is_checked_chunk_by_chunk() {
    let (_s, signer) = started().await;
    let chunks: [&[u8]; 2] = [&[b'a'; 8192], b"end"];
    let checksum = Some(("x-amz-checksum-crc32c", "i9WuJA=="));
    for (name, trailer, forged, status) in [
        ("plain", None, None, 200),
        ("trailer", checksum, None, 200),
        ("first", None, Some(0), 403),
        ("second", checksum, Some(1), 403),
        ("last", None, Some(2), 403),
        ("signature-of-trailer", checksum, Some(3), 403),
    ] {
        let answer = signer.chunked(&format!("b/{name}"), &chunks, trailer, forged).await;
        assert_eq!(answer.status, status, "{name}: {}", answer.body);
        let head = signer.send(Method::HEAD, &format!("b/{name}"), &[], &[], b"").await;
        match status {
            200 => assert_eq!(head.is(200).header("content-length"), "8195", "{name}"),
            _ => assert_eq!(head.status, 404, "{name}"),
        }
    }
}

/// A trailer that is announced and does not come: somebody has cut the body off.
#[tokio::test]
async fn an_announced_trailer_is_needed() {
    let (_s, signer) = started().await;
    let headers = [
        ("content-encoding", "aws-chunked"),
        ("x-amz-decoded-content-length", "5"),
        ("x-amz-trailer", "x-amz-checksum-crc32"),
    ];
    for (body, status) in [
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n", 200),
        ("5\r\nhello\r\n0\r\n\r\n", 400),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-sha1:NhCmhg==\r\n\r\n", 400),
        ("5\r\nhello\r\n", 400),
        ("4\r\nhell\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n", 400),
    ] {
        let (request, ..) =
            signer.signed(Method::PUT, "b/trailer", &[], &headers, "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        let answer = request.body(body).header("content-type", "text/plain").await;
        assert_eq!(answer.status, status, "{body:?}: {}", answer.body);
        let read = signer.get("b/trailer").await;
        assert_eq!(read.status, if status == 200 { 200 } else { 404 }, "{body:?}");
        signer.send(Method::DELETE, "b/trailer", &[], &[], b"").await.is(204);
    }
}

#[tokio::test]
async fn a_session_token_acts_as_its_user() {
    let (s, service) = started().await;
    let policies = "
        create policy own on storage.objects for all to authenticated
        using (bucket_id = 'b' and (storage.foldername(name))[1] = auth.uid()::text
          and storage.operation() like 'storage.s3.%')
        with check (bucket_id = 'b' and (storage.foldername(name))[1] = auth.uid()::text);";
    s.database.connect().await.batch_execute(policies).await.unwrap();
    let (ana, ben) = (s.signed_up("ana@s3.test").await, s.signed_up("ben@s3.test").await);
    let (as_ana, as_ben) = (Signer::session(&s, &ana), Signer::session(&s, &ben));
    let key = format!("b/{}/a.txt", ana.id);
    as_ana.put(&key, b"mine").await.is(200);
    assert_eq!(as_ana.get(&key).await.is(200).body, "mine");
    assert_eq!(Request::to_get(&as_ana.presigned(&Method::GET, &key, 60)).await.is(200).body, "mine");
    let denied = "new row violates row-level security policy";
    refused(&as_ben.put(&key, b"theirs").await, 403, "AccessDenied", denied);
    refused(&as_ben.get(&key).await, 404, "NoSuchKey", "Object not found");
    let delete = as_ben.send(Method::DELETE, &key, &[], &[], b"").await;
    refused(&delete, 403, "AccessDenied", "Access denied");
    let copied = [("x-amz-copy-source", key.as_str())];
    let copy = as_ben.send(Method::PUT, &format!("b/{}/a.txt", ben.id), &[], &copied, b"").await;
    refused(&copy, 404, "NoSuchKey", "Object not found");
    assert_eq!(super::signer::elements(&as_ben.get("b").await.is(200), "Key"), Vec::<&str>::new());
    assert_eq!(super::signer::elements(&as_ana.get("b").await.is(200), "Key"), [key.strip_prefix("b/").unwrap()]);
    refused(&as_ben.put("mine", b"").await, 403, "AccessDenied", denied);
    let owner = "select owner_id from storage.objects";
    let owner: String = s.database.connect().await.query_one(owner, &[]).await.unwrap().get(0);
    assert_eq!(owner, ana.id);
    // The anon key is public: with an invented token it opens nothing.
    let forged = Signer::of(&s.url, "stub", &s.anon_key, Some("eyJhbGciOiJub25lIn0.e30.")).get(&key).await;
    assert_eq!((forged.status, super::element(&forged, "Code")), (403, "AccessDenied"));
    let other = Signer::of(&s.url, "stub", "not the anon key", Some(&ana.access_token)).get(&key).await;
    assert_eq!((other.status, super::element(&other, "Code")), (403, "SignatureDoesNotMatch"));
    service.get(&key).await.is(200);
}
