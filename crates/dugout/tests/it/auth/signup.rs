//! `POST /signup`

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{claims, refused};
use crate::kit::{Calls, PASSWORD, Server};

const SIGNUP: &str = "/auth/v1/signup";
/// An hour is longer than the slowest machine needs between two sign-ups.
const UNCONFIRMED: &[(&str, &str)] = &[("GOTRUE_MAILER_AUTOCONFIRM", "false"), ("GOTRUE_SMTP_MAX_FREQUENCY", "1h")];

#[tokio::test]
async fn with_autoconfirm_a_new_user_is_signed_in() {
    let s = Server::start().await;
    let body = json!({ "email": "Ana@X.test", "password": PASSWORD, "data": { "full_name": "Ana", "sub": "forged" } });
    let answer = s.post(SIGNUP, body).await;
    insta::assert_snapshot!(answer.wire());
    let session = answer.json();
    let id = session["user"]["id"].as_str().unwrap();
    assert_eq!(answer.header("sb-auth-user-id"), id);
    let token = claims(session["access_token"].as_str().unwrap());
    assert_eq!((&token["sub"], &token["role"], &token["aal"]), (&json!(id), &json!("authenticated"), &json!("aal1")));
    assert_eq!((&token["aud"], &token["amr"][0]["method"]), (&json!("authenticated"), &json!("password")));
    assert_eq!(token["session_id"], answer.header("sb-auth-session-id"));
    assert_eq!(
        token["exp"].as_i64().unwrap() - token["iat"].as_i64().unwrap(),
        session["expires_in"].as_i64().unwrap()
    );

    let db = s.database.connect().await;
    let hash: String = db.query_one("select encrypted_password from auth.users", &[]).await.unwrap().get(0);
    assert!(hash.starts_with("$2a$10$"), "{hash}");
    let identity = db.query_one("select provider_id, identity_data from auth.identities", &[]).await.unwrap();
    assert_eq!(identity.get::<_, String>(0), id);
    // The user's own claim does not become the provider's data.
    assert_eq!(identity.get::<_, Value>(1)["sub"], id);
    let audit = db
        .query(
            "select payload ->> 'action', payload ->> 'actor_name' from auth.audit_log_entries order by created_at",
            &[],
        )
        .await
        .unwrap();
    let audit: Vec<(String, String)> = audit.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert_eq!(audit, [("user_signedup".into(), "Ana".into()), ("login".into(), "Ana".into())]);
}

#[tokio::test]
async fn without_autoconfirm_a_new_user_must_confirm() {
    let s = Server::with(UNCONFIRMED).await;
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    let answer = s.post(SIGNUP, body.clone()).await;
    insta::assert_snapshot!(answer.wire());
    let row = s
        .database
        .connect()
        .await
        .query_one(
            "select u.confirmation_token, t.token_hash, t.relates_to from auth.users u
             join auth.one_time_tokens t on t.user_id = u.id and t.token_type = 'confirmation_token'",
            &[],
        )
        .await
        .unwrap();
    assert_eq!(row.get::<_, String>(0).len(), 56, "the length of GoTrue's SHA-224 in hexadecimal");
    assert_eq!(row.get::<_, String>(0), row.get::<_, String>(1));
    assert_eq!(row.get::<_, String>(2), "ana@x.test");

    let answer = s.post("/auth/v1/token?grant_type=password", body.clone()).await;
    refused(&answer, 400, "email_not_confirmed", "Email not confirmed");
    let answer = s.post(SIGNUP, body).await.is(429);
    assert_eq!(answer.header("x-sb-error-code"), "over_email_send_rate_limit", "{}", answer.body);
}

#[tokio::test]
async fn a_taken_address_looks_like_a_free_one() {
    let s = Server::with(UNCONFIRMED).await;
    let sign_up =
        |email: &str| s.post(SIGNUP, json!({ "email": email, "password": "another one", "data": { "a": 1 } }));
    let first = sign_up("ana@x.test").await.is(200).json();
    let db = s.database.connect().await;
    db.execute("update auth.users set email_confirmed_at = now()", &[]).await.unwrap();
    let (taken, free) = (sign_up("ana@x.test").await.is(200).json(), sign_up("bob@x.test").await.is(200).json());
    let keys = |user: &Value| user.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&taken), keys(&free));
    assert_ne!(taken["id"], first["id"]);
    assert_eq!((&taken["identities"], &taken["user_metadata"]), (&json!([]), &json!({ "a": 1 })));
    let count: i64 = db.query_one("select count(*) from auth.users", &[]).await.unwrap().get(0);
    assert_eq!(count, 2);
}

#[tokio::test]
async fn with_autoconfirm_a_taken_address_is_refused() {
    let s = Server::start().await;
    s.signed_up("ana@x.test").await;
    let answer = s.post(SIGNUP, json!({ "email": "ANA@x.test", "password": PASSWORD })).await;
    refused(&answer, 422, "user_already_exists", "User already registered");
}

/// An account that was invited, or never confirmed before autoconfirm was enabled, must not go to its next visitor.
#[tokio::test]
async fn autoconfirm_does_not_open_unconfirmed_accounts() {
    let (s, mails) = Server::with_mails(&[
        ("GOTRUE_MAILER_AUTOCONFIRM", "true"),
        ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"),
        ("GOTRUE_SMS_AUTOCONFIRM", "true"),
        ("GOTRUE_SMS_TEST_OTP", "4911:123456"),
    ])
    .await;
    let admin = |path: &str, body: Value| s.as_service(reqwest::Method::POST, path).json(&body);
    admin("/auth/v1/invite", json!({ "email": "ana@x.test" })).await.is(200);
    mails.to("ana@x.test").await;
    for body in
        [json!({ "email": "ben@x.test", "password": PASSWORD }), json!({ "phone": "4911", "password": PASSWORD })]
    {
        admin("/auth/v1/admin/users", body).await.is(200);
    }
    let db = s.database.connect().await;
    for (kind, address) in [("email", "ana@x.test"), ("email", "ben@x.test"), ("phone", "4911")] {
        let answer = s.post(SIGNUP, json!({ kind: address, "password": "a stranger's" })).await.is(200).json();
        assert_eq!((&answer["access_token"], &answer[kind]), (&Value::Null, &json!(address)), "{answer}");
    }
    s.post("/auth/v1/otp", json!({ "email": "ben@x.test" })).await.is(200);
    let confirmed = "select count(*) from auth.users where confirmed_at is not null";
    let sessions = "select count(*) from auth.sessions";
    for sql in [confirmed, sessions] {
        assert_eq!(db.query_one(sql, &[]).await.unwrap().get::<_, i64>(0), 0, "{sql}");
    }
    // The owner of the address signs in with the code sent there; no password has changed.
    for address in ["ana@x.test", "ben@x.test"] {
        let body = json!({ "type": "signup", "email": address, "token": mails.to(address).await.code() });
        if address == "ben@x.test" {
            // The second request has sent another one.
            let body = json!({ "type": "signup", "email": address, "token": mails.to(address).await.code() });
            s.post("/auth/v1/verify", body).await.is(200);
        } else {
            s.post("/auth/v1/verify", body).await.is(200);
        }
        let stranger = json!({ "email": address, "password": "a stranger's" });
        s.post("/auth/v1/token?grant_type=password", stranger).await.is(400);
    }
    s.signed_in("ben@x.test").await;
    s.post("/auth/v1/verify", json!({ "type": "sms", "phone": "4911", "token": "123456" })).await.is(200);
}

#[tokio::test]
async fn of_two_concurrent_sign_ups_one_succeeds() {
    let s = Server::start().await;
    let sign_up = || async { s.post(SIGNUP, json!({ "email": "ana@x.test", "password": PASSWORD })).await };
    let mut statuses: Vec<u16> = join_all((0..6).map(|_| sign_up())).await.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422, 422, 422, 422, 422]);
}

#[tokio::test]
async fn bad_input_is_refused_as_by_gotrue() {
    let s = Server::start().await;
    let long = "a".repeat(73);
    for (body, status, code, message) in [
        ("", 400, "bad_json", "Could not parse request body as JSON: unexpected end of JSON input"),
        (
            "tru",
            400,
            "bad_json",
            "Could not parse request body as JSON: invalid character ' ' in literal true (expecting 'e')",
        ),
        (
            "hello",
            400,
            "bad_json",
            "Could not parse request body as JSON: invalid character 'h' looking for beginning of value",
        ),
        (
            r#"{"email":1,"password":"secret12"}"#,
            400,
            "bad_json",
            "Could not parse request body as JSON: json: cannot unmarshal number into Go struct field SignupParams.email of type string",
        ),
        ("{}", 422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled"),
        (r#"{"email":"a@x.test"}"#, 400, "validation_failed", "Signup requires a valid password"),
        (
            &format!(r#"{{"email":"a@x.test","password":"{long}"}}"#),
            400,
            "validation_failed",
            "Password cannot be longer than 72 characters",
        ),
        (
            r#"{"email":"nonsense","password":"secret12"}"#,
            400,
            "validation_failed",
            "Unable to validate email address: invalid format",
        ),
        (r#"{"phone":"1234567","password":"secret12"}"#, 400, "phone_provider_disabled", "Phone signups are disabled"),
        (
            r#"{"email":"a@x.test","password":"secret12","data":{"a":"\u0000"}}"#,
            400,
            "validation_failed",
            "Text must not contain the character U+0000",
        ),
    ] {
        refused(&s.post(SIGNUP, Value::Null).body(body.to_owned()).await, status, code, message);
    }
    let weak = s.post(SIGNUP, json!({ "email": "a@x.test", "password": "abc" }));
    insta::assert_snapshot!("weak_password", weak.await.wire());
    let weak = s.post(SIGNUP, json!({ "email": "a@x.test", "password": "abc" }));
    let weak = weak.header("x-supabase-api-version", "2024-01-01").await;
    insta::assert_snapshot!("weak_password_2024", weak.wire());
}

#[tokio::test]
async fn disabled_sign_up_methods_are_refused() {
    let s = Server::with(&[("GOTRUE_DISABLE_SIGNUP", "true")]).await;
    let answer = s.post(SIGNUP, json!({ "email": "a@x.test", "password": PASSWORD })).await;
    refused(&answer, 422, "signup_disabled", "Signups not allowed for this instance");
    let s = Server::with(&[("GOTRUE_EXTERNAL_EMAIL_ENABLED", "false")]).await;
    let answer = s.post(SIGNUP, json!({ "email": "a@x.test", "password": PASSWORD })).await;
    refused(&answer, 400, "email_provider_disabled", "Email signups are disabled");
}

#[tokio::test]
async fn errors_of_triggers_are_reported_as_by_gotrue() {
    let s = Server::start().await;
    s.database
        .connect()
        .await
        .batch_execute(
            "create function public.no_eve() returns trigger language plpgsql as $$ begin
               if new.email = 'eve@x.test' then raise 'not Eve' using hint = 'be somebody else'; end if;
               perform 1 / (new.email <> 'zero@x.test')::int;
               return new;
             end $$;
             create trigger no_eve after insert on auth.users for each row execute function public.no_eve()",
        )
        .await
        .unwrap();
    let sign_up = |email: &str| s.post(SIGNUP, json!({ "email": email, "password": PASSWORD }));
    let raised = sign_up("eve@x.test").await.is(500);
    let id = raised.header("x-request-id").to_owned();
    assert!(!id.is_empty());
    assert_eq!(
        raised.json(),
        json!({ "code": "P0001", "message": "not Eve", "hint": "be somebody else", "error_id": id })
    );
    let told = sign_up("eve@x.test").header("x-supabase-api-version", "2024-01-01").await.is(500);
    assert_eq!(
        (&told.json()["code"], &told.json()["message"]),
        (&json!("unexpected_failure"), &json!("Database error saving new user"))
    );
    let broken = sign_up("zero@x.test").await.is(500);
    assert_eq!(broken.json()["msg"], "Database error saving new user", "the error of a trigger is not shown");
    let count: i64 = s.database.connect().await.query_one("select count(*) from auth.users", &[]).await.unwrap().get(0);
    assert_eq!(count, 0);
}

#[tokio::test]
async fn an_anonymous_user_becomes_a_permanent_one() {
    let s = Server::with(&[("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true")]).await;
    let session = s.post(SIGNUP, json!({ "data": { "a": 1 } })).await.is(200).json();
    let token = session["access_token"].as_str().unwrap();
    assert_eq!((&session["user"]["is_anonymous"], &session["user"]["identities"]), (&json!(true), &json!([])));
    assert_eq!(
        (&claims(token)["is_anonymous"], &claims(token)["amr"][0]["method"]),
        (&json!(true), &json!("anonymous"))
    );
    let update = |body: Value| s.put("/auth/v1/user", body).bearer(token);
    let answer = update(json!({ "password": PASSWORD })).await;
    let message = "Updating password of an anonymous user without an email or phone is not allowed";
    refused(&answer, 422, "validation_failed", message);
    let user = update(json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200).json();
    assert_eq!((&user["is_anonymous"], &user["email"]), (&json!(false), &json!("ana@x.test")));
    assert_eq!(s.signed_in("ana@x.test").await.id, session["user"]["id"].as_str().unwrap());
}
