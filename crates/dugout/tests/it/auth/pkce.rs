//! Links that lead back with a code, and `POST /token?grant_type=pkce`

use serde_json::{Value, json};

use super::{claims, pairs, refused};
use crate::kit::{Calls, PASSWORD, Server};

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const TOKEN: &str = "/auth/v1/token?grant_type=pkce";

fn challenged(mut body: Value) -> Value {
    body["code_challenge"] = json!(CHALLENGE);
    body["code_challenge_method"] = json!("S256");
    body
}

#[track_caller]
fn code(location: &str) -> String {
    assert!(!location.contains('#'), "{location}");
    pairs(location.split_once('?').expect("a query").1)["code"].clone()
}

#[tokio::test]
async fn every_mailed_link_redirects_with_a_code_that_works_once() {
    let (s, mails) = Server::with_mails(&[]).await;
    let ana = json!({ "email": "ana@x.test" });
    let sign_up = challenged(json!({ "email": "ana@x.test", "password": PASSWORD }));
    let mut access_token = String::new();
    for (path, body, method, redirect_to) in [
        ("/auth/v1/signup", sign_up, "email/signup", "https://app.test/in?a=1"),
        ("/auth/v1/recover", challenged(ana.clone()), "recovery", "https://app.test"),
        ("/auth/v1/otp", challenged(ana), "magiclink", "myapp://callback"),
    ] {
        let redirect_to: String = url::form_urlencoded::byte_serialize(redirect_to.as_bytes()).collect();
        s.post(&format!("{path}?redirect_to={redirect_to}"), body).await.is(200);
        let mail = mails.to("ana@x.test").await;
        assert!(mail.token().starts_with("pkce_"), "{}", mail.token());
        let answer = s.get(&mail.path()).await.is(303);
        let code = code(answer.header("location"));
        let trade = |verifier: &str| s.post(TOKEN, json!({ "auth_code": code, "code_verifier": verifier }));
        let wrong = "code challenge does not match previously saved code verifier";
        refused(&trade(&"x".repeat(43)).await, 400, "bad_code_verifier", wrong);
        let session = trade(VERIFIER).await.is(200).json();
        access_token = session["access_token"].as_str().unwrap().to_owned();
        assert_eq!(claims(&access_token)["amr"][0]["method"], method);
        let gone = "invalid flow state, no valid flow state found";
        refused(&trade(VERIFIER).await, 404, "flow_state_not_found", gone);
    }
    let change = s.put("/auth/v1/user", challenged(json!({ "email": "new@x.test" }))).bearer(&access_token);
    change.await.is(200);
    let half = s.get(&mails.to("ana@x.test").await.path()).await.is(303);
    let said = "message=Confirmation+link+accepted.+Please+proceed+to+confirm+link+sent+to+the+other+email";
    assert_eq!(half.header("location"), format!("https://app.test?{said}#{said}&sb="));
    let code = code(s.get(&mails.to("new@x.test").await.path()).await.header("location"));
    let session = s.post(TOKEN, json!({ "auth_code": code, "code_verifier": VERIFIER })).await.is(200).json();
    assert_eq!(session["user"]["email"], "new@x.test");
}

#[tokio::test]
async fn codes_expire_and_errors_are_in_query_and_fragment() {
    let (s, mails) = Server::with_mails(&[]).await;
    let body = challenged(json!({ "email": "ana@x.test", "password": PASSWORD }));
    s.post("/auth/v1/signup", body).await.is(200);
    let mail = mails.to("ana@x.test").await;
    // The mail is read late: the code's lifetime starts now.
    s.clock.advance(chrono::TimeDelta::minutes(10));
    let code = code(s.get(&mail.path()).await.is(303).header("location"));
    s.clock.advance(chrono::TimeDelta::seconds(301));
    let late = s.post(TOKEN, json!({ "auth_code": code, "code_verifier": VERIFIER })).await;
    refused(&late, 422, "flow_state_expired", "invalid flow state, flow state has expired");

    let again = s.get(&mail.path()).await.is(303);
    let said = "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired";
    assert_eq!(again.header("location"), format!("https://app.test?{said}#{said}&sb="));
    let empty = s.post(TOKEN, json!({ "auth_code": "x" })).await;
    let message = "invalid request: both auth code and code verifier should be non-empty";
    refused(&empty, 400, "validation_failed", message);
}

#[tokio::test]
async fn of_two_concurrent_exchanges_one_succeeds() {
    let (s, mails) = Server::with_mails(&[]).await;
    let body = challenged(json!({ "email": "ana@x.test", "password": PASSWORD }));
    s.post("/auth/v1/signup", body).await.is(200);
    let code = code(s.get(&mails.to("ana@x.test").await.path()).await.header("location"));
    let trade = || async { s.post(TOKEN, json!({ "auth_code": code, "code_verifier": VERIFIER })).await.status };
    let (one, two) = tokio::join!(trade(), trade());
    assert_eq!(one.min(two), 200);
    assert_eq!(one.max(two), 404);
}
