//! What the webhook is told.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::Method;
use serde_json::{Value, json};

use super::s3::signer::{KEYS, Signer};
use crate::kit::{Database, HttpCatcher, Saying, Server};

/// The next events, sorted by type: they may arrive in any order.
async fn events(webhook: &HttpCatcher, count: usize) -> Vec<Value> {
    let (mut found, began) = (Vec::new(), Instant::now());
    while found.len() < count {
        assert!(began.elapsed() < Duration::from_secs(30), "{found:?}");
        for caught in webhook.caught() {
            assert_eq!((caught.line.as_str(), caught.authorization.as_str()), ("POST /hook", "Bearer geheim"));
            found.push(serde_json::from_str::<Value>(&caught.body).unwrap());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(found.len(), count, "{found:?}");
    found.sort_by_key(|event| event["event"]["type"].as_str().unwrap().to_owned());
    found
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"]["type"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn every_change_of_an_object_is_told_to_the_webhook() {
    let webhook = HttpCatcher::start(200, "");
    let url = format!("{}/hook", webhook.url);
    let s = Server::with(&[("WEBHOOK_URL", &url), ("WEBHOOK_API_KEY", "geheim"), KEYS[0], KEYS[1]]).await;
    let service = |method, path: &str| s.as_service(method, &format!("/storage/v1{path}"));
    service(Method::POST, "/bucket").json(&json!({ "name": "b" })).await.is(200);

    let upload = service(Method::POST, "/object/b/d/a.txt").header("x-request-id", "r1").body("hello");
    upload.header("content-type", "text/plain").header("sb-request-id", "p1").await.is(200);
    let event = &events(&webhook, 1).await[0];
    let row = s.database.connect().await;
    let version: String = row.query_one("select version from storage.objects", &[]).await.unwrap().get(0);
    assert_eq!((&event["type"], &event["event"]["$version"]), (&json!("Webhook"), &json!("v1")));
    assert_eq!(event["event"]["type"], "ObjectCreated:Post");
    assert!(event["sentAt"].is_string() && event["event"]["applyTime"].is_i64(), "{event}");
    let payload = &event["event"]["payload"];
    assert_eq!((&payload["name"], &payload["bucketId"]), (&json!("d/a.txt"), &json!("b")));
    assert_eq!((&payload["version"], &payload["uploadType"]), (&json!(version), &json!("standard")));
    assert_eq!((&payload["reqId"], &payload["sbReqId"]), (&json!("r1"), &json!("p1")));
    assert_eq!((&payload["metadata"]["size"], &payload["tenant"]), (&json!(5), &event["tenant"]));
    assert_eq!(event["tenant"], json!({ "ref": "stub", "host": "127.0.0.1" }));

    service(Method::PUT, "/object/b/d/a.txt").body("again").await.is(200);
    assert_eq!(kinds(&events(&webhook, 1).await), ["ObjectCreated:Put"]);
    let copy = json!({ "bucketId": "b", "sourceKey": "d/a.txt", "destinationKey": "c.txt" });
    service(Method::POST, "/object/copy").json(&copy).await.is(200);
    assert_eq!(kinds(&events(&webhook, 1).await), ["ObjectCreated:Copy"]);
    let rename = json!({ "bucketId": "b", "sourceKey": "c.txt", "destinationKey": "m.txt" });
    service(Method::POST, "/object/move").json(&rename).await.is(200);
    let moved = events(&webhook, 2).await;
    assert_eq!(kinds(&moved), ["ObjectCreated:Move", "ObjectRemoved:Move"]);
    let [new, old] = [0, 1].map(|index| &moved[index]["event"]["payload"]);
    assert_eq!((&new["name"], &old["name"]), (&json!("m.txt"), &json!("c.txt")));
    assert_eq!((&new["oldObject"]["name"], &new["oldObject"]["version"]), (&old["name"], &old["version"]));
    assert_ne!(new["version"], old["version"]);

    let encode = |text: &str| BASE64_STANDARD.encode(text);
    let metadata = format!("bucketName {},objectName {}", encode("b"), encode("t.txt"));
    let tus = service(Method::POST, "/upload/resumable").body("hi").header("tus-resumable", "1.0.0");
    let tus = tus.header("upload-length", "2").header("upload-metadata", &metadata);
    tus.header("content-type", "application/offset+octet-stream").await.is(201);
    Signer::service(&s).put("b/s.txt", b"s3").await.is(200);
    let made = events(&webhook, 2).await;
    let mut types: Vec<&str> =
        made.iter().map(|event| event["event"]["payload"]["uploadType"].as_str().unwrap()).collect();
    types.sort_unstable();
    assert_eq!((kinds(&made), types), (vec!["ObjectCreated:Post"; 2], vec!["resumable", "s3"]));

    service(Method::DELETE, "/object/b").json(&json!({ "prefixes": ["m.txt", "t.txt", "none"] })).await.is(200);
    service(Method::DELETE, "/object/b/s.txt").await.is(200);
    assert_eq!(kinds(&events(&webhook, 3).await), ["ObjectRemoved:Delete"; 3]);
    service(Method::DELETE, "/object/b/s.txt").await.is(400);
    assert!(webhook.caught().is_empty());
}

#[tokio::test]
async fn no_upload_waits_for_a_slow_webhook() {
    let webhook = HttpCatcher::saying(Saying::new(200, "").after(Duration::from_secs(20)));
    let s = Server::with(&[("WEBHOOK_URL", &webhook.url)]).await;
    let service = |method, path: &str| s.as_service(method, &format!("/storage/v1{path}"));
    service(Method::POST, "/bucket").json(&json!({ "name": "b" })).await.is(200);
    let began = Instant::now();
    service(Method::POST, "/object/b/a.txt").body("hello").await.is(200);
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
}

/// A server that sends events to `webhook`. Its folder outlives it.
async fn telling(webhook: &HttpCatcher, folder: &std::path::Path, database: Database) -> Server {
    let url = format!("{}/hook", webhook.url);
    let folder = folder.to_str().unwrap();
    let settings = [("WEBHOOK_URL", &*url), ("WEBHOOK_API_KEY", "geheim"), ("STORAGE_FILE_BACKEND_PATH", folder)];
    Server::over(database, &settings).await
}

#[tokio::test]
async fn events_that_the_webhook_does_not_take_are_repeated_also_by_the_next_server() {
    let (webhook, folder) = (HttpCatcher::start(200, ""), tempfile::tempdir().unwrap());
    let database = Database::cloned().await;
    let s = telling(&webhook, folder.path(), Database::shared(&database)).await;
    let service = |method, path: &str| s.as_service(method, &format!("/storage/v1{path}"));
    service(Method::POST, "/bucket").json(&json!({ "name": "b" })).await.is(200);
    webhook.answers_once(Saying::new(500, ""));
    webhook.answers_once(Saying::new(404, ""));
    service(Method::POST, "/object/b/a.txt").body("hello").await.is(200);
    // Two attempts fail, the third succeeds.
    let told = events(&webhook, 3).await;
    assert!(told.iter().all(|event| event["event"] == told[0]["event"]), "{told:?}");
    assert!(told.iter().any(|event| event["sentAt"] != told[0]["sentAt"]), "{told:?}");
    let left = || std::fs::read_dir(folder.path().join("stub/.events")).map_or(0, Iterator::count);
    let began = Instant::now();
    while left() > 0 {
        assert!(began.elapsed() < Duration::from_secs(10), "what was taken is forgotten");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }

    webhook.answers(500, "");
    let began = Instant::now();
    service(Method::POST, "/object/b/b.txt").body("hello").await.is(200);
    events(&webhook, 1).await;
    while left() == 0 {
        assert!(began.elapsed() < Duration::from_secs(20), "what failed is kept");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    drop(s);
    webhook.caught();
    webhook.answers(200, "");
    let _next = telling(&webhook, folder.path(), Database::shared(&database)).await;
    let event = &events(&webhook, 1).await[0];
    assert_eq!(event["event"]["payload"]["name"], "b.txt");
}
