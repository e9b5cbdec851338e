//! Vector buckets on pgvector.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Calls, Server, skip};

/// A server, unless PostgreSQL has no pgvector.
pub(super) async fn started(settings: &[(&str, &str)]) -> Option<Server> {
    let s = Server::with(settings).await;
    let sql = "select count(*) from pg_available_extensions where name = 'vector'";
    if s.database.connect().await.query_one(sql, &[]).await.unwrap().get::<_, i64>(0) == 0 {
        skip("vector is missing: run scripts/install.sh");
        return None;
    }
    Some(s)
}

async fn call(s: &Server, operation: &str, body: Value) -> Answer {
    s.as_service(Method::POST, &format!("/storage/v1/vector/{operation}")).json(&body).await
}

#[track_caller]
pub(super) fn refused(answer: &Answer, status: u16, code: &str, message: &str) {
    let error = if message.contains("body/") || message.contains("must have required") { "Error" } else { code };
    let wanted = json!({ "statusCode": status.to_string(), "error": error, "message": message, "code": code });
    assert_eq!((answer.status, answer.json()), (status, wanted));
}

/// A bucket `b` with an index `idx` of two dimensions.
async fn index(s: &Server, metric: &str) {
    assert_eq!(call(s, "CreateVectorBucket", json!({ "vectorBucketName": "b" })).await.is(200).body, "");
    let body = json!({
        "vectorBucketName": "b", "indexName": "idx", "dataType": "float32", "dimension": 2, "distanceMetric": metric,
        "metadataConfiguration": { "nonFilterableMetadataKeys": ["note"] },
    });
    assert_eq!(call(s, "CreateIndex", body).await.is(200).body, "");
}

/// `body` for the index `idx`.
fn at(mut body: Value) -> Value {
    body["vectorBucketName"] = json!("b");
    body["indexName"] = json!("idx");
    body
}

fn keys(answer: &Answer) -> Vec<String> {
    let found = answer.json()["vectors"].as_array().unwrap().clone();
    found.iter().map(|vector| vector["key"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn buckets_and_indexes_are_made_listed_and_deleted() {
    let Some(s) = started(&[("VECTOR_MAX_BUCKETS", "2"), ("VECTOR_MAX_INDEXES", "1")]).await else { return };
    index(&s, "cosine").await;
    let again = call(&s, "CreateVectorBucket", json!({ "vectorBucketName": "b" })).await;
    refused(&again, 409, "ConflictException", "vector bucket \"b\" already exists");
    call(&s, "CreateVectorBucket", json!({ "vectorBucketName": "b2" })).await.is(200);
    let more = call(&s, "CreateVectorBucket", json!({ "vectorBucketName": "b3" })).await;
    let limit = "Maximum number of buckets exceeded. Max allowed is 2. Contact support to increase your limit.";
    refused(&more, 400, "S3VectorMaxBucketsExceeded", limit);
    let page = call(&s, "ListVectorBuckets", json!({ "maxResults": 1, "prefix": "b" })).await.is(200).json();
    assert_eq!((&page["vectorBuckets"][0]["vectorBucketName"], &page["nextToken"]), (&json!("b"), &json!("b")));
    let page = call(&s, "ListVectorBuckets", json!({ "nextToken": "b" })).await.is(200).json();
    assert_eq!((&page["vectorBuckets"][0]["vectorBucketName"], &page["nextToken"]), (&json!("b2"), &Value::Null));
    let got = call(&s, "GetVectorBucket", json!({ "vectorBucketName": "b" })).await.is(200).json();
    assert!(got["vectorBucket"]["creationTime"].as_i64().unwrap() > 1_700_000_000, "{got}");
    let none = call(&s, "GetVectorBucket", json!({ "vectorBucketName": "no" })).await;
    refused(&none, 404, "NotFoundException", "resource \"no\" not found");

    let got = call(&s, "GetIndex", at(json!({}))).await.is(200).json()["index"].clone();
    assert_eq!((&got["dimension"], &got["distanceMetric"]), (&json!(2), &json!("cosine")));
    assert_eq!(got["metadataConfiguration"], json!({ "nonFilterableMetadataKeys": ["note"] }));
    let listed = call(&s, "ListIndexes", json!({ "vectorBucketName": "b" })).await.is(200).json();
    assert_eq!(listed["indexes"][0]["indexName"], "idx");
    let body = |bucket: &str, name: &str, dimension: i64| {
        json!({
            "vectorBucketName": bucket, "indexName": name, "dataType": "float32", "dimension": dimension,
            "distanceMetric": "euclidean",
        })
    };
    let again = call(&s, "CreateIndex", body("b", "idx", 3)).await;
    refused(&again, 409, "ConflictException", "vector index \"idx\" already exists");
    let limit = "Maximum number of indexes exceeded. Max allowed is 1. Contact support to increase your limit.";
    refused(&call(&s, "CreateIndex", body("b", "idx2", 3)).await, 400, "S3VectorMaxIndexesExceeded", limit);
    let long = "dimension must be an integer in [1, 4000] for this vector backend, got: 4001";
    refused(&call(&s, "CreateIndex", body("b2", "idx", 4001)).await, 400, "InvalidParameter", long);
    call(&s, "CreateIndex", body("b2", "idx", 4000)).await.is(200);
    refused(
        &call(&s, "CreateIndex", body("no", "idx", 2)).await,
        404,
        "NotFoundException",
        "resource \"no\" not found",
    );

    let full = call(&s, "DeleteVectorBucket", json!({ "vectorBucketName": "b" })).await;
    refused(&full, 400, "VectorBucketNotEmpty", "Vector Bucket \"b\" not empty");
    call(&s, "DeleteIndex", at(json!({}))).await.is(200);
    refused(&call(&s, "DeleteIndex", at(json!({}))).await, 404, "NotFoundException", "resource \"idx\" not found");
    call(&s, "DeleteVectorBucket", json!({ "vectorBucketName": "b" })).await.is(200);
    let tables = "select count(*) from pg_tables where schemaname = 'storage_vectors'";
    assert_eq!(s.database.connect().await.query_one(tables, &[]).await.unwrap().get::<_, i64>(0), 1);
}

#[tokio::test]
async fn vectors_are_written_found_and_filtered() {
    let Some(s) = started(&[]).await else { return };
    index(&s, "euclidean").await;
    let vector = |key: &str, x: f64, y: f64, metadata: Value| json!({ "key": key, "data": { "float32": [x, y] }, "metadata": metadata });
    let put = async |vectors: Value| call(&s, "PutVectors", at(json!({ "vectors": vectors }))).await;
    put(json!([
        vector("a", 0.0, 0.0, json!({ "group": "x", "n": 2.0, "tags": ["t1", "t2"], "note": "secret" })),
        vector("b", 3.0, 4.0, json!({ "group": "y", "n": 10, "on": true })),
        vector("c", 8.0, 15.0, json!({ "group": "y", "it's": "$1" })),
    ]))
    .await
    .is(200);
    put(json!([vector("a", 0.0, 1.0, json!({ "group": "x", "n": 2.0, "tags": ["t1", "t2"], "note": "secret" }))]))
        .await
        .is(200);
    let found =
        call(&s, "GetVectors", at(json!({ "keys": ["a", "no"], "returnData": true, "returnMetadata": true }))).await;
    let metadata = json!({ "group": "x", "n": 2, "tags": ["t1", "t2"], "note": "secret" });
    let shown = json!({ "key": "a", "data": { "float32": [0, 1] }, "metadata": metadata });
    assert_eq!(found.is(200).json(), json!({ "vectors": [shown] }));

    let near = call(
        &s,
        "QueryVectors",
        at(json!({ "queryVector": { "float32": [0, 0] }, "topK": 2, "returnDistance": true })),
    );
    let near = near.await.is(200).json();
    assert_eq!(near["distanceMetric"], "euclidean");
    assert_eq!(near["vectors"], json!([{ "key": "a", "distance": 1.0 }, { "key": "b", "distance": 5.0 }]));
    for (filter, expected) in [
        (json!({ "group": "y" }), &["b", "c"][..]),
        (json!({ "group": { "$ne": "y" } }), &["a"]),
        (json!({ "n": 2 }), &["a"]),
        (json!({ "n": { "$gt": 2 } }), &["b"]),
        (json!({ "n": { "$gte": 2.0, "$lt": 10.5 } }), &["a", "b"]),
        (json!({ "group": { "$gt": 0 } }), &[]),
        (json!({ "tags": "t2" }), &["a"]),
        (json!({ "tags": { "$nin": ["t2", "t3"] } }), &[]),
        (json!({ "tags": { "$in": ["t2", "t3"] } }), &["a"]),
        (json!({ "on": true }), &["b"]),
        (json!({ "tags": { "$exists": false }, "group": "y" }), &["b", "c"]),
        (json!({ "$or": [{ "group": "x" }, { "$and": [{ "on": true }, { "n": 10 }] }] }), &["a", "b"]),
        (json!({ "it's": "$1" }), &["c"]),
        (json!({ "' or true --": "x" }), &[]),
    ] {
        let body = at(json!({ "queryVector": { "float32": [0, 0] }, "topK": 100, "filter": filter }));
        assert_eq!(keys(&call(&s, "QueryVectors", body).await.is(200)), expected, "{filter}");
    }

    let page = call(&s, "ListVectors", at(json!({ "maxResults": 2 }))).await.is(200);
    assert_eq!((keys(&page), &page.json()["nextToken"]), (vec!["a".to_owned(), "b".to_owned()], &json!("b")));
    let page = call(&s, "ListVectors", at(json!({ "maxResults": 2, "nextToken": "b" }))).await.is(200);
    assert_eq!((keys(&page), page.json().get("nextToken")), (vec!["c".to_owned()], None));
    let mut parts = Vec::new();
    for index in 0..3 {
        parts.extend(keys(
            &call(&s, "ListVectors", at(json!({ "segmentCount": 3, "segmentIndex": index }))).await.is(200),
        ));
    }
    parts.sort();
    assert_eq!(parts, ["a", "b", "c"]);
    call(&s, "DeleteVectors", at(json!({ "keys": ["a", "no"] }))).await.is(200);
    assert_eq!(keys(&call(&s, "ListVectors", at(json!({}))).await.is(200)), ["b", "c"]);
}

#[tokio::test]
async fn bad_vectors_are_refused_in_the_validators_words() {
    let Some(s) = started(&[]).await else { return };
    index(&s, "cosine").await;
    let put = async |vectors: Value| call(&s, "PutVectors", at(json!({ "vectors": vectors }))).await;
    let one = |numbers: Value| json!([{ "key": "k", "data": { "float32": numbers } }]);
    for (vectors, message) in [
        (json!([]), "body/vectors must NOT have fewer than 1 items"),
        (json!([{ "data": { "float32": [1, 2] } }]), "body/vectors/0 must have required property 'key'"),
        (one(json!(["1", 2])), "body/vectors/0/data/float32/0 must be number"),
        (
            json!([{ "key": "x".repeat(1025), "data": { "float32": [1, 2] } }]),
            "body/vectors/0/key must NOT have more than 1024 characters",
        ),
    ] {
        refused(&put(vectors).await, 400, "InvalidRequest", message);
    }
    let twice = json!([{ "key": "k", "data": { "float32": [1, 2] } }, { "key": "k", "data": { "float32": [1, 2] } }]);
    refused(&put(twice).await, 400, "InvalidParameter", "Request must not contain duplicate keys");
    refused(&put(one(json!([1, 2, 3]))).await, 400, "InvalidParameter", "expected 2 dimensions, not 3");
    let large = put(one(json!([1e9, 0]))).await;
    assert_eq!((large.status, large.json()["code"].as_str()), (400, Some("InvalidParameter")), "{}", large.body);
    let with = |metadata: Value| json!([{ "key": "k", "data": { "float32": [1, 2] }, "metadata": metadata }]);
    put(with(json!({ "a": "x".repeat(2048 - 8) }))).await.is(200);
    let long = "Invalid record for key 'k': Filterable metadata must have at most 2048 bytes";
    refused(&put(with(json!({ "a": "x".repeat(2048 - 7) }))).await, 400, "InvalidParameter", long);
    put(with(json!({ "note": "x".repeat(40 * 1024 - 11) }))).await.is(200);
    let long = "Invalid record for key 'k': Total metadata must have at most 40960 bytes";
    refused(&put(with(json!({ "note": "x".repeat(40 * 1024 - 10) }))).await, 400, "InvalidParameter", long);
    let many = |count: usize| (0..count).map(|n| (n.to_string(), json!(n))).collect::<serde_json::Map<_, _>>();
    put(with(json!(many(50)))).await.is(200);
    let long = "Invalid record for key 'k': Metadata must have at most 50 keys";
    refused(&put(with(json!(many(51)))).await, 400, "InvalidParameter", long);

    let query = async |filter: Value| {
        call(&s, "QueryVectors", at(json!({ "queryVector": { "float32": [1, 0] }, "topK": 1, "filter": filter }))).await
    };
    let hidden = "Metadata key \"note\" is configured as non-filterable";
    refused(&query(json!({ "$or": [{ "note": "x" }] })).await, 400, "InvalidParameter", hidden);
    refused(&query(json!({})).await, 400, "InvalidParameter", "Filter must contain at least one clause");
    assert_eq!(query(json!({ "a": { "$regex": "x" } })).await.status, 400);
    for (operation, body, message) in [
        ("CreateVectorBucket", json!({}), "body must have required property 'vectorBucketName'"),
        ("CreateVectorBucket", json!({ "vectorBucketName": 1 }), "body/vectorBucketName must be string"),
        ("ListVectorBuckets", json!({ "maxResults": 501 }), "body/maxResults must be <= 500"),
        ("GetVectors", at(json!({ "keys": vec!["k"; 101] })), "body/keys must NOT have more than 100 items"),
        ("DeleteVectors", at(json!({ "keys": vec!["k"; 501] })), "body/keys must NOT have more than 500 items"),
        ("ListVectors", at(json!({ "maxResults": 1001 })), "body/maxResults must be <= 1000"),
    ] {
        refused(&call(&s, operation, body).await, 400, "InvalidRequest", message);
    }
    let alone = call(&s, "ListVectors", at(json!({ "segmentCount": 2 }))).await;
    refused(&alone, 400, "InvalidParameter", "segmentCount and segmentIndex must be provided together");
}

#[tokio::test]
async fn only_the_service_role_works_with_vectors() {
    let s = Server::start().await;
    let user = s.signed_up("ana@vectors.test").await;
    let post = |request: crate::kit::Request| request.json(&json!({}));
    let denied = post(user.request(Method::POST, "/storage/v1/vector/ListVectorBuckets")).await.is(403).json();
    assert_eq!((&denied["message"], &denied["code"]), (&json!("Access denied: Invalid role"), &json!("AccessDenied")));
    post(s.request(Method::POST, "/storage/v1/vector/ListVectorBuckets")).await.is(403);
    s.as_service(Method::GET, "/storage/v1/vector/ListVectorBuckets").await.is(404);

    // Switched off there is no such route, and without pgvector no such feature.
    let off = Server::with(&[("VECTOR_ENABLED", "false")]).await;
    let gone = call(&off, "ListVectorBuckets", json!({})).await.is(404).json();
    assert_eq!(gone["message"], "Route POST:/vector/ListVectorBuckets not found");
    let sql = "drop function if exists dugout_platform.prepare_vectors()";
    s.database.connect().await.batch_execute(sql).await.unwrap();
    let absent = call(&s, "CreateVectorBucket", json!({ "vectorBucketName": "b" })).await;
    let message = "The feature Vector service not configured is not enabled for this resource";
    refused(&absent, 409, "FeatureNotEnabled", message);
}
