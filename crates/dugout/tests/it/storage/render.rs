//! `/render/image`: resized and converted pictures.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GenericImageView, ImageEncoder, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::json;

use crate::kit::{Calls, Launch, Process, Request, Server, accounts};

const UPLOADS: &str = "/storage/v1/object";

/// Left half red, right half blue.
fn halves(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, _| if x < width / 2 { Rgb([255, 0, 0]) } else { Rgb([0, 0, 255]) })
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn jpeg(width: u32, height: u32) -> Vec<u8> {
    encoded(&halves(width, height).into(), ImageFormat::Jpeg)
}

/// A response with a binary body.
struct Shown {
    status: u16,
    headers: HeaderMap,
    bytes: Vec<u8>,
}

impl Shown {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    #[track_caller]
    fn picture(&self, kind: &str) -> DynamicImage {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.bytes));
        assert_eq!(self.header("content-type"), kind);
        image::load_from_memory(&self.bytes).unwrap()
    }
}

async fn show(url: &str, headers: &[(&'static str, &str)]) -> Shown {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = headers.iter().fold(client.get(url), |request, (name, value)| request.header(*name, *value));
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Shown { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
}

async fn store(s: &Server, path: &str, kind: &str, bytes: Vec<u8>) {
    let upload = s.as_service(Method::POST, &format!("{UPLOADS}/{path}")).body(bytes).header("content-type", kind);
    upload.header("cache-control", "max-age=9").header("x-upsert", "true").await.is(200);
}

async fn bucket(s: &Server, name: &str, public: bool) {
    let body = json!({ "name": name, "public": public });
    s.as_service(Method::POST, "/storage/v1/bucket").json(&body).await.is(200);
}

#[tokio::test]
async fn a_picture_is_rendered_in_the_requested_size_and_format() {
    let s = Server::start().await;
    bucket(&s, "p", true).await;
    store(&s, "p/a.jpg", "image/jpeg", jpeg(400, 200)).await;
    let url = format!("{}/storage/v1/render/image/public/p/a.jpg", s.url);
    let shown = show(&format!("{url}?width=100&height=100"), &[]).await;
    let picture = shown.picture("image/jpeg");
    assert_eq!(picture.dimensions(), (100, 100));
    let colours = [picture.get_pixel(5, 50), picture.get_pixel(95, 50)].map(|pixel| (pixel[0] > 200, pixel[2] > 200));
    assert_eq!(colours, [(true, false), (false, true)]);
    let original = show(&format!("{}{UPLOADS}/public/p/a.jpg", s.url), &[]).await;
    for name in ["etag", "cache-control", "last-modified", "x-robots-tag", "x-content-type-options"] {
        assert_eq!(shown.header(name), original.header(name), "{name}");
    }
    assert_eq!(shown.header("x-transformations"), "height:100,width:100,resizing_type:fill");
    let left = show(&format!("{url}?width=100&height=100&gravity=we"), &[]).await.picture("image/jpeg");
    assert!(left.get_pixel(90, 50)[0] > 200, "the left half is red");
    for (query, accept, kind, size) in [
        ("width=100&resize=contain&height=100", "*/*", "image/jpeg", (100, 50)),
        ("width=100&height=100&resize=fill&format=webp", "*/*", "image/webp", (100, 100)),
        ("width=100", "image/avif,image/webp,*/*", "image/webp", (100, 50)),
        ("width=100&format=origin", "image/webp", "image/jpeg", (100, 50)),
        ("width=100&format=avif", "*/*", "image/webp", (100, 50)),
        ("width=5000", "*/*", "image/jpeg", (400, 200)),
        ("", "*/*", "image/jpeg", (400, 200)),
    ] {
        let shown = show(&format!("{url}?{query}"), &[("accept", accept)]).await;
        assert_eq!(shown.picture(kind).dimensions(), size, "{query} {accept}");
        assert_eq!(shown.header("vary").contains("Accept"), !query.contains("format"), "{query}");
    }
    let known = show(&format!("{url}?width=100"), &[("if-none-match", original.header("etag"))]).await;
    assert_eq!(known.status, 304);
    let saved = show(&format!("{url}?width=100&download=b.jpg"), &[]).await;
    assert!(saved.header("content-disposition").starts_with("attachment; filename=b.jpg;"));

    let glass = RgbaImage::from_fn(64, 64, |x, _| Rgba([0, 255, 0, if x < 32 { 0 } else { 255 }]));
    for (format, kind) in
        [(ImageFormat::Png, "image/png"), (ImageFormat::WebP, "image/webp"), (ImageFormat::Gif, "image/gif")]
    {
        store(&s, "p/glass", kind, encoded(&glass.clone().into(), format)).await;
        let shown = show(&format!("{}/storage/v1/render/image/public/p/glass?width=16", s.url), &[]).await;
        let picture = shown.picture(kind);
        assert_eq!((picture.dimensions(), picture.get_pixel(1, 8)[3]), ((16, 16), 0), "{kind}");
    }
}

/// A JPEG whose EXIF data contain an orientation and a place.
fn turned() -> Vec<u8> {
    let exif = b"II*\0\x08\0\0\0\x02\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\x0e\x01\x02\0\x0c\0\0\0\x26\0\0\0\0\0\0\0Springfield\0";
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new(&mut bytes);
    encoder.set_exif_metadata(exif.to_vec()).unwrap();
    let picture = halves(400, 200);
    encoder.write_image(picture.as_raw(), 400, 200, image::ExtendedColorType::Rgb8).unwrap();
    assert!(bytes.windows(11).any(|part| part == b"Springfield"));
    bytes
}

#[tokio::test]
async fn exif_orientation_is_applied_and_metadata_removed() {
    let s = Server::start().await;
    bucket(&s, "p", true).await;
    store(&s, "p/a.jpg", "image/jpeg", turned()).await;
    let shown = show(&format!("{}/storage/v1/render/image/public/p/a.jpg?width=100", s.url), &[]).await;
    let picture = shown.picture("image/jpeg");
    assert_eq!(picture.dimensions(), (100, 200));
    assert!(picture.get_pixel(50, 10)[0] > 200, "the left side is now on top");
    assert!(!shown.bytes.windows(11).any(|part| part == b"Springfield"));
}

#[tokio::test]
async fn rendering_needs_permission_to_read_the_object() {
    let s = Server::start().await;
    bucket(&s, "own", false).await;
    let policy = "create policy own on storage.objects for select to authenticated
        using (bucket_id = 'own' and (storage.foldername(name))[1] = auth.uid()::text
          and storage.operation() in ('storage.render.image_authenticated', 'storage.object.sign'))";
    s.database.connect().await.batch_execute(policy).await.unwrap();
    let (ana, ben) = (s.signed_up("ana@render.test").await, s.signed_up("ben@render.test").await);
    let key = format!("own/{}/a.jpg", ana.id);
    store(&s, &key, "image/jpeg", jpeg(40, 20)).await;
    let authenticated = format!("/storage/v1/render/image/authenticated/{key}?width=10");
    let code = |answer: crate::kit::Answer| answer.json()["code"].as_str().unwrap().to_owned();
    assert_eq!(code(ben.get(&authenticated).await.is(400)), "NoSuchKey");
    assert_eq!(code(s.get(&format!("/storage/v1/render/image/public/{key}")).await.is(400)), "NoSuchBucket");
    assert_eq!(code(Request::to_get(&format!("{}{authenticated}", s.url)).await.is(400)), "InvalidRequest");
    // The body is a picture; an error would be text.
    let token = ana.access_token.clone();
    let seen = show(&format!("{}{authenticated}", s.url), &[("authorization", &format!("Bearer {token}"))]).await;
    assert_eq!(seen.picture("image/jpeg").dimensions(), (10, 5));

    let transform = json!({ "expiresIn": 60, "transform": { "width": 20, "height": "10", "resize": "fill" } });
    let signed = ana.post(&format!("/storage/v1/object/sign/{key}"), transform).await.is(200).json();
    let path = signed["signedURL"].as_str().unwrap().to_owned();
    assert!(path.starts_with(&format!("/render/image/sign/{key}?token=")), "{path}");
    let shown = show(&format!("{}/storage/v1{path}&width=5", s.url), &[]).await;
    assert_eq!(shown.picture("image/jpeg").dimensions(), (20, 10), "the query changes nothing");
    assert!(!shown.header("expires").is_empty());
    let other = s.get(&format!("/storage/v1{}", path.replace("a.jpg?", "b.jpg?"))).await;
    assert_eq!(code(other.is(400)), "InvalidSignature");
    let wrong = json!({ "expiresIn": 60, "transform": { "width": -1 } });
    let wrong = ana.post(&format!("/storage/v1/object/sign/{key}"), wrong).await.is(400).json();
    assert_eq!(wrong["message"], "body/transform/width must be >= 0");
    let plain = json!({ "expiresIn": 60, "transform": {} });
    let plain = ana.post(&format!("/storage/v1/object/sign/{key}"), plain).await.is(200).json();
    assert!(plain["signedURL"].as_str().unwrap().starts_with("/object/sign/"));
}

/// A grey PNG.
fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(&DynamicImage::new_luma8(width, height), ImageFormat::Png)
}

/// A PNG whose header claims a larger size.
fn lying_png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = png(1, 1);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    // The checksum of a PNG chunk covers its name and content.
    let crc = bytes[12..29].iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (!(crc & 1)).wrapping_add(1)))
    });
    bytes[29..33].copy_from_slice(&(!crc).to_be_bytes());
    bytes
}

/// A JPEG with `scans` additional markers of a scan.
fn scanned(scans: usize) -> Vec<u8> {
    let mut bytes = jpeg(8, 8);
    let at = bytes.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap();
    // They are in a comment, where markers are counted, too: no real picture has a hundred.
    let comment = [&[0xff, 0xfe, 0, 4, 0xff, 0xda][..]; 1].concat().repeat(scans);
    bytes.splice(at..at, comment);
    bytes
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// A value of `/proc/<pid>/status`, in kB.
fn memory(pid: u32, name: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// The real binary with a public bucket.
struct Gallery {
    launch: Launch,
    dugout: Process,
    key: String,
}

impl Gallery {
    async fn open() -> Self {
        let launch = Launch::prepared(accounts()[0]).await.env("DUGOUT_STORAGE_IMAGE_CACHE", "20000");
        let dugout = launch.start().await;
        let key = launch.status("SERVICE_ROLE_KEY");
        let gallery = Gallery { launch, dugout, key };
        let public = json!({ "name": "p", "public": true });
        gallery.service(Method::POST, "/storage/v1/bucket").json(&public).await.is(200);
        gallery
    }

    fn service(&self, method: Method, path: &str) -> Request {
        self.dugout.request(method, path).header("apikey", &self.key).bearer(&self.key)
    }

    async fn store(&self, name: &str, bytes: Vec<u8>) {
        let upload = self.service(Method::POST, &format!("{UPLOADS}/p/{name}")).body(bytes);
        upload.header("x-upsert", "true").header("content-type", "image/png").await.is(200);
    }

    /// Asks again after a timeout: on a busy machine the rendering threads, which have a low priority, exceed the
    /// server's time limit for large pictures.
    async fn show(&self, name: &str, width: u32) -> Shown {
        let url = format!("{}/storage/v1/render/image/public/p/{name}?width={width}", self.launch.url());
        for _ in 0..8 {
            let shown = show(&url, &[]).await;
            let timed_out = br#""message":"Image request timed out""#;
            if !shown.bytes.windows(timed_out.len()).any(|part| part == timed_out) {
                return shown;
            }
        }
        panic!("{name} timed out eight times")
    }
}

#[tokio::test]
async fn picture_bombs_are_refused_before_decoding() {
    let gallery = Gallery::open().await;
    gallery.store("warm", jpeg(64, 64)).await;
    gallery.show("warm", 8).await.picture("image/jpeg");
    let pid = gallery.dugout.pid();
    let before = memory(pid, "VmRSS");
    std::fs::write(format!("/proc/{pid}/clear_refs"), "5").unwrap();
    let large = "The source image resolution is too large to process";
    let invalid = "The source image is invalid or unsupported for rendering";
    let entity = br#"<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>"#;
    let gif = b"GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    for (name, bytes, messages) in [
        ("wide.png", lying_png(50_000, 50_000), [large, large]),
        ("past.png", lying_png(4001, 4199), [large, large]),
        ("a.gif", gif.to_vec(), [large, large]),
        ("scans.jpg", scanned(100), [invalid, invalid]),
        ("svg", entity.to_vec(), [invalid, invalid]),
        ("text", b"not a picture".to_vec(), [invalid, invalid]),
        ("cut.jpg", jpeg(64, 64)[..200].to_vec(), [invalid, invalid]),
        ("empty", Vec::new(), [invalid, invalid]),
        ("webp", b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0\xff\xff\xff\xff\xff\xff".to_vec(), [invalid, large]),
    ] {
        gallery.store(name, bytes).await;
        let shown = gallery.show(name, 8).await;
        let said: serde_json::Value = serde_json::from_slice(&shown.bytes).unwrap();
        assert_eq!((shown.status, said["code"].as_str()), (400, Some("InvalidRequest")), "{name}: {said}");
        assert!(messages.contains(&said["message"].as_str().unwrap()), "{name}: {said}");
    }
    let extra = memory(pid, "VmHWM").saturating_sub(before);
    println!("pictures that are bombs: {extra} kB");
    assert!(extra < 100 * 1024, "{extra} kB");
    // A picture with a wrong checksum is rendered all the same.
    let mut wrong = png(64, 64);
    let end = wrong.len() - 17;
    wrong[end] ^= 1;
    // At the limits.
    for (name, bytes) in [("wrong.png", wrong), ("most.png", png(4000, 4200)), ("scans.jpg", scanned(99))] {
        gallery.store(name, bytes).await;
        let shown = gallery.show(name, 8).await;
        assert_eq!(shown.status, 200, "{name}: {}", String::from_utf8_lossy(&shown.bytes));
    }
}

#[tokio::test]
async fn cached_pictures_are_limited_and_deleted_with_their_object() {
    let gallery = Gallery::open().await;
    let kept = gallery.launch.data_dir().join("storage/stub/.rendered");
    gallery.store("kept.jpg", jpeg(400, 200)).await;
    let first = gallery.show("kept.jpg", 100).await;
    let own = files(&kept);
    assert_eq!(own.len(), 1);
    std::fs::write(&own[0], "from the disk").unwrap();
    let second = gallery.show("kept.jpg", 100).await;
    assert_eq!((second.bytes.as_slice(), second.header("content-type")), (&b"from the disk"[..], "image/jpeg"));
    assert_eq!(first.picture("image/jpeg").dimensions(), (100, 50));
    // A new version is another picture. The cached one of the old version is deleted.
    gallery.store("kept.jpg", jpeg(200, 400)).await;
    assert_eq!(files(&kept).len(), 0);
    assert_eq!(gallery.show("kept.jpg", 100).await.picture("image/jpeg").dimensions(), (100, 200));
    for width in 100..180 {
        gallery.show("kept.jpg", width).await.picture("image/jpeg");
    }
    let bytes: u64 = files(&kept).iter().map(|path| path.metadata().unwrap().len()).sum();
    assert!(bytes <= 20_000 && bytes > 10_000, "{bytes}");
    gallery.service(Method::DELETE, &format!("{UPLOADS}/p/kept.jpg")).await.is(200);
    assert_eq!((gallery.show("kept.jpg", 100).await.status, files(&kept).len()), (400, 0));
}

#[tokio::test]
async fn if_rendering_is_disabled_the_route_is_missing() {
    let s = Server::with(&[("IMAGE_TRANSFORMATION_ENABLED", "false")]).await;
    bucket(&s, "p", true).await;
    store(&s, "p/a.jpg", "image/jpeg", jpeg(40, 20)).await;
    let missing = s.get("/storage/v1/render/image/public/p/a.jpg").await.is(404).json();
    assert_eq!(missing["message"], "Route GET:/render/image/public/p/a.jpg not found");
    let sign = json!({ "expiresIn": 60, "transform": { "width": 20 } });
    let signed = s.as_service(Method::POST, "/storage/v1/object/sign/p/a.jpg").json(&sign).await.is(200).json();
    assert!(signed["signedURL"].as_str().unwrap().starts_with("/object/sign/"));
}
