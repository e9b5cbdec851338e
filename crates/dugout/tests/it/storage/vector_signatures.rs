//! Requests for vectors that are signed for the service `s3vectors`.

use chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};

use super::s3::signer::{KEYS, Signer};
use super::vectors::{refused, started};
use crate::kit::{Answer, Calls};

const MISMATCH: &str =
    "The request signature we calculated does not match the signature you provided. Check your key and signing method.";

async fn call(signer: &Signer, operation: &str, body: &Value) -> Answer {
    signer
        .send(Method::POST, operation, &[], &[("content-type", "application/json")], body.to_string().as_bytes())
        .await
}

#[tokio::test]
async fn a_signer_with_the_access_key_is_an_administrator() {
    let Some(s) = started(&[KEYS[0], KEYS[1]]).await else { return };
    let signer = Signer::service(&s).of_vectors();
    let bucket = json!({ "vectorBucketName": "b" });
    assert_eq!(call(&signer, "CreateVectorBucket", &bucket).await.is(200).body, "");
    let index = json!({
        "vectorBucketName": "b", "indexName": "idx", "dataType": "float32", "dimension": 2, "distanceMetric": "cosine",
    });
    call(&signer, "CreateIndex", &index).await.is(200);
    let put = json!({
        "vectorBucketName": "b", "indexName": "idx", "vectors": [{ "key": "é", "data": { "float32": [1, 2] } }],
    });
    call(&signer, "PutVectors", &put).await.is(200);
    let query = json!({
        "vectorBucketName": "b", "indexName": "idx", "topK": 1, "queryVector": { "float32": [1, 2] },
    });
    assert_eq!(call(&signer, "QueryVectors", &query).await.is(200).json()["vectors"][0]["key"], "é");
    refused(
        &call(&signer, "CreateVectorBucket", &bucket).await,
        409,
        "ConflictException",
        "vector bucket \"b\" already exists",
    );
    // More than anonymous bodies may have.
    let many: Vec<Value> = (0..400)
        .map(|number| json!({ "key": format!("{number}{}", "k".repeat(3000)), "data": { "float32": [1, number] } }))
        .collect();
    let put = json!({ "vectorBucketName": "b", "indexName": "idx", "vectors": many });
    assert_ne!(call(&signer, "PutVectors", &put).await.status, 413);
    // Without a body there is nothing wrong with the signature.
    let none = signer.send(Method::POST, "ListVectorBuckets", &[], &[], b"").await;
    assert_ne!(none.json()["code"], "SignatureDoesNotMatch");
}

#[tokio::test]
async fn other_signatures_are_refused() {
    let Some(s) = started(&[KEYS[0], KEYS[1]]).await else { return };
    let body = json!({ "vectorBucketName": "b" });
    let [id, secret] = [KEYS[0].1, KEYS[1].1];
    for (id, secret) in [(id, "wrong"), ("wrong", secret)] {
        let answer = call(&Signer::of(&s.url, id, secret, None).of_vectors(), "CreateVectorBucket", &body).await;
        refused(&answer, 403, "SignatureDoesNotMatch", MISMATCH);
    }
    // For another service.
    let mut other = Signer::service(&s).of_vectors();
    other.service = "s3";
    refused(&call(&other, "CreateVectorBucket", &body).await, 403, "SignatureDoesNotMatch", MISMATCH);
    for minutes in [-16, 16] {
        let mut late = Signer::service(&s).of_vectors();
        late.skew = Duration::minutes(minutes);
        assert_eq!(call(&late, "CreateVectorBucket", &body).await.is(403).json()["code"], "RequestTimeTooSkewed");
    }
    // A body that differs from the signed one, with and without its own hash, and a header that the signature does not cover.
    let signer = Signer::service(&s).of_vectors();
    let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let (request, ..) = signer.signed(Method::POST, "CreateVectorBucket", &[], &[], hash);
    let answer = request.body(body.to_string()).header("content-type", "application/json").await;
    assert!(answer.is(400).body.contains("x-amz-content-sha256"));
    let (request, ..) = signer.signed(Method::POST, "CreateVectorBucket", &[], &[], "UNSIGNED-PAYLOAD");
    let request = request.body(body.to_string()).header("content-type", "application/json");
    assert!(request.header("x-amz-meta-a", "b").await.is(403).body.contains("not signed"));
    for authorization in ["AWS4-HMAC-SHA256 x", "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=0"] {
        let request =
            s.request(Method::POST, "/storage/v1/vector/ListVectorBuckets").header("authorization", authorization);
        assert_eq!(request.json(&json!({})).await.is(400).json()["code"], "InvalidSignature", "{authorization}");
    }
    // None of these requests has created the bucket.
    let listed = call(&signer, "ListVectorBuckets", &json!({})).await.is(200).json();
    assert_eq!(listed, json!({ "vectorBuckets": [] }));
}

#[tokio::test]
async fn a_session_counts_only_for_an_administrator() {
    let Some(s) = started(&[KEYS[0], KEYS[1]]).await else { return };
    let user = s.signed_up("signer@example.com").await;
    let answer = call(&Signer::session(&s, &user).of_vectors(), "ListVectorBuckets", &json!({})).await;
    let denied = answer.is(403).json();
    assert_eq!((&denied["message"], &denied["code"]), (&json!("Access denied: Invalid role"), &json!("AccessDenied")));
    let service = Signer::of(&s.url, "stub", &s.anon_key, Some(&s.service_role_key)).of_vectors();
    call(&service, "ListVectorBuckets", &json!({})).await.is(200);
}
