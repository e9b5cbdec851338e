//! Buckets whose pictures and videos lose their metadata (`storage.strip_metadata`).

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};
use reqwest::Method;
use serde_json::json;

use crate::kit::{Answer, Request, Server};

const PLACE: &[u8] = b"+48.8577+002.295/";
const STRIPPED: (&str, &str) = ("DUGOUT_STORAGE_STRIP_METADATA", "clean, also-clean");

/// A JPEG whose EXIF data tell a place.
fn jpeg() -> Vec<u8> {
    let mut plain = Vec::new();
    JpegEncoder::new(&mut plain).write_image(&[128; 16 * 16 * 3], 16, 16, ExtendedColorType::Rgb8).unwrap();
    let exif = [b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0".as_slice(), PLACE].concat();
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&plain[..2], &[0xFF, 0xE1], &length, &exif, &plain[2..]].concat()
}

/// A movie whose user data tell a place.
fn movie() -> Vec<u8> {
    let part = |kind: &[u8], content: &[u8]| {
        [&u32::try_from(content.len() + 8).unwrap().to_be_bytes()[..], kind, content].concat()
    };
    let told = part(b"udta", &part(b"\xA9xyz", PLACE));
    let film = part(b"moov", &[part(b"mvhd", b"length"), told].concat());
    [part(b"ftyp", b"mp42\0\0\0\0"), part(b"mdat", b"pictures"), film].concat()
}

async fn server() -> Server {
    let s = Server::with(&[STRIPPED]).await;
    for name in ["clean", "also-clean", "plain"] {
        s.as_service(Method::POST, "/storage/v1/bucket").json(&json!({ "name": name })).await.is(200);
    }
    s
}

async fn bytes(s: &Server, path: &str) -> Vec<u8> {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.get(format!("{}/storage/v1/object/{path}", s.url)).bearer_auth(&s.service_role_key);
    request.send().await.unwrap().bytes().await.unwrap().to_vec()
}

fn tells(bytes: &[u8]) -> bool {
    bytes.windows(PLACE.len()).any(|window| window == PLACE)
}

async fn put(s: &Server, path: &str, kind: &'static str, body: Vec<u8>) -> Answer {
    let upload = s.as_service(Method::POST, &format!("/storage/v1/object/{path}")).body(body);
    upload.header("content-type", kind).await
}

#[tokio::test]
async fn a_picture_keeps_its_pixels_and_its_length_only() {
    let s = server().await;
    put(&s, "clean/a.jpg", "image/jpeg", jpeg()).await.is(200);
    let read = bytes(&s, "clean/a.jpg").await;
    assert!(tells(&jpeg()) && !tells(&read));
    assert_eq!(read.len(), jpeg().len());
    assert_eq!(image::load_from_memory(&read).unwrap(), image::load_from_memory(&jpeg()).unwrap());
}

#[tokio::test]
async fn only_the_named_buckets_change_files() {
    let s = server().await;
    put(&s, "plain/a.jpg", "image/jpeg", jpeg()).await.is(200);
    assert_eq!(bytes(&s, "plain/a.jpg").await, jpeg());
    put(&s, "clean/a.mp4", "video/mp4", movie()).await.is(200);
    let clean = bytes(&s, "clean/a.mp4").await;
    assert!(!tells(&clean) && clean[16..32] == movie()[16..32]);
    put(&s, "plain/b.mp4", "video/mp4", clean).await.is(200);
    let [cleaned, plain] = ["clean/a.mp4", "plain/b.mp4"].map(|path| format!("/storage/v1/object/info/{path}"));
    let etag = async |path| s.as_service(Method::GET, path).await.is(200).json()["etag"].clone();
    assert_eq!(etag(&cleaned).await, etag(&plain).await, "the ETag is that of what is served");
}

#[tokio::test]
async fn what_cannot_be_cleaned_is_refused() {
    let s = server().await;
    for (kind, body) in [
        ("image/jpeg", b"<svg/>".to_vec()),
        ("image/gif", b"GIF89a..........".to_vec()),
        ("image/jpeg", jpeg()[..40].to_vec()),
    ] {
        let refused = put(&s, "clean/x", kind, body).await.is(400).json();
        assert_eq!((&refused["statusCode"], &refused["error"]), (&json!("415"), &json!("invalid_mime_type")));
    }
    let gone = s.as_service(Method::GET, "/storage/v1/object/clean/x").await.is(400).json();
    assert_eq!(gone["error"], "not_found", "nothing of it stays");
    put(&s, "clean/.emptyFolderPlaceholder", "application/octet-stream", Vec::new()).await.is(200);
}

#[tokio::test]
async fn no_other_way_into_the_bucket_keeps_a_place() {
    let s = server().await;
    put(&s, "plain/a.jpg", "image/jpeg", jpeg()).await.is(200);
    for path in ["/storage/v1/object/copy", "/storage/v1/object/move"] {
        let order = json!({ "bucketId": "plain", "sourceKey": "a.jpg", "destinationBucket": "clean",
            "destinationKey": "b.jpg" });
        let refused = s.as_service(Method::POST, path).json(&order).await.is(400).json();
        assert_eq!(refused["message"], "This bucket removes metadata: upload the file to it instead", "{path}");
    }
    put(&s, "also-clean/a.jpg", "image/jpeg", jpeg()).await.is(200);
    let order = json!({ "bucketId": "also-clean", "sourceKey": "a.jpg", "destinationBucket": "clean",
        "destinationKey": "b.jpg" });
    s.as_service(Method::POST, "/storage/v1/object/copy").json(&order).await.is(200);
    assert!(!tells(&bytes(&s, "clean/b.jpg").await));

    let metadata = |name: &str| {
        [("bucketName", "clean"), ("objectName", name), ("contentType", "video/mp4")]
            .map(|(key, value)| format!("{key} {}", BASE64_STANDARD.encode(value)))
            .join(",")
    };
    let begin = |name: &str, length: usize| {
        let request = s.as_service(Method::POST, "/storage/v1/upload/resumable").header("tus-resumable", "1.0.0");
        request.header("upload-length", &length.to_string()).header("upload-metadata", &metadata(name))
    };
    let made = begin("c.mp4", movie().len()).await.is(201);
    let send = |offset: usize, body: Vec<u8>| {
        let request = Request::of(Method::PATCH, made.header("location")).bearer(&s.service_role_key);
        let request = request.header("tus-resumable", "1.0.0").header("upload-offset", &offset.to_string());
        request.body(body).header("content-type", "application/offset+octet-stream")
    };
    send(0, movie()[..30].to_vec()).await.is(204);
    send(30, movie()[30..].to_vec()).await.is(204);
    let clean = bytes(&s, "clean/c.mp4").await;
    assert!(clean.len() == movie().len() && !tells(&clean));

    // One that cannot be cleaned does not wait for requests that try it again.
    let made = begin("d.mp4", 20).await.is(201);
    let request = |method| {
        let request = Request::of(method, made.header("location")).bearer(&s.service_role_key);
        request.header("tus-resumable", "1.0.0").header("upload-offset", "0")
    };
    let sent =
        request(Method::PATCH).body(movie()[..20].to_vec()).header("content-type", "application/offset+octet-stream");
    assert_eq!(sent.await.status, 415);
    request(Method::HEAD).await.is(404);
}
