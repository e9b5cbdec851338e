//! `POST /invite`

use reqwest::Method;
use serde_json::json;

use super::{fragment, refused};
use crate::kit::{Calls, Server};

const INVITE: &str = "/auth/v1/invite";

#[tokio::test]
async fn an_invited_user_signs_in() {
    let (s, mails) = Server::with_mails(&[]).await;
    let body = json!({ "email": "Ana@x.test", "data": { "team": "a" } });
    let invite = || s.as_service(Method::POST, &format!("{INVITE}?redirect_to=https://app.test/join")).json(&body);
    let user = invite().await.is(200).json();
    assert_eq!((&user["email"], &user["user_metadata"]), (&json!("ana@x.test"), &json!({ "team": "a" })));
    assert!(user["invited_at"].is_string() && user.get("email_confirmed_at").is_none());
    assert_eq!(mails.to("ana@x.test").await.subject, "You are invited");
    // Again, for a user who has lost the mail.
    assert_eq!(invite().await.is(200).json()["id"], user["id"]);
    let mail = mails.to("ana@x.test").await;
    let answer = s.get(&mail.path()).await.is(303);
    assert!(answer.header("location").starts_with("https://app.test/join#"), "{}", answer.header("location"));
    let session = fragment(&answer);
    assert_eq!(session["type"], "invite");
    let choose = s.put("/auth/v1/user", json!({ "password": crate::kit::PASSWORD }));
    choose.bearer(&session["access_token"]).await.is(200);
    s.signed_in("ana@x.test").await;
    let message = "A user with this email address has already been registered";
    refused(&invite().await, 422, "email_exists", message);
    let db = s.database.connect().await;
    let audit =
        "select payload ->> 'actor_username' from auth.audit_log_entries where payload ->> 'action' = 'user_invited'";
    let rows = db.query(audit, &[]).await.unwrap();
    assert_eq!((rows.len(), rows[0].get::<_, String>(0).as_str()), (2, "service_role"));
}

#[tokio::test]
async fn only_administrators_invite() {
    let (s, _) = Server::with_mails(&[("GOTRUE_MAILER_AUTOCONFIRM", "true")]).await;
    let body = json!({ "email": "bob@x.test" });
    refused(&s.post(INVITE, body.clone()).await, 403, "not_admin", "User not allowed");
    let ana = s.signed_up("ana@x.test").await;
    refused(&ana.post(INVITE, body).await, 403, "not_admin", "User not allowed");
}
