//! Purging the caches of a CDN.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Calls, HttpCatcher, Server};

#[tokio::test]
async fn purges_are_posted_to_the_configured_endpoint() {
    let cdn = HttpCatcher::start(204, "");
    let endpoint = format!("{}/api/?x=1", cdn.url);
    let s = Server::with(&[("CDN_PURGE_ENDPOINT_URL", &endpoint), ("CDN_PURGE_ENDPOINT_KEY", "geheim")]).await;
    let tenant = json!({ "ref": "stub" });
    for (path, expected) in [
        ("", json!({ "type": "tenant", "tenant": tenant })),
        ("/?transformations=true", json!({ "type": "tenant-transforms", "tenant": tenant })),
        ("/b%20c", json!({ "type": "bucket", "tenant": tenant, "bucketId": "b c" })),
        ("/b?transformations=true", json!({ "type": "bucket-transforms", "tenant": tenant, "bucketId": "b" })),
        (
            "/b/d/e%20f.png?transformations=false",
            json!({ "type": "object", "tenant": tenant, "bucketId": "b", "objectName": "d/e f.png" }),
        ),
        (
            "/b/a.png?transformations=true",
            json!({ "type": "object-transforms", "tenant": tenant, "bucketId": "b", "objectName": "a.png" }),
        ),
    ] {
        let answer = s.as_service(Method::DELETE, &format!("/storage/v1/cdn{path}")).await.is(200);
        assert_eq!(answer.json(), json!({ "message": "success" }), "{path}");
        let caught = cdn.caught();
        let [sent] = &caught[..] else { panic!("{path}: {caught:?}") };
        assert_eq!((sent.line.as_str(), sent.authorization.as_str()), ("POST /api/purge", "Bearer geheim"));
        assert_eq!(serde_json::from_str::<Value>(&sent.body).unwrap(), expected, "{path}");
    }
    let wrong = s.as_service(Method::DELETE, "/storage/v1/cdn/b?transformations=2").await.is(400).json();
    assert_eq!(wrong["message"], "querystring/transformations must be boolean");

    // Nobody else may purge, and a failure is an error.
    let user = s.signed_up("ana@cdn.test").await;
    assert_eq!(user.delete("/storage/v1/cdn/b").await.is(403).json()["message"], "Access denied: Invalid role");
    s.request(Method::DELETE, "/storage/v1/cdn/b").await.is(403);
    assert!(cdn.caught().is_empty());
    cdn.answers(503, "later");
    let failed = s.as_service(Method::DELETE, "/storage/v1/cdn/b").await.is(500).json();
    assert_eq!((&failed["message"], &failed["code"]), (&json!("Error purging cache"), &json!("InternalError")));
    cdn.caught();
    cdn.answers(204, "");

    // A bucket that becomes private, or goes, is purged.
    let bucket =
        |method, path: &str, body: Value| s.as_service(method, &format!("/storage/v1/bucket{path}")).json(&body);
    bucket(Method::POST, "", json!({ "name": "b", "public": true })).await.is(200);
    bucket(Method::PUT, "/b", json!({ "public": true })).await.is(200);
    assert!(cdn.caught().is_empty());
    bucket(Method::PUT, "/b", json!({ "public": false })).await.is(200);
    assert!(cdn.caught()[0].body.contains(r#""type":"bucket""#));
    bucket(Method::DELETE, "/b", json!({})).await.is(200);
    assert_eq!(cdn.caught().len(), 1);
}

#[tokio::test]
async fn without_an_endpoint_nothing_is_purged() {
    let s = Server::start().await;
    let refused = s.as_service(Method::DELETE, "/storage/v1/cdn/").await.is(400).json();
    let message = "Missing Required Parameter CDN_PURGE_ENDPOINT_URL is not set";
    let code = "MissingParameter";
    assert_eq!(refused, json!({ "statusCode": "400", "error": code, "message": message, "code": code }));
}
