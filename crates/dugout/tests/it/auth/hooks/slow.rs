//! A slow HTTP hook must not block the database for other requests. These tests use a pool of two connections and more
//! requests than that.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{at, receiver};
use crate::kit::{Answer, AuthProcess, Calls, HttpCatcher, PASSWORD, Saying};

/// Longer than everything else here, and within the hook's time limit.
const SLOW: Duration = Duration::from_millis(4500);

async fn start(hook: &str, catcher: &HttpCatcher, more: &[(&str, &str)]) -> Arc<AuthProcess> {
    let settings = at(hook, &catcher.url);
    let settings = settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let pool = ("GOTRUE_DB_MAX_POOL_SIZE", "2");
    let all: Vec<(&str, &str)> = settings.chain([pool]).chain(more.iter().copied()).collect();
    Arc::new(AuthProcess::start(&all).await)
}

async fn sign_in(s: &AuthProcess, password: &str) -> Answer {
    s.post("/token?grant_type=password", json!({ "email": "ana@x.test", "password": password })).await
}

/// Waits until the hook was called `times` times.
async fn called(catcher: &HttpCatcher, times: usize) {
    let (begun, mut caught) = (Instant::now(), catcher.caught().len());
    while caught < times {
        assert!(begun.elapsed() < Duration::from_secs(20), "{caught} calls instead of {times}");
        tokio::time::sleep(Duration::from_millis(10)).await;
        caught += catcher.caught().len();
    }
}

#[tokio::test]
async fn sign_ins_wait_for_a_slow_hook_without_a_connection() {
    let catcher = receiver();
    let s = start("custom_access_token", &catcher, &[]).await;
    let refusal = json!({ "error": { "http_code": 403, "message": "not today" } });
    let claims = json!({
        "aud": "authenticated", "exp": 4_000_000_000_u64, "iat": 1, "sub": "s", "email": "", "phone": "", "role": "r",
        "aal": "aal1", "session_id": "i", "is_anonymous": false,
    });
    catcher.answers_at("", Saying::json(200, &json!({ "claims": claims })));
    s.post("/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    catcher.caught();
    catcher.answers_at("", Saying::json(200, &refusal).after(SLOW));
    let waiting: Vec<_> = (0..4)
        .map(|_| {
            let s = s.clone();
            tokio::spawn(async move { sign_in(&s, PASSWORD).await })
        })
        .collect();
    // More requests wait for the hook than there are connections, and others still get one.
    called(&catcher, 3).await;
    sign_in(&s, "wrong password").await.is(400);
    assert!(!waiting.iter().any(|one| one.is_finished()), "the others waited for the hook");
    for one in waiting {
        assert_eq!(one.await.unwrap().is(403).json()["msg"], "not today");
    }
    let db = s.database.connect().await;
    let sessions: i64 = db.query_one("select count(*) from auth.sessions", &[]).await.unwrap().get(0);
    assert_eq!(sessions, 1, "only the session of the sign-up is left");
}

#[tokio::test]
async fn a_slow_mail_hook_uses_half_of_the_connections_at_most() {
    let catcher = receiver();
    let s = start("send_email", &catcher, &[("GOTRUE_SMTP_MAX_FREQUENCY", "1ns")]).await;
    for name in ["ana", "bob", "cem"] {
        s.post("/signup", json!({ "email": format!("{name}@x.test"), "password": PASSWORD })).await.is(200);
    }
    catcher.answers_at("", Saying::json(200, &json!({})).after(SLOW));
    let recover = |name: &'static str| {
        let s = s.clone();
        tokio::spawn(async move { s.post("/recover", json!({ "email": format!("{name}@x.test") })).await })
    };
    let first = recover("ana");
    called(&catcher, 1).await;
    // An address without an account is refused in the same way: the limit must not reveal accounts.
    for name in ["bob", "cem", "nobody"] {
        let answer = recover(name).await.unwrap().is(429);
        assert_eq!(answer.header("retry-after"), "1");
    }
    assert!(!first.is_finished(), "the others waited for the hook");
    first.await.unwrap().is(200);
}

#[tokio::test]
async fn second_factors_wait_for_a_slow_hook_without_a_connection() {
    let catcher = receiver();
    let settings = [
        ("GOTRUE_MFA_PHONE_ENROLL_ENABLED", "true"),
        ("GOTRUE_MFA_PHONE_VERIFY_ENABLED", "true"),
        ("GOTRUE_MFA_PHONE_MAX_FREQUENCY", "1h"),
    ];
    let s = start("send_sms", &catcher, &settings).await;
    let mut challenges = Vec::new();
    for (name, phone) in [("ana", "4911111111"), ("bob", "4922222222"), ("cem", "4933333333")] {
        let body = json!({ "email": format!("{name}@x.test"), "password": PASSWORD });
        let token = s.post("/signup", body).await.is(200).json()["access_token"].as_str().unwrap().to_owned();
        let body = json!({ "factor_type": "phone", "phone": phone, "friendly_name": name });
        let factor = s.post("/factors", body).bearer(&token).await.is(200).json();
        challenges.push((format!("/factors/{}/challenge", factor["id"].as_str().unwrap()), token));
    }
    let refusal = json!({ "error": { "http_code": 403, "message": "no credit" } });
    catcher.answers_at("", Saying::json(200, &refusal).after(SLOW));
    let ask = |(path, token): &(String, String)| s.post(path, json!({})).bearer(token);
    let waiting: Vec<_> = challenges.iter().map(|one| tokio::spawn(ask(one).into_future())).collect();
    called(&catcher, 3).await;
    sign_in(&s, "wrong password").await.is(400);
    assert!(!waiting.iter().any(|one| one.is_finished()), "the others waited for the hook");
    for one in waiting {
        assert_eq!(one.await.unwrap().is(500).json()["msg"], "error invoking hook");
    }
    // A refused message is not recorded, so the next one need not wait an hour.
    catcher.answers_at("", Saying::json(200, &json!({})));
    ask(&challenges[0]).await.is(200);
    ask(&challenges[0]).await.is(429);
    let db = s.database.connect().await;
    let stored: i64 = db.query_one("select count(*) from auth.mfa_challenges", &[]).await.unwrap().get(0);
    assert_eq!(stored, 1);
}
