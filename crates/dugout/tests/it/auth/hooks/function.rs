//! Database function hooks: both JSON types, time limit, permission, errors, transactions.

use std::time::Instant;

use serde_json::json;

use super::{database, in_database, seen, server_over, users};
use crate::kit::{Answer, Calls, PASSWORD, Server};

const EMAIL: &str = "o'neil\\ana@x.test";

async fn sign_up(s: &Server) -> Answer {
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD, "data": { "name": EMAIL } })).await
}

#[tokio::test]
async fn functions_may_take_json_or_jsonb() {
    for event in ["json", "jsonb"] {
        let note = "begin insert into public.seen values (event::jsonb); return '{}'; end";
        let database = database(event, note).await;
        let s = server_over(database, in_database("before_user_created"), &[]).await;
        sign_up(&s).await.is(200);
        let [told] = seen(&s.database).await.try_into().expect("one event");
        assert_eq!(told["user"]["user_metadata"]["name"], EMAIL, "quotes and backslashes arrive as they are");
        assert_eq!(told["metadata"]["name"], "before-user-created");
    }
}

#[tokio::test]
async fn an_empty_result_changes_nothing_and_errors_are_json() {
    let body = "begin return null; end";
    let s = server_over(database("jsonb", body).await, in_database("before_user_created"), &[]).await;
    sign_up(&s).await.is(200);
    let body = r#"begin return '{"error":{"http_code":418,"message":"I am a teapot"}}'; end"#;
    let s = server_over(database("jsonb", body).await, in_database("before_user_created"), &[]).await;
    assert_eq!(sign_up(&s).await.is(418).json()["msg"], "I am a teapot");
    assert_eq!(users(&s).await, 0);
}

#[tokio::test]
async fn errors_are_internal_unless_raised_deliberately() {
    const FAILED: &str = "Error running hook URI: pg-functions://postgres/public/hook";
    let newer = |s: &Server| {
        let body = json!({ "email": "ana@x.test", "password": PASSWORD });
        s.post("/auth/v1/signup", body).header("x-supabase-api-version", "2024-01-01")
    };
    let body = "begin return 1 / 0; end";
    let s = server_over(database("jsonb", body).await, in_database("before_user_created"), &[]).await;
    assert_eq!(sign_up(&s).await.is(500).json()["msg"], FAILED);
    let body = "begin raise sqlstate 'PT402' using message = 'pay first', hint = 'a coin'; end";
    let s = server_over(database("jsonb", body).await, in_database("before_user_created"), &[]).await;
    let raised = sign_up(&s).await.is(402).json();
    assert_eq!(
        (&raised["code"], &raised["message"], &raised["hint"]),
        (&json!("PT402"), &json!("pay first"), &json!("a coin"))
    );
    let answer = newer(&s).await.is(500).json();
    assert_eq!((&answer["code"], &answer["message"]), (&json!("unexpected_failure"), &json!(FAILED)));
    assert!(answer["error_id"].is_string());
}

#[tokio::test]
async fn a_function_times_out_after_two_seconds_and_restores_the_connection() {
    let body =
        "begin perform pg_sleep(case when event->'user'->>'email' like 'slow%' then 4 else 0 end); return '{}'; end";
    let s = server_over(database("jsonb", body).await, in_database("before_user_created"), &[]).await;
    let started = Instant::now();
    let body = json!({ "email": "slow@x.test", "password": PASSWORD });
    let answer = s.post("/auth/v1/signup", body).await.is(500).json();
    assert_eq!(answer["msg"], "Error running hook URI: pg-functions://postgres/public/hook");
    assert!((2..4).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
    sign_up(&s).await.is(200);
}

#[tokio::test]
async fn a_function_that_auth_may_not_call_is_not_called() {
    let database = database("jsonb", "begin insert into public.seen values (event); return '{}'; end").await;
    let revoke = "revoke execute on function public.hook from public, supabase_auth_admin;
        revoke execute on function public.hook from anon, authenticated, service_role";
    database.connect().await.batch_execute(revoke).await.unwrap();
    let s = server_over(database, in_database("custom_access_token"), &[]).await;
    assert_eq!(sign_up(&s).await.is(500).json()["msg"], "Error running hook URI: pg-functions://postgres/public/hook");
    assert_eq!((seen(&s.database).await.len(), users(&s).await), (0, 0), "the surrounding transaction is rolled back");
}

#[tokio::test]
async fn writes_of_a_function_are_rolled_back_with_the_sign_in() {
    let body = "begin insert into public.seen values (event); return event; end";
    let s = server_over(database("jsonb", body).await, in_database("custom_access_token"), &[]).await;
    let ana = s.signed_up("ana@x.test").await;
    assert_eq!(seen(&s.database).await.len(), 1);
    ana.get("/auth/v1/user").await.is(200);
    let body = "begin insert into public.seen values (event); return '{}'; end";
    let s = server_over(database("jsonb", body).await, in_database("custom_access_token"), &[]).await;
    assert_eq!(
        sign_up(&s).await.is(500).json()["msg"],
        "output claims do not conform to the expected schema: \n- (root): Invalid type. Expected: object, given: null\n"
    );
    assert_eq!((seen(&s.database).await.len(), users(&s).await), (0, 0));
}

/// The function is aborted with its request, while the connection returns to the pool.
#[tokio::test]
async fn an_aborted_function_leaves_no_time_limit_behind() {
    let body = "begin if event->'user'->>'email' = 'late@x.test' then perform pg_sleep(1.9); end if; return '{}'; end";
    let database = database("jsonb", body).await;
    let note = "create function public.note() returns trigger language plpgsql security definer as $f$ begin
            insert into public.seen values (to_jsonb(current_setting('statement_timeout'))); return new; end $f$;
        create trigger note before insert on auth.audit_log_entries for each row execute function public.note();";
    database.connect().await.batch_execute(note).await.unwrap();
    let limit = [("GOTRUE_API_MAX_REQUEST_DURATION", "1500ms"), ("DUGOUT_DB_POOL", "4")];
    let s = server_over(database, in_database("before_user_created"), &limit).await;
    // On a busy machine any of these requests may time out, too.
    while users(&s).await == 0 {
        sign_up(&s).await;
    }
    let late = json!({ "email": "late@x.test", "password": PASSWORD });
    assert_eq!(s.post("/auth/v1/signup", late).await.is(504).json()["error_code"], "request_timeout");
    let ana = json!({ "email": "ana@x.test", "password": PASSWORD });
    for _ in 0..12 {
        s.post("/auth/v1/token?grant_type=password", ana.clone()).await;
    }
    let settings = seen(&s.database).await;
    assert!(settings.len() > 4 && settings.iter().all(|setting| setting == "0"), "{settings:?}");
    assert_eq!(users(&s).await, 1);
}
