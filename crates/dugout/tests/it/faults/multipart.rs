//! Multipart uploads whose server dies.

use reqwest::Method;
use sha2::{Digest, Sha256};

use super::uploads::{fsck, noise};
use crate::kit::{Launch, accounts};
use crate::storage::s3::signer::{Signer, element};

/// Parts that were acknowledged stay, the upload goes on after each kill, and nothing else is left.
#[tokio::test]
async fn a_multipart_upload_survives_kills() {
    let launch = Launch::prepared(accounts()[0]).await.env("DUGOUT_DB_DURABILITY", "full");
    std::fs::create_dir(launch.folder.path().join("supabase")).unwrap();
    let mut dugout = launch.start().await;
    let keys = ["S3_PROTOCOL_ACCESS_KEY_ID", "S3_PROTOCOL_ACCESS_KEY_SECRET"].map(|name| launch.status(name));
    assert_eq!(launch.status("STORAGE_S3_URL"), format!("{}/storage/v1/s3", launch.url()));
    let signer = Signer::of(&launch.url(), &keys[0], &keys[1], None);
    signer.put("b", b"").await.is(200);
    let begun = signer.send(Method::POST, "b/v", &[("uploads", "")], &[], b"").await.is(200);
    let id = element(&begun, "UploadId").to_owned();
    let parts: Vec<Vec<u8>> = (1..=4).map(|seed| noise(seed, 5 * 1024 * 1024)).collect();
    let query = |number: usize| [("partNumber".to_owned(), number.to_string()), ("uploadId".to_owned(), id.clone())];
    for (at, part) in parts.iter().enumerate() {
        let query = query(at + 1);
        let query: Vec<(&str, &str)> = query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        // One that is cut off by a kill, then the same to its end.
        let sent = signer.send(Method::PUT, "b/v", &query, &[], part);
        let cut = tokio::time::timeout(std::time::Duration::from_millis(3 + 9 * at as u64), sent).await;
        dugout.kill().await;
        println!("part {}: {}", at + 1, if cut.is_ok() { "whole" } else { "cut off" });
        dugout = launch.start().await;
        signer.send(Method::PUT, "b/v", &query, &[], part).await.is(200);
    }
    // Acknowledged, then killed at once.
    dugout.kill().await;
    let mut dugout = launch.start().await;
    let complete = async || signer.send(Method::POST, "b/v", &[("uploadId", &id)], &[], b"").await;
    let cut = tokio::time::timeout(std::time::Duration::from_millis(20), complete()).await;
    dugout.kill().await;
    println!("the end: {}", if cut.is_ok() { "whole" } else { "cut off" });
    let mut dugout = launch.start().await;
    let done = complete().await;
    assert!(done.status == 200 || element(&done, "Code") == "NoSuchUpload", "{}", done.body);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let read = client.get(signer.presigned(&Method::GET, "b/v", 60)).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(Sha256::digest(&read), Sha256::digest(parts.concat()));
    dugout.stop().await;
    let (_, said) = fsck(&launch, &["--repair"]);
    assert!(!said.contains("without a file"), "{said}");
    let (content, said) = fsck(&launch, &[]);
    assert!(content && said.contains("Looked at 1 objects and 1 files."), "{said}");
}
