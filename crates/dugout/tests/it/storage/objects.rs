//! Buckets and objects, from the first upload to the last deletion.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Calls, Server, User};

/// Creates a bucket through the API.
async fn bucket(s: &Server, name: &str, settings: Value) {
    let mut body = json!({ "name": name });
    body.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    let made = s.as_service(Method::POST, "/storage/v1/bucket").json(&body).await.is(200).json();
    assert_eq!(made, json!({ "name": name }));
}

#[track_caller]
fn refused(answer: &Answer, http: u16, status: &str, error: &str, code: &str, message: &str) {
    let wanted = json!({ "statusCode": status, "error": error, "message": message, "code": code });
    assert_eq!((answer.status, answer.json()), (http, wanted));
}

/// Each user owns the folder named by their id.
const POLICIES: &str = "
    create policy own_insert on storage.objects for insert to authenticated
    with check (bucket_id = 'own' and (storage.foldername(name))[1] = auth.uid()::text
      and coalesce((metadata ->> 'contentLength')::int, 0) < 1000 and storage.operation() = 'storage.object.upload');
    create policy own_select on storage.objects for select to authenticated
    using (bucket_id = 'own' and owner_id = auth.uid()::text);";

async fn upload(user: &User, path: &str, body: impl Into<reqwest::Body>) -> Answer {
    user.request(Method::POST, &format!("/storage/v1/object/own/{path}"))
        .body(body)
        .header("content-type", "text/plain")
        .await
}

#[tokio::test]
async fn policies_decide_who_reads_and_writes() {
    let s = Server::start().await;
    bucket(&s, "own", json!({})).await;
    s.database.connect().await.batch_execute(POLICIES).await.unwrap();
    let (ana, ben) = (s.signed_up("ana@storage.test").await, s.signed_up("ben@storage.test").await);
    let path = format!("{}/a.txt", ana.id);
    let made = upload(&ana, &path, "hello").await.is(200).json();
    assert_eq!(made["Key"], format!("own/{path}"));

    let denied = "new row violates row-level security policy";
    refused(&upload(&ben, &path, "x").await, 400, "403", "Unauthorized", "AccessDenied", denied);
    let long = upload(&ana, &format!("{}/b.txt", ana.id), vec![b'x'; 1000]).await;
    refused(&long, 400, "403", "Unauthorized", "AccessDenied", denied);
    let again = upload(&ana, &path, "hello").await;
    refused(&again, 400, "409", "Duplicate", "KeyAlreadyExists", "The resource already exists");

    let url = format!("/storage/v1/object/own/{path}");
    let read = ana.get(&url).await.is(200);
    assert_eq!((read.body.as_str(), read.header("content-type")), ("hello", "text/plain"));
    let part = ana.get(&url).header("range", "bytes=1-2").await.is(206);
    assert_eq!((part.body.as_str(), part.header("content-range")), ("el", "bytes 1-2/5"));
    ana.get(&url).header("if-none-match", read.header("etag")).await.is(304);
    let beyond = ana.get(&url).header("range", "bytes=5-").await;
    refused(&beyond, 416, "416", "invalid_range", "InvalidRange", "invalid range provided");
    refused(&ben.get(&url).await, 400, "404", "not_found", "NoSuchKey", "Object not found");
    let head = ana.request(Method::HEAD, &url).await.is(200);
    assert_eq!(head.header("content-length"), "5");
    let deleted = ana.delete(&url).await;
    refused(&deleted, 400, "403", "Unauthorized", "AccessDenied", "Access denied");
    refused(&s.get("/storage/v1/object/own/x").await, 400, "404", "not_found", "NoSuchKey", "Object not found");
}

#[tokio::test]
async fn a_signed_url_permits_one_operation_on_one_object() {
    let s = Server::start().await;
    bucket(&s, "signed", json!({})).await;
    let service = |method, path: &str| s.as_service(method, &format!("/storage/v1{path}"));
    service(Method::POST, "/object/signed/a.txt").body("hello").await.is(200);
    let sign = service(Method::POST, "/object/sign/signed/a.txt").json(&json!({ "expiresIn": 60 }));
    let url = sign.await.is(200).json()["signedURL"].as_str().unwrap().to_owned();
    let read = s.get(&format!("/storage/v1{url}&download=n%20a.txt")).await.is(200);
    assert_eq!(read.body, "hello");
    assert_eq!(read.header("content-disposition"), "attachment; filename=n%20a.txt; filename*=UTF-8''n%20a.txt");
    assert!(!read.header("expires").is_empty());
    let other = s.get(&format!("/storage/v1{}", url.replace("a.txt?", "b.txt?"))).await;
    refused(&other, 400, "400", "InvalidSignature", "InvalidSignature", "Invalid signature");

    let upload = service(Method::POST, "/object/upload/sign/signed/new.txt").await.is(200).json();
    let token = upload["token"].as_str().unwrap();
    let wrong = s.get(&format!("/storage/v1/object/sign/signed/new.txt?token={token}")).await;
    refused(&wrong, 400, "400", "InvalidSignature", "InvalidSignature", "Token is not scoped for download");
    let put = s.request(Method::PUT, &format!("/storage/v1{}", upload["url"].as_str().unwrap()));
    assert_eq!(put.body("new").await.is(200).json(), json!({ "Key": "signed/new.txt" }));
    s.clock.advance(chrono::TimeDelta::seconds(61));
    let late = s.get(&format!("/storage/v1{url}")).await;
    refused(&late, 400, "400", "InvalidJWT", "InvalidJWT", "\"exp\" claim timestamp check failed");
}

/// The claims of the token in a signed URL.
fn claims(url: &Value) -> Value {
    let token = url.as_str().unwrap().split_once("token=").unwrap().1;
    let claims = BASE64_URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    serde_json::from_slice(&claims).unwrap()
}

#[tokio::test]
async fn a_signed_url_is_good_for_as_long_as_the_setting_allows() {
    let s = Server::with(&[("DUGOUT_STORAGE_SIGNED_URL_LIMIT", "600")]).await;
    bucket(&s, "b", json!({})).await;
    let post = |path: &str| s.as_service(Method::POST, &format!("/storage/v1/object/{path}"));
    post("b/a.txt").body("hello").await.is(200);
    for (wanted, given) in [(599, 599), (600, 600), (601, 600), (3_000_000_000_i64, 600)] {
        let order = json!({ "expiresIn": wanted, "paths": ["a.txt"] });
        let picture = json!({ "expiresIn": wanted, "transform": { "width": 20 } });
        let one = post("sign/b/a.txt").json(&order).await.is(200).json();
        let picture = post("sign/b/a.txt").json(&picture).await.is(200).json();
        let many = post("sign/b").json(&order).await.is(200).json();
        assert!(picture["signedURL"].as_str().unwrap().starts_with("/render/image/sign/"));
        for url in [&one["signedURL"], &picture["signedURL"], &many[0]["signedURL"]] {
            let claims = claims(url);
            assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), given, "{claims}");
        }
    }
}

/// Dates of headers end with the year 9999, and tokens where JavaScript's milliseconds end.
#[tokio::test]
async fn a_signed_url_may_be_good_for_longer_than_headers_can_say() {
    let s = Server::with(&[("DUGOUT_STORAGE_SIGNED_URL_LIMIT", "9007199254740")]).await;
    bucket(&s, "b", json!({})).await;
    let post = |path: &str| s.as_service(Method::POST, &format!("/storage/v1/object/{path}"));
    post("b/a.txt").body("hello").await.is(200);
    let order = |life: i64| json!({ "expiresIn": life, "paths": ["a.txt"] });
    let signed = post("sign/b/a.txt").json(&order(253_402_300_800)).await.is(200).json();
    let url = format!("/storage/v1{}", signed["signedURL"].as_str().unwrap());
    let read = s.get(&url).await.is(200);
    assert_eq!((read.body.as_str(), read.header("expires")), ("hello", "Fri, 31 Dec 9999 23:59:59 GMT"));
    let known = s.request(Method::GET, &url).header("if-none-match", read.header("etag"));
    assert_eq!(known.await.status, 304);
    let most = 9_007_199_254_740 - chrono::Utc::now().timestamp();
    post("sign/b/a.txt").json(&order(most - 600)).await.is(200);
    for path in ["sign/b/a.txt", "sign/b"] {
        let late = post(path).json(&order(most + 600)).await;
        refused(&late, 400, "400", "InvalidParameter", "InvalidParameter", "Invalid Parameter expiresIn");
    }
    // SQL may write any time.
    let edit = "update storage.objects set metadata = metadata || '{\"lastModified\":\"9999-12-31T23:59:59-23:59\"}'";
    s.database.connect().await.batch_execute(edit).await.unwrap();
    assert_eq!(s.get(&url).await.is(200).body, "hello");
}

#[tokio::test]
async fn objects_with_scripts_are_not_served_as_pages() {
    let s = Server::start().await;
    bucket(&s, "public", json!({ "public": true })).await;
    for (stored, served, disposition, policy) in [
        ("text/html", "text/plain", "", ""),
        ("application/xhtml+xml", "text/plain", "", ""),
        ("image/svg+xml", "image/svg+xml", "attachment", "sandbox"),
        ("image/png", "image/png", "", ""),
    ] {
        let upload = s.as_service(Method::POST, "/storage/v1/object/public/a/x").body("<script>");
        upload.header("content-type", stored).header("x-upsert", "true").await.is(200);
        let read = s.get("/storage/v1/object/public/public/a/x").await.is(200);
        let headers = ["content-type", "content-disposition", "content-security-policy", "x-content-type-options"];
        assert_eq!(headers.map(|name| read.header(name)), [served, disposition, policy, "nosniff"], "{stored}");
    }
}

#[tokio::test]
async fn a_bucket_accepts_only_its_allowed_types_and_sizes() {
    let s = Server::start().await;
    bucket(&s, "small", json!({ "file_size_limit": "1kb", "allowed_mime_types": ["image/*"] })).await;
    let put = |bytes: usize, kind: &'static str| {
        let request = s.as_service(Method::PUT, "/storage/v1/object/small/x").body(vec![b'x'; bytes]);
        request.header("content-type", kind)
    };
    put(1000, "image/png").await.is(200);
    let too_large = "The object exceeded the maximum allowed size";
    refused(&put(1001, "image/png").await, 400, "413", "Payload too large", "EntityTooLarge", too_large);
    let kind = "mime type text/plain is not supported";
    refused(&put(1, "text/plain").await, 400, "415", "invalid_mime_type", "InvalidMimeType", kind);
    let named = s.as_service(Method::POST, "/storage/v1/object/small/a~b").body("").header("content-type", "image/png");
    refused(&named.await, 400, "400", "InvalidKey", "InvalidKey", "Invalid key: a~b");
    let full = s.as_service(Method::DELETE, "/storage/v1/bucket/small").await;
    let words = "The bucket you tried to delete is not empty";
    refused(&full, 400, "409", "ResourceNotEmpty", "ResourceNotEmpty", words);
    s.as_service(Method::POST, "/storage/v1/bucket/small/empty").await.is(200);
    s.as_service(Method::DELETE, "/storage/v1/bucket/small").await.is(200);
    let missing = s.request(Method::GET, "/storage/v1/nothing").await;
    refused(&missing, 404, "404", "Not Found", "InvalidRequest", "Route GET:/nothing not found");
}

#[tokio::test]
async fn objects_are_listed_copied_and_moved() {
    let s = Server::start().await;
    bucket(&s, "one", json!({})).await;
    bucket(&s, "two", json!({})).await;
    let service = |path: &str, body: Value| s.as_service(Method::POST, &format!("/storage/v1{path}")).json(&body);
    for key in ["a/1.txt", "a/2.txt", "a/b/3.txt", "c.txt"] {
        s.as_service(Method::POST, &format!("/storage/v1/object/one/{key}")).body(key).await.is(200);
    }
    let names = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|line| line["name"].as_str().unwrap().to_owned()).collect()
    };
    let list = service("/object/list/one", json!({ "prefix": "a" })).await.is(200).json();
    assert_eq!(names(&list), ["1.txt", "2.txt", "b"]);
    let mut cursor = Value::Null;
    for (folders, objects) in [(json!(["a/"]), json!([])), (json!([]), json!(["c.txt"]))] {
        let mut body = json!({ "limit": 1, "with_delimiter": true });
        if !cursor.is_null() {
            body["cursor"] = cursor;
        }
        let page = service("/object/list-v2/one", body).await.is(200).json();
        assert_eq!((json!(names(&page["folders"])), json!(names(&page["objects"]))), (folders, objects), "{page}");
        cursor = page["nextCursor"].clone();
    }
    let to =
        json!({ "bucketId": "one", "sourceKey": "c.txt", "destinationBucket": "two", "destinationKey": "d/c.txt" });
    assert_eq!(service("/object/copy", to.clone()).await.is(200).json()["Key"], "two/d/c.txt");
    let taken = service("/object/move", to).await;
    refused(&taken, 400, "409", "Duplicate", "ResourceAlreadyExists", "The resource already exists");
    let to = json!({ "bucketId": "one", "sourceKey": "c.txt", "destinationKey": "../../e.txt" });
    assert_eq!(service("/object/move", to).await.is(200).json(), json!({ "message": "Successfully moved" }));
    let read = s.as_service(Method::GET, "/storage/v1/object/one/..%2F..%2Fe.txt").await.is(200);
    assert_eq!(read.body, "c.txt");
    let gone = json!({ "prefixes": ["a/1.txt", "nothing", "c.txt"] });
    let gone = s.as_service(Method::DELETE, "/storage/v1/object/one").json(&gone).await.is(200).json();
    assert_eq!(names(&gone), ["a/1.txt"]);
}
