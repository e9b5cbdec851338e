//! `/upload/resumable`: TUS 1.0.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::TimeDelta;
use reqwest::Method;
use serde_json::json;

use crate::kit::{Answer, Calls, Request, Server, User, streamed};

const UPLOADS: &str = "/storage/v1/upload/resumable";

/// `Upload-Metadata`.
fn metadata(pairs: &[(&str, &str)]) -> String {
    let pair = |(key, value): &(&str, &str)| format!("{key} {}", BASE64_STANDARD.encode(value));
    pairs.iter().map(pair).collect::<Vec<_>>().join(",")
}

fn create(request: Request, length: usize, pairs: &[(&str, &str)]) -> Request {
    let request = request.header("tus-resumable", "1.0.0").header("upload-length", &length.to_string());
    request.header("upload-metadata", &metadata(pairs))
}

/// A request about an upload, with the service key.
fn about(s: &Server, method: Method, location: &str) -> Request {
    Request::of(method, location).bearer(&s.service_role_key).header("tus-resumable", "1.0.0")
}

fn piece(request: Request, offset: usize, bytes: impl Into<reqwest::Body>) -> Request {
    let request = request.body(bytes).header("content-type", "application/offset+octet-stream");
    request.header("upload-offset", &offset.to_string())
}

async fn bucket(s: &Server, settings: serde_json::Value) {
    s.as_service(Method::POST, "/storage/v1/bucket").json(&settings).await.is(200);
}

#[track_caller]
fn refused(answer: &Answer, status: u16, message: &str) {
    assert_eq!((answer.status, answer.body.as_str()), (status, message));
    assert!(answer.header("content-type").starts_with("text/plain"), "{:?}", answer.headers);
}

async fn count_rows(s: &Server) -> i64 {
    let client = s.database.connect().await;
    client.query_one("select count(*) from storage.objects", &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn an_upload_in_pieces_becomes_an_object_when_complete() {
    let s = Server::start().await;
    bucket(&s, json!({ "name": "videos" })).await;
    let able = Request::of(Method::OPTIONS, &format!("{}{UPLOADS}", s.url)).await.is(204);
    let extensions = "creation,creation-with-upload,creation-defer-length,termination,expiration";
    let told = ["tus-version", "tus-extension", "tus-max-size"].map(|name| able.header(name));
    assert_eq!(told, ["1.0.0", extensions, "209715200"]);
    let pairs = [
        ("bucketName", "videos"),
        ("objectName", "a/b.mp4"),
        ("contentType", "video/mp4"),
        ("cacheControl", "60"),
        ("metadata", r#"{"inning":9}"#),
    ];
    let made = create(s.as_service(Method::POST, UPLOADS), 10, &pairs).await.is(201);
    let location = made.header("location").to_owned();
    assert!(location.starts_with(&format!("{}{UPLOADS}/", s.url)), "{location}");
    assert!(!made.header("upload-expires").is_empty());
    let look = || about(&s, Method::HEAD, &location);
    assert_eq!(look().await.is(200).header("upload-offset"), "0");
    let part = piece(about(&s, Method::PATCH, &location), 0, "0123").await.is(204);
    assert_eq!((part.header("upload-offset"), part.header("tus-complete")), ("4", ""));
    let wrong = piece(about(&s, Method::PATCH, &location), 0, "0123").await;
    refused(&wrong, 409, "Upload-Offset conflict\n");
    assert_eq!(count_rows(&s).await, 0, "half an object is no object");
    let looked = look().await.is(200);
    let seen = ["upload-offset", "upload-length", "cache-control", "tus-resumable"].map(|name| looked.header(name));
    assert_eq!(seen, ["4", "10", "no-store", "1.0.0"]);
    assert!(looked.header("upload-metadata").contains(&metadata(&[("cacheControl", "max-age=60")])));
    let beyond = piece(about(&s, Method::PATCH, &location), 4, "4567890").await;
    refused(&beyond, 413, "upload's size exceeded\n");
    let last = piece(about(&s, Method::PATCH, &location), 4, "456789").await.is(204);
    assert_eq!((last.header("upload-offset"), last.header("tus-complete")), ("10", "1"));
    let read = s.as_service(Method::GET, "/storage/v1/object/videos/a/b.mp4").await.is(200);
    assert_eq!((read.body.as_str(), read.header("content-type")), ("0123456789", "video/mp4"));
    let described = [read.header("cache-control"), read.header("etag")];
    assert_eq!(described, ["max-age=60", "\"781e5e245d69b566979b86e28d23f2c7\""]);
    let info = s.as_service(Method::GET, "/storage/v1/object/info/videos/a/b.mp4").await.is(200).json();
    assert_eq!(info["metadata"], json!({ "inning": 9 }));
    // It is finished, and can be neither continued nor terminated.
    assert_eq!(look().await.is(200).header("upload-offset"), "10");
    let over = about(&s, Method::DELETE, &location).header("x-upsert", "true").await;
    refused(&over, 400, "Cannot terminate an already completed upload");
    refused(&about(&s, Method::DELETE, &location).await, 409, "The resource already exists");
}

#[tokio::test]
async fn creation_may_include_data_and_defer_the_length() {
    let s = Server::start().await;
    bucket(&s, json!({ "name": "b" })).await;
    let pairs = [("bucketName", "b"), ("objectName", "x")];
    let with = create(s.as_service(Method::POST, UPLOADS), 5, &pairs);
    let made = piece(with, 0, "hello").await.is(201);
    assert_eq!((made.header("upload-offset"), made.header("tus-complete")), ("5", "1"));
    assert_eq!(s.as_service(Method::GET, "/storage/v1/object/b/x").await.is(200).body, "hello");
    let empty = create(s.as_service(Method::POST, UPLOADS), 0, &[("bucketName", "b"), ("objectName", "empty")]);
    empty.await.is(201);
    let empty = s.as_service(Method::GET, "/storage/v1/object/b/empty").await.is(200);
    assert_eq!((empty.body.as_str(), empty.header("content-type")), ("", "application/octet-stream"));

    let later = s.as_service(Method::POST, UPLOADS).header("tus-resumable", "1.0.0");
    let pairs = metadata(&[("bucketName", "b"), ("objectName", "later")]);
    let later = later.header("upload-metadata", &pairs).header("upload-defer-length", "1").await.is(201);
    let location = later.header("location").to_owned();
    piece(about(&s, Method::PATCH, &location), 0, "ab").await.is(204);
    let looked = about(&s, Method::HEAD, &location).await.is(200);
    assert_eq!((looked.header("upload-defer-length"), looked.header("upload-length")), ("1", ""));
    let short = piece(about(&s, Method::PATCH, &location), 2, "cd").header("upload-length", "1").await;
    refused(&short, 400, "Upload-Length or Upload-Defer-Length header required\n");
    let last = piece(about(&s, Method::PATCH, &location), 2, "cd").header("upload-length", "4").await.is(204);
    assert_eq!(last.header("tus-complete"), "1");
    assert_eq!(s.as_service(Method::GET, "/storage/v1/object/b/later").await.is(200).body, "abcd");
}

#[tokio::test]
async fn uploads_against_bucket_limits_and_protocol_are_refused() {
    let s = Server::start().await;
    bucket(&s, json!({ "name": "small", "file_size_limit": 4, "allowed_mime_types": ["image/*"] })).await;
    let begin = || s.as_service(Method::POST, UPLOADS);
    let image = [("bucketName", "small"), ("objectName", "x"), ("contentType", "image/png")];
    create(begin(), 4, &image).await.is(201);
    refused(&create(begin(), 5, &image).await, 413, "Maximum size exceeded\n");
    let text = [("bucketName", "small"), ("objectName", "x"), ("contentType", "text/plain")];
    refused(&create(begin(), 1, &text).await, 415, "mime type text/plain is not supported");
    let nowhere = [("bucketName", "nowhere"), ("objectName", "x")];
    refused(&create(begin(), 1, &nowhere).await, 404, "Bucket not found");
    let odd = [("bucketName", "small"), ("objectName", "a~b")];
    refused(&create(begin(), 1, &odd).await, 400, "Invalid key: a~b");
    refused(&create(begin(), 1, &[("x", "y")]).await, 400, "Bucket name invalid");
    refused(&begin().await, 412, "Tus-Resumable Required\n");
    let bare = || begin().header("tus-resumable", "1.0.0");
    refused(&bare().await, 400, "Upload-Length or Upload-Defer-Length header required\n");
    refused(&bare().header("upload-length", "1").await, 400, "Metadata header is required");
    refused(&bare().header("upload-metadata", "a b!").await, 400, "Invalid upload-metadata\n");
    // A body without a declared length is counted.
    let deferred = bare().header("upload-defer-length", "1").header("upload-metadata", &metadata(&image)).await.is(201);
    let location = deferred.header("location").to_owned();
    let long = streamed(futures_util::stream::iter(["abc", "de"]));
    refused(&piece(about(&s, Method::PATCH, &location), 0, long).await, 413, "Maximum size exceeded\n");
    assert_eq!(about(&s, Method::HEAD, &location).await.header("upload-offset"), "4");
    let anonymous = Request::to(&format!("{}{UPLOADS}", s.url)).bearer("x").await.is(400).json();
    assert_eq!((&anonymous["code"], &anonymous["statusCode"]), (&json!("AccessDenied"), &json!("403")));
}

#[tokio::test]
async fn an_upload_is_terminated_or_expires() {
    let s = Server::start().await;
    bucket(&s, json!({ "name": "b" })).await;
    let begin = async || {
        let pairs = [("bucketName", "b"), ("objectName", "x")];
        create(s.as_service(Method::POST, UPLOADS), 9, &pairs).await.is(201).header("location").to_owned()
    };
    let (gone, old) = (begin().await, begin().await);
    about(&s, Method::DELETE, &gone).await.is(204);
    let unknown = "The file for this url was not found\n";
    assert_eq!(about(&s, Method::HEAD, &gone).await.status, 404);
    refused(&piece(about(&s, Method::PATCH, &gone), 0, "x").await, 404, unknown);
    let (root, _) = old.rsplit_once('/').unwrap();
    for id in ["x", "Yi9hL2I", "Yi8uLi8uLi8uLi9ldGMvcGFzc3dk"] {
        assert_eq!(about(&s, Method::HEAD, &format!("{root}/{id}")).await.status / 100, 4, "{id}");
    }
    s.clock.advance(TimeDelta::hours(24) + TimeDelta::seconds(2));
    // Sessions of users end within a day, but keys do not.
    refused(&piece(about(&s, Method::PATCH, &old), 0, "x").await, 410, "The file for this url no longer exists\n");
    // The next upload deletes expired ones.
    begin().await;
    for _ in 0..500 {
        if about(&s, Method::HEAD, &old).await.status == 404 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the upload that expired is still there");
}

#[tokio::test]
async fn policies_are_checked_for_each_piece() {
    let s = Server::start().await;
    bucket(&s, json!({ "name": "own" })).await;
    let policies = "
        create policy own on storage.objects for insert to authenticated with check (bucket_id = 'own'
          and (storage.foldername(name))[1] = auth.uid()::text and (metadata ->> 'contentLength')::int < 1000
          and storage.operation() in ('storage.tus.upload.create', 'storage.tus.upload.part'));";
    s.database.connect().await.batch_execute(policies).await.unwrap();
    let (ana, ben) = (s.signed_up("ana@tus.test").await, s.signed_up("ben@tus.test").await);
    let key = format!("{}/x", ana.id);
    let begin = |user: &User, length: usize| {
        create(user.request(Method::POST, UPLOADS), length, &[("bucketName", "own"), ("objectName", &key)])
    };
    let denied = "new row violates row-level security policy";
    refused(&begin(&ben, 4).await, 403, denied);
    refused(&begin(&ana, 1000).await, 403, denied);
    let location = begin(&ana, 4).await.is(201).header("location").to_owned();
    let path = location.strip_prefix(&s.url).unwrap().to_owned();
    let part = |user: &User| piece(user.request(Method::PATCH, &path).header("tus-resumable", "1.0.0"), 0, "abcd");
    refused(&part(&ben).await, 403, denied);
    let given_up = ben.request(Method::DELETE, &path).header("tus-resumable", "1.0.0").await;
    refused(&given_up, 403, denied);
    part(&ana).await.is(204);
    let client = s.database.connect().await;
    let owner = client.query_one("select owner_id from storage.objects", &[]).await.unwrap();
    assert_eq!(owner.get::<_, String>(0), ana.id.to_string());
}

#[tokio::test]
async fn a_signed_token_uploads_one_object_without_an_account() {
    let s = Server::start().await;
    bucket(&s, json!({ "name": "b" })).await;
    let signed = s.as_service(Method::POST, "/storage/v1/object/upload/sign/b/x").await.is(200).json();
    let token = signed["token"].as_str().unwrap().to_owned();
    let door = format!("{}{UPLOADS}/sign", s.url);
    let begin = |key: &str| {
        create(Request::to(&door), 4, &[("bucketName", "b"), ("objectName", key)]).header("x-signature", &token)
    };
    let without = create(Request::to(&door), 4, &[("bucketName", "b"), ("objectName", "x")]).await;
    refused(&without, 400, "Missing x-signature header");
    refused(&begin("y").await, 400, "Invalid signature");
    let location = begin("x").await.is(201).header("location").to_owned();
    assert!(location.starts_with(&format!("{door}/")), "{location}");
    let about = |method| Request::of(method, &location).header("tus-resumable", "1.0.0");
    assert_eq!(about(Method::HEAD).await.status, 400);
    about(Method::HEAD).header("x-signature", &token).await.is(200);
    refused(&piece(about(Method::PATCH), 0, "abcd").await, 400, "Missing x-signature header");
    piece(about(Method::PATCH), 0, "abcd").header("x-signature", &token).await.is(204);
    assert_eq!(s.as_service(Method::GET, "/storage/v1/object/b/x").await.is(200).body, "abcd");
}

#[tokio::test]
async fn one_request_at_a_time_locks_an_upload_and_the_last_one_wins() {
    let s = Server::start().await;
    bucket(&s, json!({ "name": "b" })).await;
    let pairs = [("bucketName", "b"), ("objectName", "x")];
    let made = create(s.as_service(Method::POST, UPLOADS), 8, &pairs).await.is(201);
    let location = made.header("location").to_owned();
    // A HEAD request takes over: it asks the holder to stop, and what has arrived by then is kept. Where it comes before the first
    // bytes, nothing has arrived, and the client sends them again.
    let (mut offset, mut stalled) = (0, Vec::new());
    for pause in (50..).step_by(50).take(20) {
        // A body that never ends, like that of a client that lost its connection.
        let (sender, receiver) = tokio::sync::mpsc::channel::<&str>(1);
        sender.send("abc").await.unwrap();
        let body = futures_util::stream::unfold(receiver, |mut receiver| async {
            receiver.recv().await.map(|piece| (piece, receiver))
        });
        let request = piece(about(&s, Method::PATCH, &location), 0, streamed(body));
        stalled.push((sender, tokio::spawn(request.try_send())));
        tokio::time::sleep(std::time::Duration::from_millis(pause)).await;
        offset = about(&s, Method::HEAD, &location).await.is(200).header("upload-offset").parse().unwrap();
        if offset == 3 {
            break;
        }
    }
    assert_eq!(offset, 3);
    let begun = std::time::Instant::now();
    piece(about(&s, Method::PATCH, &location), 3, "defgh").await.is(204);
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "a lost connection must not block the upload");
    assert_eq!(s.as_service(Method::GET, "/storage/v1/object/b/x").await.is(200).body, "abcdefgh");
    for (sender, request) in stalled {
        drop(sender);
        drop(request.await);
    }

    // Many concurrent requests with the whole content: each byte is stored once.
    let made = create(s.as_service(Method::POST, UPLOADS).header("x-upsert", "true"), 300_000, &pairs).await.is(201);
    let location = made.header("location").to_owned();
    let whole: String = (0..300_000).map(|at| char::from(b'a' + u8::try_from(at % 26).unwrap())).collect();
    let all = (0..6).map(|_| {
        let request = about(&s, Method::PATCH, &location).header("x-upsert", "true");
        tokio::spawn(piece(request, 0, whole.clone()).try_send())
    });
    for sent in all.collect::<Vec<_>>() {
        drop(sent.await.unwrap());
    }
    let offset: usize = about(&s, Method::HEAD, &location).await.is(200).header("upload-offset").parse().unwrap();
    let rest = about(&s, Method::PATCH, &location).header("x-upsert", "true");
    piece(rest, offset, whole[offset..].to_owned()).await.is(204);
    let read = s.as_service(Method::GET, "/storage/v1/object/b/x").await.is(200);
    assert!(read.body == whole, "the bytes are not those that were sent");
}

#[tokio::test]
async fn links_lead_to_the_configured_url_whatever_headers_say() {
    let s = Server::start().await;
    bucket(&s, json!({ "name": "b" })).await;
    let pairs = [("bucketName", "b"), ("objectName", "x")];
    let poisoned = create(s.as_service(Method::POST, UPLOADS), 8, &pairs)
        .header("x-forwarded-host", "evil.test")
        .header("x-forwarded-proto", "https")
        .header("x-forwarded-prefix", "/evil")
        .header("forwarded", "host=evil.test;proto=https");
    let location = poisoned.await.is(201).header("location").to_owned();
    assert!(location.starts_with(&format!("{}{UPLOADS}/", s.url)), "{location}");
}
