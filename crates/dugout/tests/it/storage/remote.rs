//! Objects in an S3 server instead of files: that of another one of these servers.

use reqwest::Method;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::s3::signer::{KEYS, Signer, elements};
use crate::faults::uploads::{fsck, noise};
use crate::kit::{Calls, Launch, Server, accounts};

#[tokio::test]
async fn objects_can_be_in_an_s3_server() {
    let keeper = Server::with(&KEYS).await;
    let signer = Signer::service(&keeper);
    signer.put("kept", b"").await.is(200);
    let launch = Launch::prepared(accounts()[0])
        .await
        .env("STORAGE_BACKEND", "s3")
        .env("STORAGE_S3_BUCKET", "kept")
        .env("STORAGE_S3_ENDPOINT", format!("{}/storage/v1/s3", keeper.url))
        .env("STORAGE_S3_FORCE_PATH_STYLE", "true")
        .env("AWS_ACCESS_KEY_ID", KEYS[0].1)
        .env("AWS_SECRET_ACCESS_KEY", KEYS[1].1);
    std::fs::create_dir(launch.folder.path().join("supabase")).unwrap();
    let mut dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    let service = |method, path: &str| dugout.request(method, &format!("/storage/v1{path}")).bearer(&key);
    service(Method::POST, "/bucket").json(&json!({ "name": "b", "public": true })).await.is(200);
    let upload = async |name: &str, body: Vec<u8>| {
        service(Method::POST, &format!("/object/b/{name}")).header("x-upsert", "true").body(body).await.is(200);
    };
    upload("d/a.txt", b"first".to_vec()).await;
    upload("d/a.txt", b"hello".to_vec()).await;
    upload("empty", Vec::new()).await;
    // Longer than a part.
    let big = noise(1, 9 * 1024 * 1024 + 7);
    upload("big", big.clone()).await;
    let get = |name: &str| dugout.get(&format!("/storage/v1/object/public/b/{name}"));
    assert_eq!(get("d/a.txt").await.is(200).body, "hello");
    assert_eq!(get("empty").await.is(200).body, "");
    let range = get("d/a.txt").header("range", "bytes=1-3").await.is(206);
    assert_eq!((range.body.as_str(), range.header("content-range")), ("ell", "bytes 1-3/5"));
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let read = client.get(format!("{}/storage/v1/object/public/b/big", launch.url())).send().await.unwrap();
    assert_eq!(Sha256::digest(read.bytes().await.unwrap()), Sha256::digest(&big));
    let copy = json!({ "bucketId": "b", "sourceKey": "d/a.txt", "destinationKey": "copy.txt" });
    service(Method::POST, "/object/copy").json(&copy).await.is(200);
    let rename = json!({ "bucketId": "b", "sourceKey": "copy.txt", "destinationKey": "moved.txt" });
    service(Method::POST, "/object/move").json(&rename).await.is(200);
    assert_eq!(get("moved.txt").await.is(200).body, "hello");
    service(Method::DELETE, "/object/b/empty").await.is(200);
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(8, 8).write_to(&mut png, image::ImageFormat::Png).unwrap();
    upload("p.png", png.into_inner()).await;
    dugout.get("/storage/v1/render/image/public/b/p.png?width=4").await.is(200);

    // One version of each object is kept, and nothing else.
    let kept = async || {
        let listed = signer.get("kept").await.is(200);
        let names: Vec<String> = elements(&listed, "Key").iter().map(ToString::to_string).collect();
        names
    };
    let names = kept().await;
    let keys: Vec<&str> = names.iter().map(|name| name.rsplit_once('/').unwrap().0).collect();
    assert_eq!(keys, ["stub/b/big", "stub/b/d/a.txt", "stub/b/moved.txt", "stub/b/p.png"]);
    let files = launch.data_dir().join("storage/kept/stub");
    assert!(!files.exists(), "the objects are not here as well");
    dugout.stop().await;

    let (content, said) = fsck(&launch, &[]);
    assert!(content && said.contains("Looked at 4 objects and 4 files."), "{said}");
    signer.send(Method::DELETE, &format!("kept/{}", names[0]), &[], &[], b"").await.is(204);
    signer.put("kept/stub/b/orphan/9b2f0f3e-1d2c-4a58-9a0e-000000000000", b"x").await.is(200);
    let (content, said) = fsck(&launch, &[]);
    assert!(!content && said.contains("Object without a file: b/big") && said.contains("b/orphan/"), "{said}");
    let (content, said) = fsck(&launch, &["--repair"]);
    assert!(content, "{said}");
    assert_eq!(kept().await, names[1..]);
    assert!(fsck(&launch, &[]).0);
}
