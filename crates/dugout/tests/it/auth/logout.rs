//! `POST /logout`

use serde_json::Value;

use super::refused;
use crate::kit::{Calls, Server, User};

async fn alive(user: &User) -> bool {
    user.get("/auth/v1/user").await.status == 200
}

#[tokio::test]
async fn each_scope_ends_its_sessions_and_their_tokens_at_once() {
    let s = Server::start().await;
    let bob = s.signed_up("bob@x.test").await;
    let a = s.signed_up("ana@x.test").await;
    let (b, mut c) = (s.signed_in("ana@x.test").await, s.signed_in("ana@x.test").await);

    assert_eq!(a.post("/auth/v1/logout?scope=local", Value::Null).await.is(204).body, "");
    assert!(!alive(&a).await && alive(&b).await && alive(&c).await);
    b.post("/auth/v1/logout?scope=others", Value::Null).await.is(204);
    assert!(alive(&b).await && !alive(&c).await);
    let refresh = c.refresh().await;
    refused(&refresh, 400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
    let d = s.signed_in("ana@x.test").await;
    b.post("/auth/v1/logout", Value::Null).await.is(204);
    assert!(!alive(&b).await && !alive(&d).await);
    assert!(alive(&bob).await, "other people's sessions are theirs");
    let gone = "Session from session_id claim in JWT does not exist";
    refused(&b.post("/auth/v1/logout", Value::Null).await, 403, "session_not_found", gone);
}

#[tokio::test]
async fn refusals_are_gotrues() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let answer = s.post("/auth/v1/logout", Value::Null).await;
    refused(&answer, 401, "no_authorization", "This endpoint requires a valid Bearer token");
    let answer = ana.post("/auth/v1/logout?scope=all", Value::Null).await;
    refused(&answer, 400, "validation_failed", "Unsupported logout scope \"all\"");
    assert!(alive(&ana).await);
}
