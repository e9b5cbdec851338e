//! `POST /recover` and `POST /resend`

use serde_json::json;

use super::{fragment, refused};
use crate::kit::{Calls, PASSWORD, Server};

const RECOVER: &str = "/auth/v1/recover";
const RESEND: &str = "/auth/v1/resend";

#[tokio::test]
async fn a_forgotten_password_is_replaced() {
    let (s, mails) = Server::with_mails(&[
        ("GOTRUE_MAILER_AUTOCONFIRM", "true"),
        ("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", "true"),
    ])
    .await;
    s.signed_up("ana@x.test").await;
    let answer = s.post(&format!("{RECOVER}?redirect_to=https://app.test/new"), json!({ "email": "ana@x.test" })).await;
    assert_eq!(answer.is(200).json(), json!({}));
    let mail = mails.to("ana@x.test").await;
    assert_eq!(mail.subject, "Choose a new password");
    let session = fragment(&s.get(&mail.path()).await.is(303));
    assert_eq!(session["type"], "recovery");
    let change = s.put("/auth/v1/user", json!({ "password": "quite another one" }));
    change.bearer(&session["access_token"]).await.is(200);
    let body = json!({ "email": "ana@x.test", "password": "quite another one" });
    s.post("/auth/v1/token?grant_type=password", body).await.is(200);
}

#[tokio::test]
async fn refusals_match_gotrue() {
    let (s, _) = Server::with_mails(&[]).await;
    let missing = "Password recovery requires an email";
    refused(&s.post(RECOVER, json!({})).await, 400, "validation_failed", missing);
    let invalid = "Unable to validate email address: invalid format";
    refused(&s.post(RECOVER, json!({ "email": "x" })).await, 400, "validation_failed", invalid);
    for (body, message) in [
        (json!({}), "Missing one of these types: signup, email_change, sms, phone_change"),
        (json!({ "type": "recovery" }), "Missing one of these types: signup, email_change, sms, phone_change"),
        (json!({ "type": "signup" }), "Type provided requires an email address"),
        (json!({ "type": "sms" }), "Type provided requires a phone number"),
        (json!({ "type": "email_change" }), "Missing email address or phone number"),
        (
            json!({ "type": "signup", "email": "a@x.test", "phone": "123456" }),
            "Only an email address or phone number should be provided.",
        ),
    ] {
        refused(&s.post(RESEND, body).await, 400, "validation_failed", message);
    }
    let phone = json!({ "type": "sms", "phone": "4912345678" });
    refused(&s.post(RESEND, phone).await, 400, "phone_provider_disabled", "Phone logins are disabled");
}

#[tokio::test]
async fn confirmations_are_resent() {
    let (s, mails) = Server::with_mails(&[]).await;
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    let first = mails.to("ana@x.test").await;
    s.post(RESEND, json!({ "type": "signup", "email": "ana@x.test" })).await.is(200);
    let second = mails.to("ana@x.test").await;
    assert_ne!(first.token(), second.token());
    assert_eq!(fragment(&s.get(&first.path()).await)["error_code"], "otp_expired");
    let session = fragment(&s.get(&second.path()).await);
    s.post(RESEND, json!({ "type": "signup", "email": "ana@x.test" })).await.is(200);
    s.post(RESEND, json!({ "type": "email_change", "email": "ana@x.test" })).await.is(200);
    let change = s.put("/auth/v1/user", json!({ "email": "new@x.test" })).bearer(&session["access_token"]);
    change.await.is(200);
    let before = (mails.to("ana@x.test").await.token(), mails.to("new@x.test").await.token());
    s.post(RESEND, json!({ "type": "email_change", "email": "ana@x.test" })).await.is(200);
    let after = (mails.to("ana@x.test").await.token(), mails.to("new@x.test").await.token());
    assert!(before.0 != after.0 && before.1 != after.1);
    assert_eq!(mails.unread(), 0, "a confirmed user gets no mail");
}
