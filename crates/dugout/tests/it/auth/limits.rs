//! Rate limits for clients, and limits of the project's mails and messages.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::refused;
use crate::kit::{Calls, PASSWORD, Request, Server};

/// A server with GoTrue's default limits and some others. It trusts a proxy's header.
async fn server(more: &[(&str, &str)]) -> Server {
    let usual = [
        ("GOTRUE_RATE_LIMIT_TOKEN_REFRESH", "150"),
        ("GOTRUE_RATE_LIMIT_VERIFY", "30"),
        ("GOTRUE_RATE_LIMIT_OTP", "30"),
        ("GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", "30"),
        ("GOTRUE_RATE_LIMIT_WEB3", "30"),
        ("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"),
    ];
    let all: Vec<(&str, &str)> = usual.iter().chain(more).copied().collect();
    Server::with(&all).await
}

/// How many of these requests pass before a 429, and that answer.
async fn requests_until_refused(request: impl Fn() -> Request) -> (usize, crate::kit::Answer) {
    for count in 0..400 {
        let answer = request().await;
        if answer.status == 429 {
            return (count, answer);
        }
    }
    panic!("never refused");
}

#[tokio::test]
async fn every_class_of_routes_has_a_default_limit() {
    let s = server(&[]).await;
    let ana = s.signed_up("ana@x.test").await;
    let post = |path: &'static str, body: Value| {
        let s = &s;
        move || s.post(&format!("/auth/v1/{path}"), body.clone())
    };
    // The sign-up above has used one.
    for (path, body, passing) in [
        ("signup", json!({ "email": "a" }), 29),
        ("signup", json!({}), 30),
        ("recover", json!({}), 30),
        ("resend", json!({}), 30),
        ("magiclink", json!({}), 30),
        ("otp", json!({}), 30),
        ("verify", json!({}), 30),
        ("token?grant_type=password", json!({}), 150),
        ("token?grant_type=web3", json!({}), 30),
    ] {
        let (count, answer) = requests_until_refused(post(path, body)).await;
        assert_eq!(count, passing, "{path}");
        refused(&answer, 429, "over_request_rate_limit", "Request rate limit reached");
        let wait: i64 = answer.header("retry-after").parse().unwrap();
        assert!((1..=120).contains(&wait), "{path}: {wait}");
    }
    let (count, _) = requests_until_refused(|| ana.put("/auth/v1/user", json!({}))).await;
    assert_eq!(count, 30);
    // All grants but web3 share a bucket, and so do both ways to verify.
    assert_eq!(s.post("/auth/v1/token?grant_type=refresh_token", json!({})).await.status, 429);
    assert_eq!(s.get("/auth/v1/verify?token=x&type=signup").await.status, 429);
    let newer = s.post("/auth/v1/otp", json!({})).header("x-supabase-api-version", "2024-01-01").await.is(429);
    assert_eq!(newer.json(), json!({ "code": "over_request_rate_limit", "message": "Request rate limit reached" }));
    // Routes that neither send anything nor help guessing are not limited.
    s.get("/auth/v1/settings").await.is(200);
    ana.get("/auth/v1/user").await.is(200);
    // Ten seconds allow one more request.
    s.clock.advance(TimeDelta::seconds(11));
    assert_eq!(s.post("/auth/v1/otp", json!({})).await.status, 400);
    assert_eq!(s.post("/auth/v1/otp", json!({})).await.status, 429);
}

#[tokio::test]
async fn clients_are_limited_separately_and_untrusted_headers_are_ignored() {
    let s = server(&[("DUGOUT_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    let from = |address: &str| s.post("/auth/v1/otp", json!({})).header("x-forwarded-for", address);
    assert_eq!(requests_until_refused(|| from("192.0.2.1")).await.0, 30);
    assert_eq!(from("192.0.2.2").await.status, 400);
    assert_eq!(from("6.6.6.6, 192.0.2.1").await.status, 429, "only the address added by the proxy counts");
    // A customer's network is one client.
    assert_eq!(requests_until_refused(|| from("2001:db8:1:2::1")).await.0, 30);
    assert_eq!(from("2001:db8:1:2:ffff::9").await.status, 429);
    assert_eq!(from("2001:db8:1:3::1").await.status, 400);

    let s = server(&[]).await;
    let from = |address: &str| {
        s.post("/auth/v1/otp", json!({})).header("x-forwarded-for", address).header("sb-forwarded-for", address)
    };
    for last in 1..=30 {
        assert_eq!(from(&format!("192.0.2.{last}")).await.status, 400);
    }
    assert_eq!(from("192.0.2.99").await.status, 429, "a client cannot choose its own address");
}

#[tokio::test]
async fn a_configured_header_identifies_the_client() {
    let s =
        server(&[("GOTRUE_RATE_LIMIT_HEADER", "X-Real-Client"), ("GOTRUE_SECURITY_SB_FORWARDED_FOR_ENABLED", "true")])
            .await;
    let from = |name: &str, value: &str| s.post("/auth/v1/otp", json!({})).header(name, value);
    assert_eq!(requests_until_refused(|| from("x-real-client", "a, b")).await.0, 30);
    assert_eq!(from("x-real-client", "a, c").await.status, 429);
    assert_eq!(from("x-real-client", "b").await.status, 400);
    assert_eq!(requests_until_refused(|| from("sb-forwarded-for", "192.0.2.1, x")).await.0, 30);
    assert_eq!(from("sb-forwarded-for", "192.0.2.1").await.status, 429);
    assert_eq!(from("sb-forwarded-for", "192.0.2.2").await.status, 400);
}

#[tokio::test]
async fn the_number_of_mails_is_limited() {
    let (s, _mails) = Server::with_mails(&[("GOTRUE_RATE_LIMIT_EMAIL_SENT", "3")]).await;
    let sign_up =
        |name: &str| s.post("/auth/v1/signup", json!({ "email": format!("{name}@x.test"), "password": PASSWORD }));
    sign_up("one").await.is(200);
    sign_up("two").await.is(200);
    // It makes no difference whether there is an account.
    s.post("/auth/v1/recover", json!({ "email": "nobody@x.test" })).await.is(200);
    for answer in [sign_up("three").await, s.post("/auth/v1/recover", json!({ "email": "noone@x.test" })).await] {
        refused(&answer, 429, "over_email_send_rate_limit", "email rate limit exceeded");
        assert!(answer.header("retry-after").parse::<i64>().unwrap() > 3500);
    }
    s.clock.advance(TimeDelta::minutes(61));
    sign_up("three").await.is(200);
}

#[tokio::test]
async fn a_limit_of_zero_sends_no_mail_and_buckets_refill_one_by_one() {
    let none = Server::with(&[("GOTRUE_RATE_LIMIT_EMAIL_SENT", "0")]).await;
    none.signed_up("ana@x.test").await;
    let answer = none.post("/auth/v1/recover", json!({ "email": "ana@x.test" })).await;
    refused(&answer, 429, "over_email_send_rate_limit", "email rate limit exceeded");

    let s = Server::with(&[
        ("GOTRUE_MAILER_AUTOCONFIRM", "false"),
        ("GOTRUE_SMTP_MAX_FREQUENCY", "1ns"),
        ("GOTRUE_RATE_LIMIT_EMAIL_SENT", "2/1m"),
    ])
    .await;
    let recover = || s.post("/auth/v1/recover", json!({ "email": "ana@x.test" }));
    recover().await.is(200);
    recover().await.is(200);
    assert_eq!(recover().await.is(429).header("retry-after"), "60");
    s.clock.advance(TimeDelta::seconds(61));
    recover().await.is(200);
    recover().await.is(429);
}

#[tokio::test]
async fn the_number_of_messages_is_limited() {
    let provider = crate::kit::HttpCatcher::start(201, r#"{"sid":"SM1","status":"queued"}"#);
    let s = Server::with(&[
        ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"),
        ("GOTRUE_SMS_AUTOCONFIRM", "false"),
        ("GOTRUE_SMS_PROVIDER", "twilio"),
        ("GOTRUE_SMS_TWILIO_ACCOUNT_SID", "AC1"),
        ("GOTRUE_SMS_TWILIO_AUTH_TOKEN", "secret"),
        ("GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID", "MG1"),
        ("GOTRUE_SMS_API_URL", &provider.url),
        ("GOTRUE_SMS_TEST_OTP", "4911:123456"),
        ("GOTRUE_RATE_LIMIT_SMS_SENT", "1"),
    ])
    .await;
    let otp = |phone: &str| s.post("/auth/v1/otp", json!({ "phone": phone }));
    otp("4912345678").await.is(200);
    let answer = otp("4912345679").await;
    refused(&answer, 429, "over_sms_send_rate_limit", "SMS rate limit exceeded");
    assert!(answer.header("retry-after").parse::<i64>().unwrap() > 3500);
    // Nothing is sent to a test number.
    otp("4911").await.is(200);
    assert_eq!(provider.caught().len(), 1);
}

/// A server that tells clients apart by `X-Forwarded-For`.
async fn with_clients() -> (Server, crate::kit::Mails) {
    Server::with_mails(&[("DUGOUT_TRUSTED_PROXIES", "127.0.0.1/32")]).await
}

fn verify(s: &Server, client: &str, email: &str, code: &str) -> Request {
    s.post("/auth/v1/verify", json!({ "type": "email", "email": email, "token": code }))
        .header("x-forwarded-for", client)
}

/// How many wrong codes of an address many clients can try until all are refused.
async fn tried_by_many(s: &Server, email: &str) -> usize {
    let mut tried = 0;
    for client in 0..120 {
        let answer = verify(s, &format!("192.0.{}.{}", client / 100, client % 100), email, "000000x").await;
        match answer.status {
            403 => tried += 1,
            _ => refused(&answer, 429, "over_request_rate_limit", "Request rate limit reached"),
        }
    }
    tried
}

#[tokio::test]
async fn many_clients_together_cannot_guess_a_code() {
    let (s, mails) = with_clients().await;
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    for email in ["ana@x.test", "nobody@x.test"] {
        assert_eq!(tried_by_many(&s, email).await, 100, "of a million: {email}");
    }
    verify(&s, "198.51.100.1", "bob@x.test", "000000x").await.is(403);
    // The link in the mail is not limited by guesses.
    let link = mails.to("ana@x.test").await.path();
    s.get(&link).header("x-forwarded-for", "198.51.100.1").await.is(303);
}

#[tokio::test]
async fn other_clients_wrong_codes_do_not_lock_out_the_owner() {
    let (s, mails) = with_clients().await;
    let ask =
        |client: &str, email: &str| s.post("/auth/v1/otp", json!({ "email": email })).header("x-forwarded-for", client);
    // Another single client only uses up its own share.
    ask("198.51.100.1", "ana@x.test").await.is(200);
    let code = mails.to("ana@x.test").await.code();
    let (count, _) = requests_until_refused(|| verify(&s, "192.0.2.66", "ana@x.test", "000000x")).await;
    assert_eq!(count, 10);
    verify(&s, "198.51.100.2", "ana@x.test", &code).await.is(200);

    // Many clients use up the shared limit, but not the share of the client that requested the code.
    ask("198.51.100.1", "ben@x.test").await.is(200);
    let code = mails.to("ben@x.test").await.code();
    assert_eq!(tried_by_many(&s, "ben@x.test").await, 100);
    verify(&s, "198.51.100.2", "ben@x.test", &code).await.is(429);
    verify(&s, "198.51.100.1", "ben@x.test", "000000x").await.is(403);
    verify(&s, "198.51.100.1", "ben@x.test", &code).await.is(200);
    // From elsewhere the owner requests another code.
    verify(&s, "198.51.100.2", "ben@x.test", "000000x").await.is(429);
    ask("198.51.100.2", "ben@x.test").await.is(200);
    verify(&s, "198.51.100.2", "ben@x.test", &mails.to("ben@x.test").await.code()).await.is(200);
    // The same for an address without an account, so that the limit does not reveal accounts.
    s.post("/auth/v1/recover", json!({ "email": "nobody@x.test" }))
        .header("x-forwarded-for", "198.51.100.1")
        .await
        .is(200);
    assert_eq!(tried_by_many(&s, "nobody@x.test").await, 100);
    verify(&s, "198.51.100.1", "nobody@x.test", "000000x").await.is(403);
    verify(&s, "198.51.100.2", "nobody@x.test", "000000x").await.is(429);
}

#[tokio::test]
async fn right_codes_are_not_counted_and_requesting_codes_does_not_raise_the_limit() {
    let (s, mails) = with_clients().await;
    for _ in 0..15 {
        s.post("/auth/v1/otp", json!({ "email": "ana@x.test" })).await.is(200);
        verify(&s, "198.51.100.1", "ana@x.test", &mails.to("ana@x.test").await.code()).await.is(200);
    }
    // One client requested fifteen codes, which reserves at most four times five guesses.
    let mut tried = tried_by_many(&s, "ana@x.test").await;
    for client in 0..40 {
        let client = format!("203.0.113.{client}");
        let ask = s.post("/auth/v1/otp", json!({ "email": "ana@x.test" })).header("x-forwarded-for", &client);
        ask.await.is(200);
        for _ in 0..6 {
            tried += usize::from(verify(&s, &client, "ana@x.test", "000000x").await.status == 403);
        }
    }
    assert!(tried <= 100 + 30 * 5, "of a million in an hour: {tried}");
}

#[tokio::test]
async fn wrong_nonces_of_a_password_change_are_counted() {
    let (s, mails) = Server::with_mails(&[
        ("DUGOUT_TRUSTED_PROXIES", "127.0.0.1/32"),
        ("GOTRUE_MAILER_AUTOCONFIRM", "true"),
        ("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION", "true"),
    ])
    .await;
    let ana = s.signed_up("ana@x.test").await;
    let old = "update auth.sessions set created_at = now() - interval '2 days'";
    s.database.connect().await.execute(old, &[]).await.unwrap();
    ana.get("/auth/v1/reauthenticate").header("x-forwarded-for", "198.51.100.1").await.is(200);
    let change = |client: &str, nonce: &str| {
        let body = json!({ "password": "another password", "nonce": nonce });
        ana.put("/auth/v1/user", body).header("x-forwarded-for", client)
    };
    let mut tried = 0;
    for client in 0..120 {
        let answer = change(&format!("192.0.{}.{}", client / 100, client % 100), "000000x").await;
        tried += usize::from(answer.status != 429);
    }
    assert_eq!(tried, 100);
    change("198.51.100.1", &mails.to("ana@x.test").await.code()).await.is(200);
}
