//! Addresses that cannot receive mail.

use serde_json::json;

use super::refused;
use crate::kit::{Calls, HttpCatcher, PASSWORD, Saying, Server};

#[tokio::test]
async fn impossible_addresses_are_refused_if_configured() {
    let (s, mails) = Server::with_mails(&[("GOTRUE_MAILER_EMAIL_VALIDATION_EXTENDED", "true")]).await;
    let sign_up = |email: &str| s.post("/auth/v1/signup", json!({ "email": email, "password": PASSWORD }));
    for email in ["test@gmail.com", "a@example.com", "short@gmail.com", "ana@x.test"] {
        let said = format!("Email address \"{email}\" is invalid");
        refused(&sign_up(email).await, 400, "email_address_invalid", &said);
    }
    let count: i64 = s.database.connect().await.query_one("select count(*) from auth.users", &[]).await.unwrap().get(0);
    assert_eq!((count, mails.unread()), (0, 0));
    // A host that needs no DNS lookup.
    sign_up("somebody@gmail.com").await.is(200);
}

#[tokio::test]
async fn a_validation_service_is_asked_and_its_failure_accepts() {
    let service = HttpCatcher::saying(Saying::json(200, &json!({ "valid": false })));
    let (s, _mails) = Server::with_mails(&[
        ("GOTRUE_MAILER_EMAIL_VALIDATION_SERVICE_URL", &format!("{}/check", service.url)),
        ("GOTRUE_MAILER_EMAIL_VALIDATION_SERVICE_HEADERS", r#"{"apikey":["geheim"]}"#),
    ])
    .await;
    let sign_up = || s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD }));
    refused(&sign_up().await, 400, "email_address_invalid", "Email address \"ana@x.test\" is invalid");
    let [asked] = service.caught().try_into().expect("one question");
    assert_eq!((asked.line.as_str(), asked.header("apikey")), ("POST /check", "geheim"));
    assert_eq!(asked.json(), json!({ "email": "ana@x.test" }));
    for (status, body) in [(500, json!({ "valid": false })), (200, json!({})), (200, json!({ "valid": true }))] {
        service.answers_at("", Saying::json(status, &body));
        sign_up().await.is(200);
    }
}
