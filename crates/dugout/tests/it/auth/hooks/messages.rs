//! `send-email` and `send-sms`: hooks that send messages.

use reqwest::Method;
use serde_json::{Value, json};

use super::{at, database, in_database, one, receiver, seen, server, server_over, users};
use crate::kit::{Calls, PASSWORD, Saying};

const CONFIRMED: [(&str, &str); 3] = [
    ("GOTRUE_MAILER_AUTOCONFIRM", "false"),
    ("GOTRUE_SITE_URL", "https://app.test"),
    ("GOTRUE_URI_ALLOW_LIST", "https://app.test/**"),
];

#[track_caller]
fn text<'a>(event: &'a Value, name: &str) -> &'a str {
    event["email_data"][name].as_str().unwrap()
}

#[tokio::test]
async fn an_http_hook_sends_every_mail_with_all_data() {
    let hook = receiver();
    let mut settings = CONFIRMED.to_vec();
    settings.push(("GOTRUE_MAILER_NOTIFICATIONS_PASSWORD_CHANGED_ENABLED", "true"));
    settings.push(("GOTRUE_MAILER_NOTIFICATIONS_EMAIL_CHANGED_ENABLED", "true"));
    let s = server(at("send_email", &hook.url), &settings).await;
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    s.post("/auth/v1/signup?redirect_to=https://app.test/in", body).await.is(200);
    let told = one(&hook);
    assert_eq!((&told["metadata"]["name"], &told["user"]["email"]), (&json!("send-email"), &json!("ana@x.test")));
    assert_eq!(text(&told, "email_action_type"), "signup");
    assert_eq!(text(&told, "redirect_to"), "https://app.test/in");
    assert_eq!(text(&told, "site_url"), format!("{}/auth/v1", s.url));
    let keys: Vec<&String> = told["email_data"].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "token",
            "token_hash",
            "redirect_to",
            "email_action_type",
            "site_url",
            "token_new",
            "token_hash_new",
            "old_email",
            "old_phone",
            "provider",
            "factor_type"
        ]
    );
    let verify = |body: Value| s.post("/auth/v1/verify", body);
    let by_code = json!({ "type": "signup", "email": "ana@x.test", "token": text(&told, "token") });
    let session = verify(by_code).await.is(200).json();
    let token = session["access_token"].as_str().unwrap();

    for (path, action, kind) in [("recover", "recovery", "recovery"), ("otp", "magiclink", "magiclink")] {
        s.post(&format!("/auth/v1/{path}"), json!({ "email": "ana@x.test" })).await.is(200);
        let told = one(&hook);
        assert_eq!((text(&told, "email_action_type"), text(&told, "redirect_to")), (action, "https://app.test"));
        verify(json!({ "type": kind, "token_hash": text(&told, "token_hash") })).await.is(200);
    }
    s.as_service(Method::POST, "/auth/v1/invite").json(&json!({ "email": "bob@x.test" })).await.is(200);
    let told = one(&hook);
    assert_eq!(text(&told, "email_action_type"), "invite");
    verify(json!({ "type": "invite", "token_hash": text(&told, "token_hash") })).await.is(200);

    s.get("/auth/v1/reauthenticate").bearer(token).await.is(200);
    assert_eq!(text(&one(&hook), "email_action_type"), "reauthentication");
    s.put("/auth/v1/user", json!({ "password": "another password" })).bearer(token).await.is(200);
    let told = one(&hook);
    assert_eq!((text(&told, "email_action_type"), text(&told, "token")), ("password_changed_notification", ""));

    // A change of address: each code with the hash under the other name.
    s.put("/auth/v1/user", json!({ "email": "new@x.test" })).bearer(token).await.is(200);
    let told = one(&hook);
    assert_eq!((text(&told, "email_action_type"), &told["user"]["new_email"]), ("email_change", &json!("new@x.test")));
    let current = json!({ "type": "email_change", "email": "ana@x.test", "token": text(&told, "token") });
    assert_eq!(verify(current).await.is(200).json()["code"], "200");
    let new = json!({ "type": "email_change", "token_hash": text(&told, "token_hash") });
    assert_ne!(text(&told, "token_hash"), text(&told, "token_hash_new"));
    assert_eq!(verify(new).await.is(200).json()["user"]["email"], "new@x.test");
    let told = one(&hook);
    assert_eq!(
        (text(&told, "email_action_type"), text(&told, "old_email")),
        ("email_changed_notification", "ana@x.test")
    );
}

#[tokio::test]
async fn a_single_confirmation_uses_the_code_of_the_new_address() {
    let hook = receiver();
    let mut settings = CONFIRMED.to_vec();
    settings.push(("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", "false"));
    let s = server(at("send_email", &hook.url), &settings).await;
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    let told = one(&hook);
    let body = json!({ "type": "signup", "token_hash": text(&told, "token_hash") });
    let session = s.post("/auth/v1/verify", body).await.is(200).json();
    let token = session["access_token"].as_str().unwrap();
    s.put("/auth/v1/user", json!({ "email": "new@x.test" })).bearer(token).await.is(200);
    let told = one(&hook);
    assert_eq!((text(&told, "token_new"), text(&told, "token_hash_new")), ("", ""));
    let body = json!({ "type": "email_change", "email": "new@x.test", "token": text(&told, "token") });
    assert_eq!(s.post("/auth/v1/verify", body).await.is(200).json()["user"]["email"], "new@x.test");
}

#[tokio::test]
async fn if_the_hook_fails_nothing_is_recorded() {
    let hook = receiver();
    let s = server(at("send_email", &hook.url), &[CONFIRMED[0], ("GOTRUE_SMTP_MAX_FREQUENCY", "1h")]).await;
    let sign_up = || s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD }));
    hook.answers_at("", Saying::json(200, &json!({ "error": { "http_code": 422, "message": "no such mailbox" } })));
    assert_eq!(sign_up().await.is(422).json()["msg"], "no such mailbox");
    assert_eq!(users(&s).await, 0);
    hook.answers_at("", Saying::json(200, &json!({})));
    sign_up().await.is(200);
    hook.caught();
    // Nothing is sent to an address without an account.
    s.post("/auth/v1/recover", json!({ "email": "nobody@x.test" })).await.is(200);
    assert!(hook.caught().is_empty());
}

#[tokio::test]
async fn an_http_hook_sends_messages_to_phones() {
    let hook = receiver();
    let settings = [
        ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"),
        ("GOTRUE_SMS_AUTOCONFIRM", "false"),
        // The hook replaces a provider that would keep the codes itself.
        ("GOTRUE_SMS_PROVIDER", "twilio_verify"),
        ("GOTRUE_SMS_TWILIO_VERIFY_ACCOUNT_SID", "AC1"),
        ("GOTRUE_SMS_TWILIO_VERIFY_AUTH_TOKEN", "secret"),
        ("GOTRUE_SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID", "VA1"),
        ("GOTRUE_SMS_API_URL", "http://127.0.0.1:1"),
        ("GOTRUE_SMS_TEST_OTP", "4911:123456"),
    ];
    let s = server(at("send_sms", &hook.url), &settings).await;
    s.post("/auth/v1/signup", json!({ "phone": "+4912345678", "password": PASSWORD })).await.is(200);
    let told = one(&hook);
    assert_eq!((&told["metadata"]["name"], &told["user"]["phone"]), (&json!("send-sms"), &json!("4912345678")));
    let otp = told["sms"]["otp"].as_str().unwrap();
    assert_eq!(told["sms"], json!({ "otp": otp, "phone": "4912345678" }));
    let verify = |kind: &str, phone: &str, otp: &str| {
        s.post("/auth/v1/verify", json!({ "type": kind, "phone": phone, "token": otp }))
    };
    let session = verify("sms", "4912345678", otp).await.is(200).json();
    let token = session["access_token"].as_str().unwrap();
    s.put("/auth/v1/user", json!({ "phone": "4987654321" })).bearer(token).await.is(200);
    let told = one(&hook);
    assert_eq!((&told["sms"]["phone"], &told["user"]["new_phone"]), (&json!("4987654321"), &json!("4987654321")));
    verify("phone_change", "4987654321", told["sms"]["otp"].as_str().unwrap()).await.is(200);

    hook.answers_at("", Saying::json(200, &json!({ "error": { "http_code": 429, "message": "no credit" } })));
    let answer = s.post("/auth/v1/otp", json!({ "phone": "4922345678" })).await.is(429).json();
    assert_eq!((&answer["msg"], users(&s).await), (&json!("no credit"), 1));
    hook.caught();
    // A hook may support channels of its own.
    hook.answers_at("", Saying::json(200, &json!({})));
    s.post("/auth/v1/otp", json!({ "phone": "4933345678", "channel": "telegram" })).await.is(200);
    assert_eq!(one(&hook)["sms"]["phone"], "4933345678");
    s.post("/auth/v1/otp", json!({ "phone": "4911" })).await.is(200);
    assert!(hook.caught().is_empty(), "a number for tests");
}

#[tokio::test]
async fn functions_send_mails_and_messages() {
    let note = "begin insert into public.seen values (event); return '{}'; end";
    let mut hooks = in_database("send_email");
    hooks.extend(in_database("send_sms"));
    let settings = [CONFIRMED[0], ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"), ("GOTRUE_SMS_AUTOCONFIRM", "false")];
    let s = server_over(database("jsonb", note).await, hooks, &settings).await;
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    s.post("/auth/v1/signup", json!({ "phone": "4912345678", "password": PASSWORD })).await.is(200);
    let [mail, message] = seen(&s.database).await.try_into().expect("two events");
    let body = json!({ "type": "signup", "email": "ana@x.test", "token": text(&mail, "token") });
    s.post("/auth/v1/verify", body).await.is(200);
    let body = json!({ "type": "sms", "phone": "4912345678", "token": message["sms"]["otp"] });
    s.post("/auth/v1/verify", body).await.is(200);
}
