//! `GET /user` and `PUT /user`

use serde_json::{Value, json};

use super::refused;
use crate::kit::{Calls, PASSWORD, Server};

const USER: &str = "/auth/v1/user";

#[tokio::test]
async fn a_token_returns_its_user() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    insta::assert_snapshot!(ana.get(USER).await.wire());
    let answer = ana.get(USER).header("x-jwt-aud", "other").await;
    refused(&answer, 400, "validation_failed", "Token audience doesn't match request audience");
}

#[tokio::test]
async fn invalid_tokens_are_refused() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let bearer = "This endpoint requires a valid Bearer token";
    refused(&s.get(USER).await, 401, "no_authorization", bearer);
    refused(&s.get(USER).header("authorization", "Basic YTpi").await, 401, "no_authorization", bearer);
    refused(&s.get(USER).bearer("a b").await, 401, "no_authorization", bearer);
    refused(&s.get(USER).bearer(&s.anon_key).await, 403, "bad_jwt", "invalid claim: missing sub claim");
    let segments = "invalid JWT: unable to parse or verify signature, token is malformed: token contains an invalid number of segments";
    refused(&s.get(USER).bearer("abc").await, 403, "bad_jwt", segments);
    let forged = format!("{}A", &ana.access_token[..ana.access_token.len() - 2]);
    assert_eq!(s.get(USER).bearer(&forged).await.is(403).header("x-sb-error-code"), "bad_jwt");
    s.clock.advance(chrono::TimeDelta::seconds(3601));
    let expired = "invalid JWT: unable to parse or verify signature, token has invalid claims: token is expired";
    refused(&ana.get(USER).await, 403, "bad_jwt", expired);
    let bob = s.signed_up("bob@x.test").await;
    // A session id that is not a string is not the same as a missing one.
    let key = jsonwebtoken::EncodingKey::from_secret(s.jwt_secret.as_bytes());
    let odd = json!({ "sub": bob.id, "role": "authenticated", "aud": "authenticated", "session_id": 7 });
    let odd = jsonwebtoken::encode(&jsonwebtoken::Header::default(), &odd, &key).unwrap();
    let reason = "invalid JWT: unable to parse or verify signature, token is malformed: could not JSON decode claim: \
                  json: cannot unmarshal number into Go struct field AccessTokenClaims.session_id of type string";
    refused(&s.get(USER).bearer(&odd).await, 403, "bad_jwt", reason);
    s.database.connect().await.execute("delete from auth.users", &[]).await.unwrap();
    refused(&bob.get(USER).await, 403, "user_not_found", "User from sub claim in JWT does not exist");
}

#[tokio::test]
async fn metadata_merge_shallowly_and_null_removes() {
    let s = Server::start().await;
    let ana = s.signed_up_with("ana@x.test", json!({ "full_name": "Ana", "deep": { "a": 1 } })).await;
    let data = json!({ "data": { "full_name": null, "deep": { "b": 2 }, "city": "Bern" } });
    let user = ana.put(USER, data).await.is(200).json();
    let metadata = &user["user_metadata"];
    assert_eq!((&metadata["deep"], &metadata["city"]), (&json!({ "b": 2 }), &json!("Bern")));
    assert_eq!(metadata.get("full_name"), None);
    assert_eq!(ana.get(USER).await.json()["user_metadata"], *metadata, "the answer equals the stored user");
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    let s = Server::start().await;
    let mut laptop = s.signed_up("ana@x.test").await;
    let mut phone = s.signed_in("ana@x.test").await;
    laptop.put(USER, json!({ "password": "another password" })).await.is(200);
    let gone = "Session from session_id claim in JWT does not exist";
    refused(&phone.get(USER).await, 403, "session_not_found", gone);
    assert_eq!(phone.refresh().await.is(400).json()["error_code"], "refresh_token_not_found");
    laptop.get(USER).await.is(200);
    laptop.refresh().await.is(200);
    let old = json!({ "email": "ana@x.test", "password": PASSWORD });
    s.post("/auth/v1/token?grant_type=password", old).await.is(400);
}

#[tokio::test]
async fn a_refresh_and_a_new_password_do_not_deadlock() {
    let s = Server::with(&[("DUGOUT_DB_POOL", "24")]).await;
    let laptop = s.signed_up("ana@x.test").await;
    let mut phone = s.signed_in("ana@x.test").await;
    // A refresh writes to the audit log between locking the session and locking the user's row: delay it there.
    s.database
        .connect()
        .await
        .batch_execute(
            "create function public.dawdle() returns trigger language plpgsql as
               $$ begin perform pg_sleep(0.5); return new; end $$;
             create trigger dawdle before insert on auth.audit_log_entries
               for each row execute function public.dawdle()",
        )
        .await
        .unwrap();
    let change = async { laptop.put(USER, json!({ "password": "another password" })).await };
    let (changed, refreshed) = futures_util::future::join(change, phone.refresh()).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    // Either may be first; a deadlock would be a 500.
    assert!([200, 400].contains(&refreshed.status), "{}", refreshed.body);
    assert_eq!(phone.get(USER).await.status, 403, "the other session has ended either way");
}

#[tokio::test]
async fn refusals_match_gotrue() {
    let s = Server::start().await;
    s.signed_up("bob@x.test").await;
    let ana = s.signed_up("ana@x.test").await;
    for (body, status, code, message) in [
        (
            json!({ "data": 1 }),
            400,
            "bad_json",
            "Could not parse request body as JSON: json: cannot unmarshal number into Go struct field UserUpdateParams.data of type map[string]interface {}",
        ),
        (
            json!({ "password": PASSWORD }),
            422,
            "same_password",
            "New password should be different from the old password.",
        ),
        (json!({ "app_metadata": { "a": 1 } }), 403, "not_admin", "Updating app_metadata requires admin privileges"),
        (json!({ "email": "x" }), 400, "validation_failed", "Unable to validate email address: invalid format"),
        (
            json!({ "email": "BOB@x.test" }),
            422,
            "email_exists",
            "A user with this email address has already been registered",
        ),
        (json!({ "phone": "abc" }), 400, "validation_failed", "Invalid phone number format (E.164 required)"),
    ] {
        refused(&ana.put(USER, body).await, status, code, message);
    }
    // Without a token the body is not read.
    s.put(USER, Value::Null).body("{").await.is(401);
    let db = s.database.connect().await;
    db.execute("update auth.users set is_sso_user = true where email = 'ana@x.test'", &[]).await.unwrap();
    let sso = "Updating email, phone, password of a SSO account only possible via SSO";
    refused(&ana.put(USER, json!({ "password": "another password" })).await, 422, "user_sso_managed", sso);
}

#[tokio::test]
async fn a_new_address_needs_both_confirmations() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let user = ana.put(USER, json!({ "email": "New@x.test" })).await.is(200).json();
    assert_eq!((&user["email"], &user["new_email"]), (&json!("ana@x.test"), &json!("new@x.test")));
    let rows = s
        .database
        .connect()
        .await
        .query("select token_type::text, relates_to from auth.one_time_tokens order by 1", &[])
        .await
        .unwrap();
    let rows: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert_eq!(
        rows,
        [
            ("email_change_token_current".into(), "ana@x.test".into()),
            ("email_change_token_new".into(), "new@x.test".into()),
        ]
    );
}

#[tokio::test]
async fn requirements_of_new_passwords_apply() {
    let s = Server::with(&[
        ("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", "true"),
        ("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION", "true"),
        ("GOTRUE_JWT_EXP", "172800"),
    ])
    .await;
    let ana = s.signed_up("ana@x.test").await;
    let demanded = "Current password required when setting new password.";
    let change = |body: Value| ana.put(USER, body);
    refused(&change(json!({ "password": "new password" })).await, 400, "current_password_required", demanded);
    let wrong = json!({ "password": "new password", "current_password": "wrong" });
    refused(&change(wrong).await, 400, "current_password_invalid", demanded);
    s.clock.advance(chrono::TimeDelta::hours(25));
    let right = json!({ "password": "new password", "current_password": PASSWORD });
    let needed = "Password update requires reauthentication";
    refused(&change(right.clone()).await, 400, "reauthentication_needed", needed);
    let mut with_nonce = right;
    with_nonce["nonce"] = json!("123456");
    refused(&change(with_nonce).await, 422, "reauthentication_not_valid", "Nonce has expired or is invalid");
}
