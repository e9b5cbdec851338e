//! A banned user gets no token by any sign-in method, and administrators see the ban.

use reqwest::Method;
use serde_json::{Value, json};

use super::{pairs, refused};
use crate::kit::{Answer, Calls, PASSWORD, Server};

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

async fn ban(s: &Server, id: &str, duration: &str) -> Answer {
    let path = format!("/auth/v1/admin/users/{id}");
    s.as_service(Method::PUT, &path).json(&json!({ "ban_duration": duration })).await.is(200)
}

async fn grant(s: &Server, kind: &str, body: Value) -> Answer {
    s.post(&format!("/auth/v1/token?grant_type={kind}"), body).await
}

#[tokio::test]
async fn no_sign_in_method_works_during_a_ban() {
    let (s, mails) = Server::with_mails(&[("GOTRUE_MAILER_AUTOCONFIRM", "true")]).await;
    let ana = s.signed_up("ana@x.test").await;
    let otp = json!({ "email": "ana@x.test", "code_challenge": CHALLENGE, "code_challenge_method": "s256" });
    s.post("/auth/v1/otp", otp).await.is(200);
    let followed = s.get(&mails.to("ana@x.test").await.path()).await.is(303);
    let code = pairs(followed.header("location").split_once('?').unwrap().1)["code"].clone();
    s.post("/auth/v1/otp", json!({ "email": "ana@x.test" })).await.is(200);
    let mail = mails.to("ana@x.test").await;
    let banned = ban(&s, &ana.id, "1h").await.json();
    assert!(banned["banned_until"].is_string(), "{banned}");
    let listed = s.as_service(Method::GET, "/auth/v1/admin/users").await.is(200).json();
    assert_eq!(listed["users"][0]["banned_until"], banned["banned_until"]);

    let (right, wrong) = ([PASSWORD, "User is banned"], ["wrong", "Invalid login credentials"]);
    for ([password, message], code) in [(right, "user_banned"), (wrong, "invalid_credentials")] {
        let body = json!({ "email": "ana@x.test", "password": password });
        refused(&grant(&s, "password", body).await, 400, code, message);
    }
    let refresh = json!({ "refresh_token": ana.refresh_token });
    let message = "Invalid Refresh Token: User Banned";
    refused(&grant(&s, "refresh_token", refresh.clone()).await, 400, "user_banned", message);
    let trade = json!({ "auth_code": code, "code_verifier": VERIFIER });
    refused(&grant(&s, "pkce", trade.clone()).await, 400, "user_banned", "User is banned");
    let verify = json!({ "type": "magiclink", "email": "ana@x.test", "token": mail.code() });
    refused(&s.post("/auth/v1/verify", verify).await, 403, "user_banned", "User is banned");
    for (method, path) in [
        (Method::GET, "/auth/v1/user"),
        (Method::PUT, "/auth/v1/user"),
        (Method::GET, "/auth/v1/reauthenticate"),
        (Method::POST, "/auth/v1/logout"),
    ] {
        let answer = ana.request(method, path).json(&json!({})).await;
        refused(&answer, 403, "user_banned", "User is banned");
    }

    ban(&s, &ana.id, "none").await;
    ana.get("/auth/v1/user").await.is(200);
    grant(&s, "pkce", trade).await.is(200);
    grant(&s, "refresh_token", refresh).await.is(200);
}

#[tokio::test]
async fn a_ban_expires() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    ban(&s, &ana.id, "10m").await;
    ana.get("/auth/v1/user").await.is(403);
    s.clock.advance(chrono::TimeDelta::minutes(10));
    ana.get("/auth/v1/user").await.is(200);
}

#[tokio::test]
async fn signing_up_again_does_not_bypass_a_ban() {
    let s = Server::start().await;
    let body = json!({ "email": "ana@x.test", "ban_duration": "1h" });
    s.as_service(Method::POST, "/auth/v1/admin/users").json(&body).await.is(200);
    let again = s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await;
    refused(&again, 403, "user_banned", "User is banned");
}
