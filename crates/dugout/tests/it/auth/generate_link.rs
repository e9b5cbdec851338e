//! `POST /admin/generate_link`

use reqwest::Method;
use serde_json::{Value, json};

use super::{fragment, refused};
use crate::kit::{Answer, Calls, PASSWORD, Server};

async fn link(s: &Server, body: Value) -> Answer {
    s.as_service(Method::POST, "/auth/v1/admin/generate_link").json(&body).await
}

/// Path and query of a link to another host.
fn path(link: &Value) -> String {
    let url = url::Url::parse(link["action_link"].as_str().unwrap()).unwrap();
    format!("{}?{}", url.path(), url.query().unwrap())
}

#[tokio::test]
async fn generated_links_work_like_mailed_ones() {
    let (s, mails) = Server::with_mails(&[]).await;
    let sign_up = json!({ "type": "signup", "email": "ana@x.test", "password": PASSWORD, "data": { "a": 1 } });
    let made = link(&s, sign_up.clone()).await.is(200).json();
    assert_eq!((&made["verification_type"], &made["redirect_to"]), (&json!("signup"), &json!("https://app.test")));
    assert_eq!((&made["email"], &made["user_metadata"]), (&json!("ana@x.test"), &json!({ "a": 1 })));
    assert!(made["action_link"].as_str().unwrap().contains(made["hashed_token"].as_str().unwrap()));
    assert_eq!(fragment(&s.get(&path(&made)).await.is(303))["type"], "signup");
    s.signed_in("ana@x.test").await;
    let exists = "A user with this email address has already been registered";
    refused(&link(&s, sign_up).await, 422, "email_exists", exists);

    for kind in ["magiclink", "recovery"] {
        let body = json!({ "type": kind, "email": "ana@x.test", "redirect_to": "https://app.test/x" });
        let made = link(&s, body.clone()).await.is(200).json();
        assert_eq!(made["redirect_to"], "https://app.test/x");
        let hash = json!({ "type": kind, "token_hash": made["hashed_token"] });
        s.post("/auth/v1/verify", hash).await.is(200);
        let made = link(&s, body).await.is(200).json();
        let code = json!({ "type": kind, "email": "ana@x.test", "token": made["email_otp"] });
        s.post("/auth/v1/verify", code).await.is(200);
    }
    let invited = link(&s, json!({ "type": "invite", "email": "bob@x.test" })).await.is(200).json();
    assert_eq!(fragment(&s.get(&path(&invited)).await)["type"], "invite");
    let made = link(&s, json!({ "type": "magiclink", "email": "new@x.test" })).await.is(200).json();
    assert_eq!(made["verification_type"], "signup", "an unknown address gets a sign-up link");

    let change = |kind: &str| json!({ "type": kind, "email": "ana@x.test", "new_email": "ana2@x.test" });
    let current = link(&s, change("email_change_current")).await.is(200).json();
    let new = link(&s, change("email_change_new")).await.is(200).json();
    assert!(fragment(&s.get(&path(&current)).await).contains_key("message"));
    let hash = json!({ "type": "email_change", "token_hash": new["hashed_token"] });
    let done = s.post("/auth/v1/verify", hash).await.is(200).json();
    assert_eq!(done["user"]["email"], "ana2@x.test");
    assert_eq!(mails.unread(), 0, "nothing is mailed");
}

#[tokio::test]
async fn refusals_match_gotrue() {
    let (s, _) = Server::with_mails(&[("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", "false")]).await;
    let v = "validation_failed";
    link(&s, json!({ "type": "invite", "email": "bob@x.test" })).await.is(200);
    for (body, status, code, message) in [
        (json!({}), 400, v, "An email address is required"),
        (json!({ "type": "what", "email": "a@x.test" }), 400, v, "Invalid email action link type requested: what"),
        (json!({ "type": "signup", "email": "a@x.test" }), 400, v, "Signup requires a valid password"),
        (json!({ "type": "recovery", "email": "a@x.test" }), 404, "user_not_found", "User with this email not found"),
        (
            json!({ "type": "email_change_current", "email": "bob@x.test", "new_email": "c@x.test" }),
            400,
            v,
            "Enable secure email change to generate link for current email",
        ),
    ] {
        refused(&link(&s, body).await, status, code, message);
    }
    let nobody = s.post("/auth/v1/admin/generate_link", json!({ "type": "recovery", "email": "bob@x.test" })).await;
    refused(&nobody, 403, "not_admin", "User not allowed");
}
