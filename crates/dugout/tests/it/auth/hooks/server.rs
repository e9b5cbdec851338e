//! The meaning of an HTTP hook's answers.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{at, one, receiver, secrets, server, users};
use crate::auth::refused;
use crate::kit::{Answer, Calls, HttpCatcher, PASSWORD, Saying, Server};

async fn sign_up(s: &Server) -> Answer {
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await
}

#[tokio::test]
async fn responses_have_the_same_meaning_as_for_gotrue() {
    let hook = receiver();
    let s = server(at("before_user_created", &hook.url), &[]).await;
    let json = || Saying::json(200, &json!({}));
    let failed = "unexpected_failure";
    let content = "hook_payload_invalid_content_type";
    for (saying, status, code, message) in [
        (Saying::new(400, ""), 500, failed, "Invalid payload sent to hook"),
        (Saying::new(401, ""), 500, failed, "Hook requires authorization token"),
        (Saying::new(418, ""), 500, failed, "Unexpected status code returned from hook: 418"),
        (Saying::new(307, "").header("location", "/x"), 500, failed, "Unexpected status code returned from hook: 307"),
        (Saying::new(503, ""), 500, failed, "Service currently unavailable due to hook"),
        (Saying::new(429, ""), 500, failed, "Service currently unavailable due to hook"),
        (Saying::new(200, "{}"), 400, content, "Invalid Content-Type: Missing Content-Type header"),
        (
            Saying::new(200, "{}").header("content-type", "text/html; charset=utf-8"),
            400,
            content,
            "Invalid JSON response. Received content-type: text/html; charset=utf-8",
        ),
        (
            Saying::new(200, "{").header("content-type", "application/json"),
            500,
            failed,
            "Error unmarshaling JSON output.",
        ),
        (Saying::json(202, &json!([])), 500, failed, "Error unmarshaling JSON output."),
        (
            Saying::json(200, &json!({ "x": "y".repeat(204_800) })),
            422,
            "hook_payload_over_size_limit",
            "Payload size exceeded size limit of 204800 bytes",
        ),
    ] {
        hook.answers_at("", saying.clone());
        let answer = sign_up(&s).await;
        let shape = answer.json();
        assert_eq!((answer.status, &shape["error_code"], &shape["msg"]), (status, &json!(code), &json!(message)));
        assert_eq!(answer.header("x-sb-error-code"), code, "{saying:?}");
        assert_eq!(shape.get("error_id").is_some(), status == 500, "{shape}");
        one(&hook);
    }
    assert_eq!(users(&s).await, 0);
    // An answer of the maximum length and an empty answer are accepted.
    for saying in [Saying::new(204, ""), Saying::json(200, &json!({ "x": "y".repeat(204_792) })), json()] {
        hook.answers_at("", saying);
        let address = format!("{}@x.test", uuid::Uuid::new_v4());
        s.post("/auth/v1/signup", json!({ "email": address, "password": PASSWORD })).await.is(200);
    }
}

#[tokio::test]
async fn a_hook_chooses_status_and_message_of_a_refusal() {
    let hook = receiver();
    let s = server(at("before_user_created", &hook.url), &[]).await;
    let refuse = |error: serde_json::Value| hook.answers_at("", Saying::json(200, &json!({ "error": error })));
    refuse(json!({ "http_code": 403, "message": "not from here" }));
    let answer = sign_up(&s).await;
    assert_eq!((answer.status, answer.header("x-sb-error-code")), (403, ""));
    assert_eq!(answer.json(), json!({ "code": 403, "error_code": "unknown", "msg": "not from here" }));
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    let newer = s.post("/auth/v1/signup", body).header("x-supabase-api-version", "2024-01-01").await.is(403);
    assert_eq!(newer.json(), json!({ "code": "unknown", "message": "not from here" }));
    refuse(json!({ "message": "no" }));
    let answer = sign_up(&s).await.is(500).json();
    assert_eq!((&answer["error_code"], &answer["msg"]), (&json!("unexpected_failure"), &json!("no")));
    assert_eq!(users(&s).await, 0);
    // Without a message it is no refusal.
    refuse(json!({ "http_code": 403 }));
    sign_up(&s).await.is(200);
}

#[tokio::test]
async fn a_hook_with_retry_after_is_called_again() {
    let hook = receiver();
    let s = server(at("before_user_created", &hook.url), &[]).await;
    let later = |status| Saying::new(status, "").header("retry-after", "true");
    hook.answers_once(later(503));
    hook.answers_once(later(429));
    sign_up(&s).await.is(200);
    let caught = hook.caught();
    let ids: std::collections::BTreeSet<&str> = caught.iter().map(|request| request.header("webhook-id")).collect();
    assert_eq!((caught.len(), ids.len()), (3, 3), "each attempt has its own signature");
    hook.answers_at("", later(503));
    let body = json!({ "email": "bob@x.test", "password": PASSWORD });
    let answer = s.post("/auth/v1/signup", body).await.is(500).json();
    assert_eq!((&answer["msg"], hook.caught().len()), (&json!("Service currently unavailable due to hook"), 3));
}

#[tokio::test]
async fn an_http_hook_times_out_after_five_seconds() {
    let hook = HttpCatcher::saying(Saying::json(200, &json!({})).after(Duration::from_secs(7)));
    let s = server(at("before_user_created", &hook.url), &[]).await;
    let started = Instant::now();
    let said = "Failed to reach hook within maximum time of 5.000000 seconds";
    refused(&sign_up(&s).await, 422, "hook_timeout", said);
    assert!((5..7).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());

    let nowhere = format!("http://127.0.0.1:{}", crate::kit::free_port());
    let s = server(at("before_user_created", &nowhere), &[]).await;
    let started = Instant::now();
    refused(&sign_up(&s).await, 422, "hook_timeout_after_retry", "Failed to reach hook after maximum retries");
    assert!((4..6).contains(&started.elapsed().as_secs()), "two waits: {:?}", started.elapsed());
}

#[tokio::test]
async fn errors_and_logs_contain_no_secrets() {
    let hook = HttpCatcher::start(500, "");
    let s = server(at("before_user_created", &hook.url), &[]).await;
    let answer = sign_up(&s).await.is(500);
    let secret = secrets();
    let key = secret.split("whsec_").nth(1).unwrap();
    assert!(!answer.body.contains(&key[..30]) && hook.caught().iter().all(|caught| !caught.body.contains(key)));
}
