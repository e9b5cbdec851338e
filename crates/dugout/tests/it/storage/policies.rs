//! Reads of objects whose row policies write or are slow, and reads after another server has changed them.

use reqwest::Method;
use serde_json::json;

use crate::kit::{Calls, Database, Server, User};

/// Pool sizes with which storage reads objects in transactions, on a lane without a shared connection, and on one with.
const POOLS: [&str; 3] = ["8", "10", "20"];

/// A server with a private bucket and an object, whose row policy is `policy`.
async fn with_policy(pool: &str, policy: &str) -> (Server, User) {
    let s = Server::with(&[("DUGOUT_DB_POOL", pool)]).await;
    let service = |method, path: &str| s.as_service(method, &format!("/storage/v1{path}"));
    service(Method::POST, "/bucket").json(&json!({ "name": "b" })).await.is(200);
    service(Method::POST, "/object/b/a.txt").header("content-type", "text/plain").body("hello").await.is(200);
    s.database.connect().await.batch_execute(policy).await.unwrap();
    let user = s.signed_up("reader@example.com").await;
    (s, user)
}

#[tokio::test]
async fn a_policy_may_write_while_an_object_is_read() {
    let policy = "create table public.reads (path text);
         create function public.note() returns boolean language plpgsql security definer as $$ begin
           insert into public.reads values (current_setting('request.path')); return true; end $$;
         create policy noted on storage.objects for select to authenticated using (public.note())";
    for pool in POOLS {
        let (s, user) = with_policy(pool, policy).await;
        for _ in 0..10 {
            let answer = user.request(Method::GET, "/storage/v1/object/authenticated/b/a.txt").await;
            assert_eq!(answer.is(200).body, "hello", "{pool}");
        }
        let rows = s.database.connect().await.query("select path from public.reads", &[]).await.unwrap();
        assert_eq!(rows.len(), 10, "each read is noted once, with {pool}");
        assert_eq!(rows[0].get::<_, String>(0), "/storage/v1/object/authenticated/b/a.txt");
    }
}

#[tokio::test]
async fn a_slow_policy_is_waited_for_and_sees_the_operation() {
    let policy = "create policy slow on storage.objects for select to authenticated
           using ((select pg_sleep(0.15)) is not null and storage.operation() = 'storage.object.get_authenticated')";
    for pool in POOLS {
        let (_s, user) = with_policy(pool, policy).await;
        let path = "/storage/v1/object/b/a.txt";
        for _ in 0..3 {
            assert_eq!(user.request(Method::GET, path).await.is(200).body, "hello", "{pool}");
        }
        assert_eq!(user.request(Method::HEAD, path).await.status, 400, "another operation, with {pool}");
    }
}

#[tokio::test]
async fn an_object_that_another_server_deleted_is_gone_at_the_next_read() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [("STORAGE_FILE_BACKEND_PATH", folder.path().to_str().unwrap()), ("DUGOUT_DB_POOL", "20")];
    let s = Server::with(&settings).await;
    let other = Server::over(Database::shared(&s.database), &settings).await;
    let service = |s: &Server, method, path: &str| s.as_service(method, &format!("/storage/v1{path}"));
    service(&s, Method::POST, "/bucket").json(&json!({ "name": "b", "public": true })).await.is(200);
    let public = "/storage/v1/object/public/b/a.txt";
    for round in 0..5 {
        let text = format!("round {round}");
        service(&s, Method::PUT, "/object/b/a.txt").body(text.clone()).await.is(200);
        assert_eq!(s.request(Method::GET, public).await.is(200).body, text);
        assert_eq!(other.request(Method::GET, public).await.is(200).body, text);
        service(&other, Method::DELETE, "/object/b/a.txt").await.is(200);
        for s in [&s, &other] {
            assert_eq!(s.request(Method::GET, public).await.is(400).json()["code"], "NoSuchKey");
        }
    }
    service(&other, Method::PUT, "/bucket/b").json(&json!({ "public": false })).await.is(200);
    assert_eq!(s.request(Method::GET, public).await.is(400).json()["code"], "NoSuchBucket");
}
