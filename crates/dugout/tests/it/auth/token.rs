//! `POST /token`

use chrono::TimeDelta;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{claims, refused};
use crate::kit::{Answer, Calls, PASSWORD, Request, Server};

const PASSWORD_GRANT: &str = "/auth/v1/token?grant_type=password";
const REFRESH: &str = "/auth/v1/token?grant_type=refresh_token";
const INVALID: &str = "Invalid login credentials";

fn sign_in(s: &Server, email: &str, password: &str) -> Request {
    s.post(PASSWORD_GRANT, json!({ "email": email, "password": password }))
}

fn refresh(s: &Server, token: &str) -> Request {
    s.post(REFRESH, json!({ "refresh_token": token }))
}

fn child(answer: Answer) -> String {
    answer.is(200).json()["refresh_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_password_starts_a_session() {
    let s = Server::start().await;
    s.signed_up("ana@x.test").await;
    let answer = sign_in(&s, "ANA@x.test", PASSWORD).await;
    insta::assert_snapshot!(answer.wire());
    let row = s
        .database
        .connect()
        .await
        .query_one(
            "select s.aal::text, host(s.ip), a.authentication_method from auth.sessions s
             join auth.mfa_amr_claims a on a.session_id = s.id where s.id = $1::text::uuid",
            &[&answer.header("sb-auth-session-id")],
        )
        .await
        .unwrap();
    let row: (String, String, String) = (row.get(0), row.get(1), row.get(2));
    assert_eq!(row, ("aal1".into(), "127.0.0.1".into(), "password".into()));
}

#[tokio::test]
async fn refusals_match_gotrue() {
    let s = Server::start().await;
    s.signed_up("ana@x.test").await;
    for (path, body, status, code, message) in [
        ("/auth/v1/token", json!({}), 400, "invalid_credentials", "unsupported_grant_type"),
        ("/auth/v1/token?grant_type=other", json!({}), 400, "invalid_credentials", "unsupported_grant_type"),
        (PASSWORD_GRANT, json!({}), 400, "validation_failed", "missing email or phone"),
        (
            PASSWORD_GRANT,
            json!({ "email": "a", "phone": "1" }),
            400,
            "validation_failed",
            "Only an email address or phone number should be provided on login.",
        ),
        (PASSWORD_GRANT, json!({ "phone": "1" }), 422, "phone_provider_disabled", "Phone logins are disabled"),
        (PASSWORD_GRANT, json!({ "email": "ana@x.test", "password": "wrong" }), 400, "invalid_credentials", INVALID),
        (PASSWORD_GRANT, json!({ "email": "ana@x.test" }), 400, "invalid_credentials", INVALID),
        (PASSWORD_GRANT, json!({ "email": "bob@x.test", "password": PASSWORD }), 400, "invalid_credentials", INVALID),
        (REFRESH, json!({}), 400, "validation_failed", "Refresh token is not valid"),
        (REFRESH, json!({ "refresh_token": "ABCDEFGHIJKL" }), 400, "validation_failed", "Refresh token is not valid"),
        (
            REFRESH,
            json!({ "refresh_token": "aaaaaaaaaaaa" }),
            400,
            "refresh_token_not_found",
            "Invalid Refresh Token: Refresh Token Not Found",
        ),
    ] {
        refused(&s.post(path, body).await, status, code, message);
    }
    let audience = sign_in(&s, "ana@x.test", PASSWORD).header("x-jwt-aud", "other").await;
    refused(&audience, 400, "invalid_credentials", INVALID);
    let newer = sign_in(&s, "ana@x.test", "wrong").header("x-supabase-api-version", "2024-01-01").await.is(400);
    assert_eq!(newer.header("x-supabase-api-version"), "2024-01-01");
    assert_eq!(newer.json(), json!({ "code": "invalid_credentials", "message": INVALID }));
}

#[tokio::test]
async fn a_ban_is_revealed_only_after_the_right_password() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let ban = "update auth.users set banned_until = now() + interval '1 day'";
    s.database.connect().await.execute(ban, &[]).await.unwrap();
    refused(&sign_in(&s, "ana@x.test", "wrong").await, 400, "invalid_credentials", INVALID);
    refused(&sign_in(&s, "ana@x.test", PASSWORD).await, 400, "user_banned", "User is banned");
    refused(&refresh(&s, &ana.refresh_token).await, 400, "user_banned", "Invalid Refresh Token: User Banned");
    refused(&ana.get("/auth/v1/user").await, 403, "user_banned", "User is banned");
}

#[tokio::test]
async fn a_refresh_keeps_session_and_methods_and_reloads_the_user() {
    let s = Server::start().await;
    let mut ana = s.signed_up("ana@x.test").await;
    let before = claims(&ana.access_token);
    ana.put("/auth/v1/user", json!({ "data": { "city": "Bern" } })).await.is(200);
    s.clock.advance(TimeDelta::seconds(5));
    let answer = ana.refresh().await.is(200);
    assert_eq!(answer.header("sb-auth-refresh-token-reuse"), "false");
    let after = claims(&ana.access_token);
    for same in ["sub", "session_id", "amr", "aal"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    assert_eq!(after["user_metadata"]["city"], "Bern");
    assert!(after["iat"].as_i64() > before["iat"].as_i64());
}

#[tokio::test]
async fn a_parent_token_always_gets_its_child_and_older_ones_within_the_interval() {
    let s = Server::start().await;
    let first = s.signed_up("ana@x.test").await.refresh_token;
    let second = child(refresh(&s, &first).await);
    s.clock.advance(TimeDelta::hours(1));
    assert_eq!(child(refresh(&s, &first).await), second, "a client that missed the answer repeats the request");
    let third = child(refresh(&s, &second).await);
    s.clock.advance(TimeDelta::seconds(9));
    let fourth = child(refresh(&s, &second).await);
    assert_eq!(fourth, third);
    let fifth = child(refresh(&s, &third).await);
    s.clock.advance(TimeDelta::seconds(11));
    let used = "Invalid Refresh Token: Already Used";
    refused(&refresh(&s, &second).await, 400, "refresh_token_already_used", used);
    refused(&refresh(&s, &fifth).await, 400, "refresh_token_already_used", used);
    let alive: i64 = s
        .database
        .connect()
        .await
        .query_one("select count(*) from auth.refresh_tokens where not revoked", &[])
        .await
        .unwrap()
        .get(0);
    assert_eq!(alive, 0, "the whole family is revoked");
}

#[tokio::test]
async fn parallel_refreshes_all_get_the_same_child() {
    let s = Server::with(&[("DUGOUT_DB_POOL", "24")]).await;
    let token = s.signed_up("ana@x.test").await.refresh_token;
    // A delay in which another request can use the same token.
    s.database
        .connect()
        .await
        .batch_execute(
            "create function public.dawdle() returns trigger language plpgsql as
               $$ begin perform pg_sleep(0.05); return new; end $$;
             create trigger dawdle before insert on auth.refresh_tokens for each row execute function public.dawdle()",
        )
        .await
        .unwrap();
    let answers = join_all((0..50).map(|_| async { refresh(&s, &token).await })).await;
    let children: Vec<String> = answers.into_iter().map(child).collect();
    assert!(children.iter().all(|child| *child == children[0]), "{children:?}");
    let tokens: i64 =
        s.database.connect().await.query_one("select count(*) from auth.refresh_tokens", &[]).await.unwrap().get(0);
    assert_eq!(tokens, 2);
}

#[tokio::test]
async fn sessions_expire() {
    let s = Server::with(&[("GOTRUE_SESSIONS_TIMEBOX", "2h"), ("GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", "1h")]).await;
    let mut ana = s.signed_up("ana@x.test").await;
    let mut bob = s.signed_up("bob@x.test").await;
    s.clock.advance(TimeDelta::minutes(50));
    ana.refresh().await.is(200);
    s.clock.advance(TimeDelta::minutes(20));
    ana.refresh().await.is(200);
    let inactive = "Invalid Refresh Token: Session Expired (Inactivity)";
    refused(&bob.refresh().await, 400, "session_expired", inactive);
    s.clock.advance(TimeDelta::minutes(51));
    refused(&ana.refresh().await, 400, "session_expired", "Invalid Refresh Token: Session Expired");
}

#[tokio::test]
async fn with_single_sessions_the_last_refreshed_one_remains() {
    let s = Server::with(&[("GOTRUE_SESSIONS_SINGLE_PER_USER", "true")]).await;
    let mut phone = s.signed_up("ana@x.test").await;
    s.clock.advance(TimeDelta::seconds(1));
    let mut laptop = s.signed_in("ana@x.test").await;
    let newer = "Invalid Refresh Token: Session Expired (Revoked by Newer Login)";
    refused(&phone.refresh().await, 400, "session_expired", newer);
    laptop.refresh().await.is(200);
}

#[tokio::test]
async fn a_password_that_became_weak_still_signs_in() {
    let s = Server::with(&[("GOTRUE_PASSWORD_REQUIRED_CHARACTERS", "0123456789")]).await;
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": "secret12" })).await.is(200);
    let good = sign_in(&s, "ana@x.test", "secret12").await.is(200).json();
    assert_eq!(good.get("weak_password"), Some(&Value::Null));
    let hash = "update auth.users set encrypted_password = extensions.crypt('secret', extensions.gen_salt('bf', 4))";
    s.database.connect().await.execute(hash, &[]).await.unwrap();
    let weak = sign_in(&s, "ana@x.test", "secret").await.is(200).json();
    assert_eq!(weak["weak_password"]["reasons"], json!(["characters"]));
}
