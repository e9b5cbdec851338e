//! Uploads from browsers, with a signed policy.

use chrono::{Duration, Utc};
use serde_json::{Value, json};

use super::signer::{Signer, element, post_form};
use super::{refused, started};

fn policy(seconds: i64, more: &[Value]) -> Value {
    let expiration = (Utc::now() + Duration::seconds(seconds)).to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    let mut conditions = vec![json!({ "bucket": "b" }), json!(["starts-with", "$key", "user/"])];
    conditions.extend_from_slice(more);
    json!({ "expiration": expiration, "conditions": conditions })
}

#[tokio::test]
async fn a_form_does_what_its_policy_says() {
    let (s, signer) = started().await;
    let more = [
        json!(["starts-with", "$Content-Type", "text/"]),
        json!({ "x-amz-meta-a": "1" }),
        json!(["content-length-range", 3, 5]),
    ];
    let fields = [("key", "user/a.txt"), ("Content-Type", "text/plain"), ("X-Amz-Meta-A", "1")];
    let form = |seconds, fields: &[(&str, &str)]| signer.form(&policy(seconds, &more), fields);
    post_form(&s, "b", &form(60, &fields), b"hello").await.is(200);
    let read = signer.get("b/user/a.txt").await.is(200);
    assert_eq!((read.body.as_str(), read.header("content-type")), ("hello", "text/plain"));
    assert_eq!(read.header("x-amz-meta-a"), "1");

    refused(
        &post_form(&s, "b", &form(-1, &fields), b"abc").await,
        400,
        "ExpiredToken",
        "The provided token has expired.",
    );
    let longer = post_form(&s, "b", &form(60, &fields), b"hello!").await;
    refused(&longer, 413, "EntityTooLarge", "The object exceeded the maximum allowed size");
    let shorter = post_form(&s, "b", &form(60, &fields), b"ab").await;
    assert_eq!((shorter.status, element(&shorter, "Code")), (400, "EntityTooSmall"));
    let elsewhere = [("key", "other/a.txt"), fields[1], fields[2]];
    assert_eq!(post_form(&s, "b", &form(60, &elsewhere), b"abc").await.status, 403);
    let uncovered = [fields[0], fields[1], fields[2], ("x-amz-meta-b", "2")];
    assert_eq!(post_form(&s, "b", &form(60, &uncovered), b"abc").await.status, 403);
    // A policy for one bucket opens no other one.
    signer.put("c", b"").await.is(200);
    assert_eq!(post_form(&s, "c", &form(60, &fields), b"abc").await.status, 403);
    let mut twice = form(60, &fields);
    twice.push(("KEY".to_owned(), "user/b.txt".to_owned()));
    refused(
        &post_form(&s, "b", &twice, b"abc").await,
        400,
        "InvalidSignature",
        "Duplicate form field in POST policy request",
    );
    let mut changed = form(60, &fields);
    let other = signer.form(&policy(9999, &more), &fields);
    let at = changed.iter().position(|(name, _)| name == "Policy").unwrap();
    changed[at].1 = other[at].1.clone();
    let changed = post_form(&s, "b", &changed, b"abc").await;
    assert_eq!((changed.status, element(&changed, "Code")), (403, "SignatureDoesNotMatch"));
    refused(&post_form(&s, "b", &[], b"abc").await, 403, "AccessDenied", "Missing signature");
    let mut long = form(60, &fields);
    long.push(("x-ignore-a".to_owned(), "x".repeat(64 * 1024)));
    assert_eq!(post_form(&s, "b", &long, b"abc").await.status, 413);
    assert_eq!(signer.get("b/user/a.txt").await.is(200).body, "hello");
}

#[tokio::test]
async fn a_form_of_a_user_is_theirs() {
    let (s, _) = started().await;
    let policies = "create policy own on storage.objects for all to authenticated
        using (owner_id = auth.uid()::text) with check (owner_id = auth.uid()::text and name like 'user/a%')";
    s.database.connect().await.batch_execute(policies).await.unwrap();
    let ana = s.signed_up("ana@form.test").await;
    let signer = Signer::session(&s, &ana);
    let form = |key: &str| signer.form(&policy(60, &[]), &[("key", key)]);
    post_form(&s, "b", &form("user/a"), b"x").await.is(200);
    assert_eq!(post_form(&s, "b", &form("user/b"), b"x").await.status, 403);
    assert_eq!(signer.get("b/user/a").await.is(200).header("content-type"), "application/octet-stream");
}
