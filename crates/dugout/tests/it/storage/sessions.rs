//! A token opens nothing once its session has ended.

use reqwest::Method;
use serde_json::json;

use super::s3::signer::Signer;
use crate::kit::{Answer, Calls, Request, Server, User};

/// Everybody who is signed in may do everything.
const POLICY: &str = "create policy everything on storage.objects to authenticated using (true) with check (true)";

async fn started() -> (Server, User, User) {
    let s = Server::start().await;
    for (id, public) in [("private", false), ("public", true)] {
        let bucket = json!({ "id": id, "name": id, "public": public });
        s.as_service(Method::POST, "/storage/v1/bucket").json(&bucket).await.is(200);
        s.as_service(Method::POST, &format!("/storage/v1/object/{id}/a.txt")).body("hello").await.is(200);
    }
    s.database.connect().await.batch_execute(POLICY).await.unwrap();
    let (ana, bea) = (s.signed_up("ana@x.test").await, s.signed_up("bea@x.test").await);
    (s, ana, bea)
}

/// What a token of a session may no longer do.
async fn tries(user: &User) -> Vec<(&'static str, Answer)> {
    let to = |method: Method, path: &str| user.request(method, &format!("/storage/v1/{path}"));
    let upload = to(Method::POST, "upload/resumable").header("tus-resumable", "1.0.0").header("upload-length", "1");
    let names = "bucketName cHJpdmF0ZQ==,objectName Yi50eHQ=";
    vec![
        ("read", to(Method::GET, "object/private/a.txt").await),
        ("read by the longer path", to(Method::GET, "object/authenticated/private/a.txt").await),
        ("read of a header", to(Method::HEAD, "object/info/private/a.txt").await),
        ("write", to(Method::PUT, "object/private/a.txt").body("changed").await),
        ("list", to(Method::POST, "object/list/private").json(&json!({ "prefix": "" })).await),
        ("sign", to(Method::POST, "object/sign/private/a.txt").json(&json!({ "expiresIn": 60 })).await),
        ("begin a resumable upload", upload.header("upload-metadata", names).await),
        ("list buckets", to(Method::GET, "bucket").await),
        ("delete", to(Method::DELETE, "object/private/nothing.txt").await),
    ]
}

#[tokio::test]
async fn after_a_sign_out_its_token_opens_no_file() {
    let (s, ana, bea) = started().await;
    for (what, answer) in tries(&ana).await {
        assert!(!answer.body.contains("session"), "{what}: {}", answer.body);
    }
    ana.post("/auth/v1/logout?scope=local", json!({})).await.is(204);
    // The end is notified: it takes a moment to arrive.
    let begun = std::time::Instant::now();
    while ana.request(Method::GET, "/storage/v1/object/private/a.txt").await.status == 200 {
        assert!(begun.elapsed() < std::time::Duration::from_secs(5), "the token still reads files");
    }
    for (what, answer) in tries(&ana).await {
        assert!(answer.status >= 400, "{what}: {} {}", answer.status, answer.body);
        // On the path that visitors may use, a token that is not valid is no token. A HEAD has no body.
        let is_said =
            ["read", "read of a header"].contains(&what) || answer.body.contains("The session of this token has ended");
        assert!(is_said, "{what}: {}", answer.body);
    }
    let file = s.as_service(Method::GET, "/storage/v1/object/private/a.txt").await.is(200);
    assert_eq!(file.body, "changed", "as it was written before the end");
    // What is public stays so, and others stay signed in.
    ana.request(Method::GET, "/storage/v1/object/public/public/a.txt").await.is(200);
    Request::to_get(&format!("{}/storage/v1/object/public/public/a.txt", s.url)).await.is(200);
    bea.request(Method::GET, "/storage/v1/object/private/a.txt").await.is(200);
}

#[tokio::test]
async fn a_session_that_was_never_seen_here_is_asked_for() {
    let (s, ana, bea) = started().await;
    // Without its triggers the table notifies nobody.
    let end = "set session_replication_role = replica; delete from auth.sessions where user_id = ";
    s.database.connect().await.batch_execute(&format!("{end}'{}'", ana.id)).await.unwrap();
    let answer = ana.request(Method::GET, "/storage/v1/object/authenticated/private/a.txt").await.is(400);
    assert_eq!(answer.json()["message"], "The session of this token has ended");
    bea.request(Method::GET, "/storage/v1/object/private/a.txt").await.is(200);
}

#[tokio::test]
async fn a_session_that_ended_while_nobody_listened_is_asked_for_again() {
    let (s, ana, bea) = started().await;
    let path = "/storage/v1/object/authenticated/private/a.txt";
    ana.request(Method::GET, path).await.is(200);
    let admin = s.database.connect().await;
    let end = "set session_replication_role = replica; delete from auth.sessions where user_id = ";
    admin.batch_execute(&format!("{end}'{}'", ana.id)).await.unwrap();
    ana.request(Method::GET, path).await.is(200);
    let lose = "select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'listen %'";
    let begun = std::time::Instant::now();
    while ana.request(Method::GET, path).await.status == 200 {
        assert!(begun.elapsed() < std::time::Duration::from_secs(30), "the token still reads files");
        admin.query(lose, &[]).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    bea.request(Method::GET, path).await.is(200);
}

#[tokio::test]
async fn s3_refuses_the_token_of_an_ended_session() {
    let (s, ana, bea) = started().await;
    let [of_ana, of_bea] = [&ana, &bea].map(|user| Signer::session(&s, user));
    of_ana.send(Method::GET, "private/a.txt", &[], &[], b"").await.is(200);
    ana.post("/auth/v1/logout?scope=local", json!({})).await.is(204);
    let begun = std::time::Instant::now();
    let refused = loop {
        let answer = of_ana.send(Method::GET, "private/a.txt", &[], &[], b"").await;
        if answer.status != 200 {
            break answer;
        }
        assert!(begun.elapsed() < std::time::Duration::from_secs(5), "the token still reads files");
    };
    assert_eq!(refused.status, 403);
    assert!(refused.body.contains("The session of this token has ended"), "{}", refused.body);
    of_bea.send(Method::GET, "private/a.txt", &[], &[], b"").await.is(200);
}
