//! Leaked passwords.

use serde_json::json;

use super::refused;
use crate::kit::{Calls, HttpCatcher, PASSWORD, Server};

/// The hash of `password1234`, in two parts.
const BEGINNING: &str = "E6B6A";
const REST: &str = "FBD6D76BB5D2041542D7D2E3FAC5BB05593";

async fn server(list: &HttpCatcher, more: &[(&str, &str)]) -> Server {
    let own = [("GOTRUE_PASSWORD_HIBP_ENABLED", "true"), ("GOTRUE_PASSWORD_HIBP_API_URL", list.url.as_str())];
    let all: Vec<(&str, &str)> = own.iter().chain(more).copied().collect();
    Server::with(&all).await
}

#[tokio::test]
async fn a_leaked_password_is_weak_and_is_not_sent_to_the_list() {
    let list = HttpCatcher::start(200, "0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n");
    let s = server(&list, &[("GOTRUE_PASSWORD_HIBP_USER_AGENT", "my app")]).await;
    let sign_up = |email: &str| s.post("/auth/v1/signup", json!({ "email": email, "password": "password1234" }));
    sign_up("ana@x.test").await.is(200);
    let [asked] = list.caught().try_into().expect("one question");
    assert_eq!(
        (asked.line.as_str(), asked.header("user-agent")),
        (format!("GET /range/{BEGINNING}").as_str(), "my app")
    );
    list.answers(200, &format!("0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n{REST}:17\r\n"));
    let weak = sign_up("bob@x.test").await.is(422).json();
    assert_eq!(weak["weak_password"]["reasons"], json!(["pwned"]));
    assert_eq!(weak["msg"], "Password is known to be weak and easy to guess, please choose a different one.");
    // A user who already has such a password can sign in, and is warned.
    let body = json!({ "email": "ana@x.test", "password": "password1234" });
    let session = s.post("/auth/v1/token?grant_type=password", body).await.is(200).json();
    assert_eq!(session["weak_password"]["reasons"], json!(["pwned"]));
    let token = session["access_token"].as_str().unwrap();
    let change = s.put("/auth/v1/user", json!({ "password": "password1234" })).bearer(token).await.is(422).json();
    assert_eq!(change["error_code"], "weak_password");
}

#[tokio::test]
async fn if_the_list_fails_passwords_are_accepted_unless_configured_otherwise() {
    let list = HttpCatcher::start(503, "");
    let open = server(&list, &[]).await;
    open.signed_up("ana@x.test").await;
    let closed = server(&list, &[("GOTRUE_PASSWORD_HIBP_FAIL_CLOSED", "true")]).await;
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    let answer = closed.post("/auth/v1/signup", body.clone()).await.is(500).json();
    assert_eq!(answer["msg"], "Unable to perform password strength check with HaveIBeenPwned.org.");
    list.answers(200, "");
    closed.post("/auth/v1/signup", body.clone()).await.is(200);
    list.answers(503, "");
    // Signing in does not need the list.
    closed.post("/auth/v1/token?grant_type=password", body).await.is(200);
    let wrong = json!({ "email": "ana@x.test", "password": "wrong password" });
    let answer = closed.post("/auth/v1/token?grant_type=password", wrong).await;
    refused(&answer, 400, "invalid_credentials", "Invalid login credentials");
}
