//! Captchas: the routes that require one.

use serde_json::json;

use super::refused;
use crate::kit::{Calls, HttpCatcher, PASSWORD, Saying, Server};

async fn server(maker: &HttpCatcher, provider: &str) -> Server {
    Server::with(&[
        ("GOTRUE_SECURITY_CAPTCHA_ENABLED", "true"),
        ("GOTRUE_SECURITY_CAPTCHA_PROVIDER", provider),
        ("GOTRUE_SECURITY_CAPTCHA_SECRET", "0xsecret"),
        ("GOTRUE_SECURITY_CAPTCHA_API_URL", &maker.url),
        ("GOTRUE_SECURITY_CAPTCHA_TIMEOUT", "1s"),
        ("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"),
    ])
    .await
}

#[tokio::test]
async fn requests_without_a_valid_captcha_are_refused() {
    for (provider, path) in [("hcaptcha", "POST /siteverify"), ("turnstile", "POST /turnstile/v0/siteverify")] {
        let maker = HttpCatcher::start(200, r#"{"success":true}"#);
        let s = server(&maker, provider).await;
        let sign_up = |token: serde_json::Value| {
            let body = json!({ "email": "ana@x.test", "password": PASSWORD, "gotrue_meta_security": token });
            s.post("/auth/v1/signup", body)
        };
        let missing = "captcha protection: request disallowed (no captcha_token found)";
        refused(&sign_up(json!(null)).await, 400, "captcha_failed", missing);
        refused(&sign_up(json!({ "captcha_token": "  " })).await, 400, "captcha_failed", missing);
        let unreadable = "Could not parse request body as JSON: json: cannot unmarshal number into Go struct field";
        let token = format!("{unreadable} captchaSecurity.gotrue_meta_security.captcha_token of type string");
        refused(&sign_up(json!({ "captcha_token": 1 })).await, 400, "bad_json", &token);
        let all = format!("{unreadable} captchaRequest.gotrue_meta_security of type api.captchaSecurity");
        refused(&sign_up(json!(1)).await, 400, "bad_json", &all);
        assert!(maker.caught().is_empty(), "the provider is not called for a malformed body");
        maker.answers(200, r#"{"success":false,"error-codes":["invalid-input-response","timeout-or-duplicate"]}"#);
        let said = "captcha protection: request disallowed (invalid-input-response, timeout-or-duplicate)";
        refused(&sign_up(json!({ "captcha_token": "bad" })).await, 400, "captcha_failed", said);
        maker.answers(200, r#"{"success":true}"#);
        maker.caught();
        sign_up(json!({ "captcha_token": " good " })).await.is(200);
        let [asked] = maker.caught().try_into().expect("one question");
        assert_eq!(asked.line, path);
        let fields = ["secret", "response", "remoteip"].map(|name| asked.field(name));
        assert_eq!(fields, ["0xsecret", "good", "127.0.0.1"]);
    }
}

#[tokio::test]
async fn every_route_that_could_be_abused_requires_a_captcha() {
    let maker = HttpCatcher::start(200, r#"{"success":true}"#);
    let s = server(&maker, "hcaptcha").await;
    let paths = [
        "signup",
        "recover",
        "resend",
        "magiclink",
        "otp",
        "token?grant_type=password",
        "token?grant_type=x",
        "passkeys/authentication/options",
    ];
    for path in paths {
        let answer = s.post(&format!("/auth/v1/{path}"), json!({ "email": "ana@x.test" })).await;
        assert_eq!((answer.status, answer.header("x-sb-error-code")), (400, "captcha_failed"), "{path}");
        let answer = s.request(reqwest::Method::POST, &format!("/auth/v1/{path}")).body("{").await;
        assert_eq!((answer.status, answer.header("x-sb-error-code")), (400, "bad_json"), "{path}");
    }
    // These grants follow a request that was checked.
    for grant in ["refresh_token", "pkce"] {
        let answer = s.post(&format!("/auth/v1/token?grant_type={grant}"), json!({})).await.is(400);
        assert_eq!(answer.header("x-sb-error-code"), "validation_failed", "{grant}");
    }
    // Administrators need no captcha.
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    s.as_service(reqwest::Method::POST, "/auth/v1/signup").json(&body).await.is(200);
    assert!(maker.caught().is_empty());
}

#[tokio::test]
async fn if_the_captcha_service_fails_requests_are_refused() {
    let maker = HttpCatcher::start(200, "no JSON");
    let s = server(&maker, "turnstile").await;
    let body = json!({ "gotrue_meta_security": { "captcha_token": "t" } });
    let answer = s.post("/auth/v1/signup", body.clone()).await.is(500);
    assert_eq!(answer.json()["msg"], "captcha verification process failed");
    maker.answers_at("", Saying::new(200, r#"{"success":true}"#).after(std::time::Duration::from_secs(2)));
    s.post("/auth/v1/signup", body.clone()).await.is(500);
    maker.answers(200, r#"{"success":true}"#);
    s.post("/auth/v1/signup", body).await.is(200);
}
