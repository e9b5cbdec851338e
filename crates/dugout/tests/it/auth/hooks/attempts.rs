//! `password-verification`: called on every attempt.

use serde_json::json;

use super::{at, database, in_database, one, receiver, server, server_over};
use crate::auth::refused;
use crate::kit::{Answer, Calls, Saying, Server};

async fn sign_in(s: &Server, email: &str, password: &str) -> Answer {
    s.post("/auth/v1/token?grant_type=password", json!({ "email": email, "password": password })).await
}

#[tokio::test]
async fn an_http_hook_receives_right_and_wrong_passwords_and_may_reject_both() {
    let hook = receiver();
    let s = server(at("password_verification_attempt", &hook.url), &[]).await;
    let ana = s.signed_up("ana@x.test").await;
    let right = crate::kit::PASSWORD;
    sign_in(&s, "ana@x.test", right).await.is(200);
    let told = one(&hook);
    assert_eq!((&told["metadata"]["name"], &told["valid"]), (&json!("password-verification"), &json!(true)));
    assert_eq!(told["user_id"], json!(ana.id));
    let usual = "Invalid login credentials";
    refused(&sign_in(&s, "ana@x.test", "wrong").await, 400, "invalid_credentials", usual);
    assert_eq!(one(&hook)["valid"], false);
    refused(&sign_in(&s, "nobody@x.test", "wrong").await, 400, "invalid_credentials", usual);
    assert!(hook.caught().is_empty(), "the hook is not called for an unknown user");

    hook.answers_at("", Saying::json(200, &json!({ "decision": "reject" })));
    let said = "Further password verification attempts will be rejected.";
    refused(&sign_in(&s, "ana@x.test", right).await, 400, "invalid_credentials", said);
    ana.get("/auth/v1/user").await.is(200);
    let output = json!({ "decision": "reject", "message": "wait an hour", "should_logout_user": true });
    hook.answers_at("", Saying::json(200, &output));
    refused(&sign_in(&s, "ana@x.test", "wrong").await, 400, "invalid_credentials", "wait an hour");
    assert_eq!(ana.get("/auth/v1/user").await.is(403).json()["error_code"], "session_not_found");
    // Only exactly this word rejects.
    hook.answers_at("", Saying::json(200, &json!({ "decision": "Reject", "should_logout_user": true })));
    sign_in(&s, "ana@x.test", right).await.is(200);
}

#[tokio::test]
async fn a_function_counts_wrong_passwords() {
    // Upstream's own example: after two wrong attempts every attempt is rejected.
    let body = "declare wrong bigint; begin
        insert into public.seen values (event);
        select count(*) into wrong from public.seen where not (seen.event->>'valid')::boolean;
        if wrong > 1 then return '{\"decision\":\"reject\",\"message\":\"too many\"}'; end if;
        return '{\"decision\":\"continue\"}'; end";
    let s = server_over(database("jsonb", body).await, in_database("password_verification_attempt"), &[]).await;
    s.signed_up("ana@x.test").await;
    sign_in(&s, "ana@x.test", "wrong").await.is(400);
    s.signed_in("ana@x.test").await;
    refused(&sign_in(&s, "ana@x.test", "wrong").await, 400, "invalid_credentials", "too many");
    refused(&sign_in(&s, "ana@x.test", crate::kit::PASSWORD).await, 400, "invalid_credentials", "too many");
    assert_eq!(super::seen(&s.database).await.len(), 4, "the function's writes are kept even if it rejects");
}
