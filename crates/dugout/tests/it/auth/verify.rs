//! `GET /verify` and `POST /verify`

use reqwest::Method;
use serde_json::{Value, json};

use super::{claims, fragment, refused};
use crate::kit::{Calls, Mail, Mails, PASSWORD, Server};

const VERIFY: &str = "/auth/v1/verify";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async fn signed_up(s: &Server, mails: &Mails, email: &str) -> Mail {
    s.post("/auth/v1/signup", json!({ "email": email, "password": PASSWORD })).await.is(200);
    mails.to(email).await
}

#[tokio::test]
async fn a_link_confirms_and_signs_in_once() {
    let (s, mails) = Server::with_mails(&[]).await;
    let mail = signed_up(&s, &mails, "ana@x.test").await;
    let answer = s.get(&mail.path()).header("user-agent", FIREFOX).await.is(303);
    assert!(answer.header("location").starts_with("https://app.test#access_token="), "{}", answer.header("location"));
    let session = fragment(&answer);
    let keys: Vec<&str> = session.keys().map(String::as_str).collect();
    assert_eq!(keys, ["access_token", "expires_at", "expires_in", "refresh_token", "sb", "token_type", "type"]);
    assert_eq!((session["type"].as_str(), session["token_type"].as_str()), ("signup", "bearer"));
    assert_eq!(claims(&session["access_token"])["amr"][0]["method"], "otp");
    let user = s.get("/auth/v1/user").bearer(&session["access_token"]).await.is(200).json();
    assert_eq!(
        (&user["user_metadata"]["email_verified"], user["email_confirmed_at"].is_string()),
        (&json!(true), true)
    );
    assert_eq!(user["identities"][0]["identity_data"]["email_verified"], true);

    let again = s.get(&mail.path()).await.is(303);
    assert_eq!(
        again.header("location"),
        "https://app.test#error=access_denied&error_code=otp_expired\
         &error_description=Email+link+is+invalid+or+has+expired&sb="
    );
    s.signed_in("ana@x.test").await;
}

#[tokio::test]
async fn a_code_works_once_even_if_used_concurrently() {
    let (s, mails) = Server::with_mails(&[]).await;
    let mail = signed_up(&s, &mails, "ana@x.test").await;
    let verify = |code: &str| s.post(VERIFY, json!({ "type": "signup", "email": "ANA@x.test", "token": code }));
    refused(&verify("000").await, 403, "otp_expired", "Token has expired or is invalid");
    let code = mail.code();
    let (one, two) = tokio::join!(async { verify(&code).await }, async { verify(&code).await });
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403]);
    let session = if one.status == 200 { one.json() } else { two.json() };
    assert_eq!(session["user"]["email"], "ana@x.test");
}

#[tokio::test]
async fn a_link_works_once_even_if_used_concurrently() {
    let (s, mails) = Server::with_mails(&[]).await;
    let path = signed_up(&s, &mails, "ana@x.test").await.path();
    let (one, two) = tokio::join!(async { s.get(&path).await }, async { s.get(&path).await });
    let signed_in = [&one, &two].iter().filter(|answer| answer.header("location").contains("access_token")).count();
    assert_eq!(signed_in, 1, "{} {}", one.header("location"), two.header("location"));
}

#[tokio::test]
async fn codes_and_links_expire() {
    let (s, mails) = Server::with_mails(&[("GOTRUE_MAILER_OTP_EXP", "60")]).await;
    let mail = signed_up(&s, &mails, "ana@x.test").await;
    s.clock.advance(chrono::TimeDelta::seconds(61));
    assert_eq!(fragment(&s.get(&mail.path()).await.is(303))["error_code"], "otp_expired");
    let code = json!({ "type": "email", "email": "ana@x.test", "token": mail.code() });
    refused(&s.post(VERIFY, code).await, 403, "otp_expired", "Token has expired or is invalid");
    let hash = json!({ "type": "email", "token_hash": mail.token() });
    refused(&s.post(VERIFY, hash).await, 403, "otp_expired", "Email link is invalid or has expired");
}

#[tokio::test]
async fn link_scanners_and_prefetches_use_nothing_up() {
    let (s, mails) = Server::with_mails(&[]).await;
    let path = signed_up(&s, &mails, "ana@x.test").await.path();
    assert_eq!(s.request(Method::HEAD, &path).await.status, 405);
    for (header, value) in [("user-agent", "Slackbot-LinkExpanding 1.0"), ("sec-purpose", "prefetch")] {
        let page = s.get(&path).header(header, value).await.is(200);
        assert!(page.body.contains("<form method=\"post\"") && page.header("location").is_empty(), "{}", page.body);
        assert!(!page.body.contains("<script"), "{}", page.body);
    }
    let button = s.request(Method::POST, &path).body("").header("content-type", "application/x-www-form-urlencoded");
    assert!(button.await.is(303).header("location").contains("access_token="));
}

#[tokio::test]
async fn using_a_code_invalidates_all_others() {
    let (s, mails) = Server::with_mails(&[]).await;
    let confirmation = signed_up(&s, &mails, "ana@x.test").await;
    s.post("/auth/v1/recover", json!({ "email": "ana@x.test" })).await.is(200);
    let recovery = mails.to("ana@x.test").await;
    s.get(&confirmation.path()).await.is(303);
    let code = json!({ "type": "recovery", "email": "ana@x.test", "token": recovery.code() });
    refused(&s.post(VERIFY, code).await, 403, "otp_expired", "Token has expired or is invalid");
    assert_eq!(fragment(&s.get(&recovery.path()).await)["error_code"], "otp_expired");
}

#[tokio::test]
async fn a_new_password_invalidates_pending_codes() {
    let (s, mails) = Server::with_mails(&[("GOTRUE_MAILER_AUTOCONFIRM", "true")]).await;
    let ana = s.signed_up("ana@x.test").await;
    let mut pending = Vec::new();
    for (path, kind) in [("recover", "recovery"), ("otp", "magiclink")] {
        s.post(&format!("/auth/v1/{path}"), json!({ "email": "ana@x.test" })).await.is(200);
        pending.push((kind, mails.to("ana@x.test").await));
    }
    ana.put("/auth/v1/user", json!({ "password": "another password" })).await.is(200);
    for (kind, mail) in pending {
        let code = json!({ "type": kind, "email": "ana@x.test", "token": mail.code() });
        refused(&s.post(VERIFY, code).await, 403, "otp_expired", "Token has expired or is invalid");
        assert_eq!(fragment(&s.get(&mail.path()).await)["error_code"], "otp_expired");
    }
}

#[tokio::test]
async fn a_code_of_type_email_confirms_or_signs_in() {
    let (s, mails) = Server::with_mails(&[]).await;
    let verify = |mail: &Mail| json!({ "type": "email", "email": "ana@x.test", "token": mail.code() });
    for (subject_of, amr) in [("confirmation", "otp"), ("magic link", "otp")] {
        s.post("/auth/v1/otp", json!({ "email": "ana@x.test" })).await.is(200);
        let mail = mails.to("ana@x.test").await;
        let session = s.post(VERIFY, verify(&mail)).await.is(200).json();
        let token = claims(session["access_token"].as_str().unwrap());
        assert_eq!(token["amr"][0]["method"], amr, "{subject_of}");
        refused(&s.post(VERIFY, verify(&mail)).await, 403, "otp_expired", "Token has expired or is invalid");
    }
}

#[tokio::test]
async fn banned_users_are_refused() {
    let (s, mails) = Server::with_mails(&[]).await;
    let mail = signed_up(&s, &mails, "ana@x.test").await;
    let db = s.database.connect().await;
    db.execute("update auth.users set banned_until = now() + interval '1 hour'", &[]).await.unwrap();
    assert_eq!(fragment(&s.get(&mail.path()).await)["error_code"], "user_banned");
    let code = json!({ "type": "signup", "email": "ana@x.test", "token": mail.code() });
    refused(&s.post(VERIFY, code).await, 403, "user_banned", "User is banned");
}

#[tokio::test]
async fn bad_input_is_refused_as_by_gotrue() {
    let (s, _) = Server::with_mails(&[]).await;
    let validation = "validation_failed";
    for (body, status, code, message) in [
        (json!({}), 400, validation, "Verify requires a verification type"),
        (json!({ "type": "signup" }), 400, validation, "Verify requires either a token or a token hash"),
        (
            json!({ "type": "signup", "token": "1", "token_hash": "2" }),
            400,
            validation,
            "Verify requires either a token or a token hash",
        ),
        (
            json!({ "type": "signup", "token": "1" }),
            400,
            validation,
            "Only an email address or phone number should be provided on verify",
        ),
        (
            json!({ "type": "signup", "token_hash": "1", "email": "a@x.test" }),
            400,
            validation,
            "Only the token_hash and type should be provided",
        ),
        (json!({ "type": "signup", "token": "1", "email": "x" }), 422, validation, "Invalid email format"),
        (
            json!({ "type": "sms", "token": "1", "phone": "x" }),
            400,
            validation,
            "Invalid phone number format (E.164 required)",
        ),
        (json!({ "type": "what", "token_hash": "1" }), 400, validation, "Invalid email verification type"),
        (
            json!({ "type": "what", "token": "1", "email": "a@x.test" }),
            403,
            "otp_expired",
            "Token has expired or is invalid",
        ),
        (
            json!({ "type": "sms", "token": "1", "email": "a@x.test" }),
            403,
            "otp_expired",
            "Token has expired or is invalid",
        ),
    ] {
        refused(&s.post(VERIFY, body).await, status, code, message);
    }
    refused(&s.get(&format!("{VERIFY}?token=x")).await, 400, validation, "Verify requires a verification type");
    refused(&s.get(&format!("{VERIFY}?type=signup")).await, 400, validation, "Verify requires a token or a token hash");
    let body: Value = json!({ "type": "signup", "token_hash": "x" });
    let newer = s.post(VERIFY, body).header("x-supabase-api-version", "2024-01-01").await.is(403);
    assert_eq!(newer.json(), json!({ "code": "otp_expired", "message": "Email link is invalid or has expired" }));
}

#[tokio::test]
async fn redirects_lead_to_allowed_urls_only() {
    let (s, mails) = Server::with_mails(&[]).await;
    let mail = signed_up(&s, &mails, "ana@x.test").await;
    let elsewhere = mail.path().replace("redirect_to=https://app.test", "redirect_to=https://evil.test");
    assert!(s.get(&elsewhere).await.is(303).header("location").starts_with("https://app.test#access_token="));
    // Even an open allow list does not lead a link to a script.
    let (open, mails_there) = Server::with_mails(&[("GOTRUE_URI_ALLOW_LIST", "**")]).await;
    for scheme in ["javascript://127.0.0.1/%250aalert(1)", "javascript:alert(1)", "data:text/html,x", "other://in"] {
        let email = format!("{}@x.test", scheme.len());
        let elsewhere = signed_up(&open, &mails_there, &email).await.path().replace("https://app.test", scheme);
        let location = open.get(&elsewhere).await.is(303).header("location").to_owned();
        assert!(location.starts_with("https://app.test#access_token="), "{scheme}: {location}");
    }
    let mail = signed_up(&s, &mails, "bob@x.test").await;
    let app = mail.path().replace("redirect_to=https://app.test", "redirect_to=myapp://callback");
    assert!(s.get(&app).await.is(303).header("location").starts_with("myapp://callback#access_token="));
}
