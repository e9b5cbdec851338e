//! `GET /reauthenticate`, and the nonce of a new password

use serde_json::json;

use super::refused;
use crate::kit::{Calls, Server};

#[tokio::test]
async fn a_day_after_signing_in_a_new_password_needs_the_mailed_nonce() {
    let (s, mails) = Server::with_mails(&[
        ("GOTRUE_MAILER_AUTOCONFIRM", "true"),
        ("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION", "true"),
        ("GOTRUE_JWT_EXP", "172800"),
    ])
    .await;
    s.get("/auth/v1/reauthenticate").await.is(401);
    let ana = s.signed_up("ana@x.test").await;
    s.clock.advance(chrono::TimeDelta::hours(25));
    assert_eq!(ana.get("/auth/v1/reauthenticate").await.is(200).json(), json!({}));
    let mail = mails.to("ana@x.test").await;
    assert_eq!(mail.subject, format!("{} is your code", mail.code()));
    let change = |nonce: &str| ana.put("/auth/v1/user", json!({ "password": "quite another one", "nonce": nonce }));
    let invalid = "Nonce has expired or is invalid";
    refused(&change("000").await, 422, "reauthentication_not_valid", invalid);
    change(&mail.code()).await.is(200);
    refused(&change(&mail.code()).await, 422, "reauthentication_not_valid", invalid);
}
