//! `PUT /user` with a new address, and its confirmation.

use serde_json::{Value, json};

use super::{fragment, refused};
use crate::kit::{Calls, Server, User};

const USER: &str = "/auth/v1/user";
const HALF_WAY: &str = "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/// Both settings in every combination. Only one of them determines whether the current address must confirm, too
/// (auth#2600).
#[tokio::test]
async fn a_change_needs_both_confirmations_if_configured_even_with_autoconfirm() {
    for autoconfirm in ["true", "false"] {
        for both in ["true", "false"] {
            let (s, mails) = Server::with_mails(&[
                ("GOTRUE_MAILER_AUTOCONFIRM", autoconfirm),
                ("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", both),
            ])
            .await;
            let body = json!({ "email": "ana@x.test", "password": crate::kit::PASSWORD });
            let mut session: Value = s.post("/auth/v1/signup", body.clone()).await.is(200).json();
            if autoconfirm == "false" {
                s.get(&mails.to("ana@x.test").await.path()).await.is(303);
                session = s.post("/auth/v1/token?grant_type=password", body).await.is(200).json();
            }
            let ana = User::of_session(&session, &s.url, &s.anon_key);
            ana.put(USER, json!({ "email": "New@x.test" })).await.is(200);
            if both == "true" {
                let mail = mails.to("ana@x.test").await;
                assert!(mail.html.contains("from ana@x.test to new@x.test"), "{}", mail.html);
                let first = fragment(&s.get(&mail.path()).await.is(303));
                assert_eq!((first.get("message").map(String::as_str), first.len()), (Some(HALF_WAY), 2));
                assert_eq!(ana.get(USER).await.json()["email"], "ana@x.test");
                let again = fragment(&s.get(&mail.path()).await.is(303));
                assert_eq!(again["error_code"], "otp_expired", "one address must not confirm twice");
            }
            let done = fragment(&s.get(&mails.to("new@x.test").await.path()).await.is(303));
            assert_eq!(done["type"], "email_change", "{autoconfirm} {both}: {done:?}");
            let user = ana.get(USER).await.is(200).json();
            assert_eq!((&user["email"], user.get("new_email")), (&json!("new@x.test"), None));
            assert_eq!(user["identities"][0]["identity_data"]["email"], "new@x.test");
            assert_eq!(mails.unread(), 0);
        }
    }
}

#[tokio::test]
async fn codes_have_the_same_effect_as_links() {
    let (s, mails) = Server::with_mails(&[("GOTRUE_MAILER_AUTOCONFIRM", "true")]).await;
    let ana = s.signed_up("ana@x.test").await;
    ana.put(USER, json!({ "email": "new@x.test" })).await.is(200);
    let verify = |email: &str, code: &str| {
        s.post("/auth/v1/verify", json!({ "type": "email_change", "email": email, "token": code }))
    };
    let (old, new) = (mails.to("ana@x.test").await, mails.to("new@x.test").await);
    refused(&verify("new@x.test", &old.code()).await, 403, "otp_expired", "Token has expired or is invalid");
    assert_eq!(verify("new@x.test", &new.code()).await.is(200).json(), json!({ "code": "200", "msg": HALF_WAY }));
    refused(&verify("new@x.test", &new.code()).await, 403, "otp_expired", "Token has expired or is invalid");
    assert_eq!(verify("ana@x.test", &old.code()).await.is(200).json()["user"]["email"], "new@x.test");
    s.signed_in("new@x.test").await;
}

#[tokio::test]
async fn an_address_that_was_taken_meanwhile_stays_with_its_owner() {
    let (s, mails) = Server::with_mails(&[
        ("GOTRUE_MAILER_AUTOCONFIRM", "true"),
        ("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", "false"),
    ])
    .await;
    let ana = s.signed_up("ana@x.test").await;
    ana.put(USER, json!({ "email": "new@x.test" })).await.is(200);
    let mail = mails.to("new@x.test").await;
    s.signed_up("new@x.test").await;
    assert_eq!(fragment(&s.get(&mail.path()).await.is(303))["error_code"], "email_exists");
    assert_eq!(ana.get(USER).await.json()["email"], "ana@x.test");
}
