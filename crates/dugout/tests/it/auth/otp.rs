//! `POST /otp` and `POST /magiclink`

use serde_json::json;

use super::{fragment, refused};
use crate::kit::{Calls, PASSWORD, Server};

const OTP: &str = "/auth/v1/otp";

#[tokio::test]
async fn a_new_user_confirms_and_an_existing_user_signs_in() {
    let (s, mails) = Server::with_mails(&[]).await;
    let body = json!({ "email": "ana@x.test", "data": { "name": "Ana" } });
    assert_eq!(s.post(OTP, body).await.is(200).json(), json!({}));
    let mail = mails.to("ana@x.test").await;
    assert!(mail.link().contains("type=signup"), "{}", mail.link());
    let verify = |kind: &str, code: &str| {
        s.post("/auth/v1/verify", json!({ "type": kind, "email": "ana@x.test", "token": code }))
    };
    let session = verify("email", &mail.code()).await.is(200).json();
    assert_eq!(session["user"]["user_metadata"]["name"], "Ana");
    assert_eq!(session["user"]["app_metadata"], json!({ "provider": "email", "providers": ["email"] }));

    s.post("/auth/v1/magiclink", json!({ "email": "ana@x.test" })).await.is(200);
    let mail = mails.to("ana@x.test").await;
    assert!(mail.link().contains("type=magiclink"), "{}", mail.link());
    let signed_in = fragment(&s.get(&mail.path()).await.is(303));
    assert_eq!(signed_in["type"], "magiclink");
    s.post(OTP, json!({ "email": "ana@x.test" })).await.is(200);
    verify("email", &mails.to("ana@x.test").await.code()).await.is(200);
    // The user has no password yet, so every password is wrong.
    let body = json!({ "email": "ana@x.test", "password": "" });
    s.post("/auth/v1/token?grant_type=password", body).await.is(400);
}

#[tokio::test]
async fn with_autoconfirm_a_new_user_gets_a_sign_in_link() {
    let (s, mails) = Server::with_mails(&[("GOTRUE_MAILER_AUTOCONFIRM", "true")]).await;
    s.post(OTP, json!({ "email": "ana@x.test" })).await.is(200);
    let mail = mails.to("ana@x.test").await;
    assert!(mail.link().contains("type=magiclink"), "{}", mail.link());
    let db = s.database.connect().await;
    let sessions: i64 = db.query_one("select count(*) from auth.sessions", &[]).await.unwrap().get(0);
    assert_eq!(sessions, 0);
    assert!(fragment(&s.get(&mail.path()).await).contains_key("access_token"));
}

#[tokio::test]
async fn frequent_requests_are_refused_with_the_seconds_left() {
    let (s, mails) = Server::with_mails(&[("GOTRUE_SMTP_MAX_FREQUENCY", "60s")]).await;
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    s.get(&mails.to("ana@x.test").await.path()).await.is(303);
    s.post(OTP, json!({ "email": "ana@x.test" })).await.is(200);
    let soon = s.post(OTP, json!({ "email": "ana@x.test" })).await.is(429);
    let message = soon.json()["msg"].as_str().unwrap().to_owned();
    assert!(message.starts_with("For security purposes, you can only request this after 5"), "{message}");
    s.clock.advance(chrono::TimeDelta::seconds(61));
    s.post(OTP, json!({ "email": "ana@x.test" })).await.is(200);
}

#[tokio::test]
async fn refusals_match_gotrue() {
    let (s, _) = Server::with_mails(&[]).await;
    let v = "validation_failed";
    for (body, status, code, message) in [
        (json!({}), 400, v, "One of email or phone must be set"),
        (
            json!({ "email": "a@x.test", "phone": "1" }),
            400,
            v,
            "Only an email address or phone number should be provided",
        ),
        (json!({ "email": "a@x.test", "channel": "sms" }), 400, v, "Channel should only be specified with Phone OTP"),
        (
            json!({ "email": "a@x.test", "code_challenge": "x" }),
            400,
            v,
            "PKCE flow requires code_challenge_method and code_challenge",
        ),
        (json!({ "email": "a@x.test", "create_user": false }), 422, "otp_disabled", "Signups not allowed for otp"),
        (json!({ "phone": "4912345678" }), 400, "phone_provider_disabled", "Unsupported phone provider"),
        (
            json!({ "email": "a@x.test", "create_user": 1 }),
            400,
            "bad_json",
            "Could not parse request body as JSON: json: cannot unmarshal number into Go struct field OtpParams.create_user of type bool",
        ),
    ] {
        refused(&s.post(OTP, body).await, status, code, message);
    }
    let missing = s.post("/auth/v1/magiclink", json!({})).await;
    refused(&missing, 422, v, "Password recovery requires an email");
    let (s, _) = Server::with_mails(&[("GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED", "false")]).await;
    let off = s.post(OTP, json!({ "email": "a@x.test" })).await;
    refused(&off, 422, "email_provider_disabled", "Login with magic link is disabled");
    let (s, _) = Server::with_mails(&[("GOTRUE_DISABLE_SIGNUP", "true")]).await;
    let closed = s.post(OTP, json!({ "email": "a@x.test" })).await;
    refused(&closed, 422, "signup_disabled", "Signups not allowed for this instance");
}

#[tokio::test]
async fn magiclink_reads_only_the_first_json_value_of_the_body() {
    let s = Server::start().await;
    let ask = |body: &str| s.post("/auth/v1/magiclink", json!({})).body(body.to_owned());
    ask(r#"{"email":"ana@x.test"} and more"#).await.is(200);
    for (body, reason) in [("", "EOF"), (r#"{"email":"#, "unexpected EOF")] {
        refused(&ask(body).await, 400, "bad_json", &format!("Could not read verification params: {reason}"));
    }
}
