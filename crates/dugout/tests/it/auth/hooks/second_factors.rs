//! `mfa-verification`: called on every code of a second factor.

use serde_json::{Value, json};

use super::{at, database, in_database, one, receiver, seen, server, server_over};
use crate::auth::factors::{challenge, code, enroll, verify};
use crate::auth::refused;
use crate::kit::{Answer, Calls, HttpCatcher, Saying, Server, User};

const NAME: &str = "mfa_verification_attempt";
const WRONG: &str = "Invalid TOTP code entered";

/// An unverified factor, and answers to its challenges.
struct Attempts<'a> {
    s: &'a Server,
    user: &'a User,
    factor: Value,
}

impl<'a> Attempts<'a> {
    async fn of(s: &'a Server, user: &'a User) -> Self {
        let factor = enroll(user, "app").await.is(200).json();
        Attempts { s, user, factor }
    }

    /// With the right code or a wrong one.
    async fn answer(&self, right: bool) -> Answer {
        let asked = challenge(self.user, &self.factor).await;
        let shown = code(self.s, self.factor["totp"]["secret"].as_str().unwrap());
        let other = if shown == "000000" { "111111" } else { "000000" };
        verify(self.user, &self.factor, &asked, if right { &shown } else { other }).await
    }

    async fn status(&self) -> String {
        let id: uuid::Uuid = self.factor["id"].as_str().unwrap().parse().unwrap();
        let sql = "select status::text from auth.mfa_factors where id = $1";
        self.s.database.connect().await.query_one(sql, &[&id]).await.unwrap().get(0)
    }
}

fn says(hook: &HttpCatcher, output: &Value) {
    hook.answers_at("", Saying::json(200, output));
}

#[tokio::test]
async fn an_http_hook_receives_right_and_wrong_codes_and_may_reject_both() {
    let hook = receiver();
    let s = server(at(NAME, &hook.url), &[]).await;
    let ana = s.signed_up("ana@x.test").await;
    let attempts = Attempts::of(&s, &ana).await;
    says(&hook, &json!({ "decision": "continue" }));
    refused(&attempts.answer(false).await, 422, "mfa_verification_failed", WRONG);
    let told = one(&hook);
    assert_eq!((&told["metadata"]["name"], &told["valid"]), (&json!("mfa-verification"), &json!(false)));
    assert_eq!(
        (&told["user_id"], &told["factor_id"], &told["factor_type"]),
        (&json!(ana.id), &attempts.factor["id"], &json!("totp"))
    );
    // Only exactly this word rejects.
    says(&hook, &json!({ "decision": "Reject" }));
    ana.get("/auth/v1/user").await.is(200);
    refused(&attempts.answer(false).await, 422, "mfa_verification_failed", WRONG);
    assert_eq!(one(&hook)["valid"], false);

    // A right code is rejected like a wrong one, and the user is signed out everywhere.
    says(&hook, &json!({ "decision": "reject" }));
    let usual = "Further MFA verification attempts will be rejected.";
    let elsewhere = s.signed_in("ana@x.test").await;
    refused(&attempts.answer(true).await, 403, "mfa_verification_rejected", usual);
    assert_eq!((&one(&hook)["valid"], attempts.status().await.as_str()), (&json!(true), "unverified"));
    for user in [&ana, &elsewhere] {
        let gone = "Session from session_id claim in JWT does not exist";
        refused(&user.get("/auth/v1/user").await, 403, "session_not_found", gone);
    }
    let ana = s.signed_in("ana@x.test").await;
    let attempts = Attempts { s: &s, user: &ana, factor: attempts.factor };
    says(&hook, &json!({ "decision": "reject", "message": "ask at the desk" }));
    refused(&attempts.answer(false).await, 403, "mfa_verification_rejected", "ask at the desk");
    hook.caught();

    let ana = s.signed_in("ana@x.test").await;
    let attempts = Attempts { s: &s, user: &ana, factor: attempts.factor };
    says(&hook, &json!({ "decision": "continue" }));
    attempts.answer(true).await.is(200);
    assert_eq!((&one(&hook)["valid"], attempts.status().await.as_str()), (&json!(true), "verified"));
}

#[tokio::test]
async fn if_the_hook_fails_the_code_is_refused() {
    let hook = receiver();
    let s = server(at(NAME, &hook.url), &[]).await;
    let ana = s.signed_up("ana@x.test").await;
    let attempts = Attempts::of(&s, &ana).await;
    let error = json!({ "error": { "http_code": 418, "message": "closed for today" } });
    says(&hook, &error);
    let answer = attempts.answer(true).await.is(418);
    assert_eq!(answer.json()["msg"], "closed for today");
    assert_eq!(attempts.status().await, "unverified");
    ana.get("/auth/v1/user").await.is(200);
}

#[tokio::test]
async fn a_function_counts_wrong_codes() {
    // Upstream's own example: after a wrong attempt every attempt is rejected.
    let body = "declare wrong bigint; begin
        insert into public.seen values (event);
        select count(*) into wrong from public.seen where not (seen.event->>'valid')::boolean;
        if wrong > 1 then return '{\"decision\":\"reject\",\"message\":\"too many\"}'; end if;
        return '{\"decision\":\"continue\"}'; end";
    let s = server_over(database("jsonb", body).await, in_database(NAME), &[]).await;
    let ana = s.signed_up("ana@x.test").await;
    let attempts = Attempts::of(&s, &ana).await;
    refused(&attempts.answer(false).await, 422, "mfa_verification_failed", WRONG);
    refused(&attempts.answer(false).await, 403, "mfa_verification_rejected", "too many");
    let ana = s.signed_in("ana@x.test").await;
    let attempts = Attempts { s: &s, user: &ana, factor: attempts.factor };
    refused(&attempts.answer(true).await, 403, "mfa_verification_rejected", "too many");
    let valid: Vec<Value> = seen(&s.database).await.iter().map(|event| event["valid"].clone()).collect();
    assert_eq!(json!(valid), json!([false, false, true]), "the function's writes are kept even if it rejects");
}
