//! `before-user-created` and `after-user-created`.

use reqwest::Method;
use serde_json::{Value, json};

use super::{at, database, in_database, receiver, seen, server, server_over, users, verified};
use crate::kit::{Calls, HttpCatcher, PASSWORD, Saying};

fn both(hook: &HttpCatcher) -> Vec<(String, String)> {
    let mut settings = at("before_user_created", &hook.url);
    settings.extend(at("after_user_created", &hook.url));
    settings
}

/// The names of the called hooks, with the user in each call.
fn called(hook: &HttpCatcher) -> Vec<(String, Value)> {
    let told = |caught| {
        let event = verified(caught);
        (event["metadata"]["name"].as_str().unwrap().to_owned(), event["user"].clone())
    };
    hook.caught().iter().map(told).collect()
}

#[tokio::test]
async fn a_new_user_triggers_both_hooks() {
    let hook = receiver();
    let s = server(both(&hook), &[("GOTRUE_MAILER_AUTOCONFIRM", "false")]).await;
    let body = json!({ "email": "Ana@x.test", "password": PASSWORD, "data": { "name": "Ana" } });
    let user = s.post("/auth/v1/signup", body.clone()).await.is(200).json();
    let [(first, before), (second, after)] = called(&hook).try_into().expect("two calls");
    assert_eq!((first.as_str(), second.as_str()), ("before-user-created", "after-user-created"));
    assert_eq!(before["id"], user["id"], "the id is known beforehand");
    assert_eq!(
        before,
        json!({
            "id": user["id"], "aud": "authenticated", "role": "", "email": "ana@x.test", "phone": "",
            "app_metadata": { "provider": "email", "providers": ["email"] }, "user_metadata": { "name": "Ana" },
            "identities": [], "created_at": "0001-01-01T00:00:00Z", "updated_at": "0001-01-01T00:00:00Z",
            "is_anonymous": false,
        })
    );
    assert_eq!(after, user);
    // A repeated sign-up creates no user, but the user is still unconfirmed.
    s.post("/auth/v1/signup", body.clone()).await.is(200);
    let names: Vec<String> = called(&hook).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["after-user-created"]);
    // A confirmed user triggers neither hook.
    s.database.connect().await.batch_execute("update auth.users set email_confirmed_at = now()").await.unwrap();
    s.post("/auth/v1/signup", body).await.is(200);
    assert!(called(&hook).is_empty());
}

#[tokio::test]
async fn every_kind_of_sign_up_triggers_the_hook_and_can_be_refused() {
    let hook = receiver();
    let s = server(
        both(&hook),
        &[
            ("GOTRUE_MAILER_AUTOCONFIRM", "false"),
            ("GOTRUE_SMS_AUTOCONFIRM", "false"),
            ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"),
            ("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"),
            ("GOTRUE_SMS_TEST_OTP", "4911:123456,4912:123456"),
        ],
    )
    .await;
    let link = |kind: &str| json!({ "type": kind, "email": format!("{kind}@x.test"), "password": PASSWORD });
    for (path, body) in [
        ("signup", json!({ "email": "a@x.test", "password": PASSWORD })),
        ("signup", json!({ "phone": "4911", "password": PASSWORD })),
        ("signup", json!({})),
        ("otp", json!({ "email": "b@x.test" })),
        ("otp", json!({ "phone": "4912" })),
        ("magiclink", json!({ "email": "c@x.test" })),
        ("invite", json!({ "email": "d@x.test" })),
        ("admin/generate_link", link("signup")),
        ("admin/generate_link", link("invite")),
        ("admin/generate_link", link("magiclink")),
    ] {
        let request = || s.as_service(Method::POST, &format!("/auth/v1/{path}")).json(&body);
        hook.answers_at("/BEFORE", Saying::json(200, &json!({ "error": { "http_code": 403, "message": "no" } })));
        let count = users(&s).await;
        assert_eq!(request().await.is(403).json()["msg"], "no", "{path} {body}");
        assert_eq!((users(&s).await, called(&hook).len()), (count, 1), "{path} {body}");
        hook.answers_at("/BEFORE", Saying::json(200, &json!({})));
        request().await.is(200);
        let names: Vec<String> = called(&hook).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["before-user-created", "after-user-created"], "{path} {body}");
        assert_eq!(users(&s).await, count + 1, "{path} {body}");
    }
}

#[tokio::test]
async fn an_error_of_the_after_hook_fails_the_request_but_keeps_the_user() {
    let hook = receiver();
    let s = server(both(&hook), &[("GOTRUE_MAILER_AUTOCONFIRM", "false")]).await;
    hook.answers_at("/AFTER", Saying::json(200, &json!({ "error": { "http_code": 409, "message": "no" } })));
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    assert_eq!(s.post("/auth/v1/signup", body).await.is(500).json()["msg"], "Error invoking hook");
    let invite = s.as_service(Method::POST, "/auth/v1/invite").json(&json!({ "email": "bob@x.test" }));
    assert_eq!(invite.await.is(409).json()["msg"], "no");
    assert_eq!(users(&s).await, 2);
}

#[tokio::test]
async fn a_function_decides_who_may_sign_up() {
    let body = "begin
        insert into public.seen values (event);
        if event->'user'->>'email' not like '%@x.test' then
            return '{\"error\":{\"http_code\":403,\"message\":\"members only\"}}';
        end if;
        return '{}'; end";
    let s = server_over(database("jsonb", body).await, in_database("before_user_created"), &[]).await;
    s.signed_up("ana@x.test").await;
    let body = json!({ "email": "bob@y.test", "password": PASSWORD });
    assert_eq!(s.post("/auth/v1/signup", body).await.is(403).json()["msg"], "members only");
    assert_eq!(
        (seen(&s.database).await.len(), users(&s).await),
        (2, 1),
        "the function's writes before the user's creation are kept"
    );
}
