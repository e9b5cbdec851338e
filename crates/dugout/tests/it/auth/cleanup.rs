//! Expired rows are deleted automatically, and no others.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Calls, Server};

#[tokio::test]
async fn only_expired_rows_are_deleted() {
    let settings = [
        ("GOTRUE_DB_CLEANUP_ENABLED", "true"),
        ("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"),
        ("GOTRUE_SESSIONS_TIMEBOX", "240h"),
    ];
    let s = Server::with(&settings).await;
    let db = s.database.connect().await;
    let mut young = s.signed_up("young@x.test").await;
    young.refresh().await.is(200);
    for name in ["revoked", "ended", "boxed"] {
        let mut user = s.signed_up(&format!("{name}@x.test")).await;
        user.refresh().await.is(200);
    }
    for _ in 0..2 {
        s.post("/auth/v1/signup", json!({})).await.is(200);
    }
    // More than one batch.
    let many =
        "insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, session_id)
        select '00000000-0000-0000-0000-000000000000', 'old' || n, u.id, true, now() - interval '2 days',
            now() - interval '25 hours', s.id
        from auth.users u join auth.sessions s on s.user_id = u.id, generate_series(1, 250) n
        where u.email = 'revoked@x.test'";
    assert_eq!(db.execute(many, &[]).await.unwrap(), 250);
    let old = "update auth.sessions s set not_after = now() - interval '73 hours'
        from auth.users u where u.id = s.user_id and u.email = 'ended@x.test'";
    db.execute(old, &[]).await.unwrap();
    let old = "update auth.sessions s set created_at = now() - interval '270 hours'
        from auth.users u where u.id = s.user_id and u.email = 'boxed@x.test'";
    db.execute(old, &[]).await.unwrap();
    let old = "update auth.users set created_at = now() - interval '31 days'
        where id = (select id from auth.users where is_anonymous limit 1)";
    db.execute(old, &[]).await.unwrap();
    states(&db, "25 hours").await;
    states(&db, "23 hours").await;

    let left = "select
        (select count(*) from auth.refresh_tokens where token like 'old%')
        + (select count(*) from auth.sessions s join auth.users u on u.id = s.user_id
           where u.email in ('ended@x.test', 'boxed@x.test'))
        + (select count(*) from auth.users where is_anonymous and created_at < now() - interval '30 days')
        + (select count(*) from auth.flow_state where created_at < now() - interval '24 hours')
        + (select count(*) from auth.oauth_client_states where created_at < now() - interval '24 hours')
        + (select count(*) from auth.saml_relay_states where created_at < now() - interval '24 hours')
        + (select count(*) from auth.mfa_factors where created_at < now() - interval '24 hours')
        + (select count(*) from auth.webauthn_challenges where expires_at < now())";
    let begun = Instant::now();
    loop {
        let rows: i64 = db.query_one(left, &[]).await.unwrap().get(0);
        if rows == 0 {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{rows} rows are left");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let stays = "select array[
        (select count(*) from auth.users where is_anonymous),
        (select count(*) from auth.flow_state), (select count(*) from auth.oauth_client_states),
        (select count(*) from auth.saml_relay_states), (select count(*) from auth.mfa_factors),
        (select count(*) from auth.webauthn_challenges)]";
    let stays: Vec<i64> = db.query_one(stays, &[]).await.unwrap().get(0);
    assert_eq!(stays, [1, 1, 1, 1, 1, 1]);
    young.refresh().await.is(200);
    s.as_service(Method::GET, "/auth/v1/admin/users").await.is(200);
}

/// One row of each kind that expires.
async fn states(db: &tokio_postgres::Client, age: &str) {
    let provider = Uuid::new_v4();
    let sso = "insert into auth.sso_providers (id) values ($1)";
    db.execute(sso, &[&provider]).await.unwrap();
    for sql in [
        "insert into auth.saml_relay_states (id, sso_provider_id, request_id, created_at)
         values (gen_random_uuid(), $1, 'x', now() - $2::text::interval)",
        "insert into auth.flow_state (id, auth_code, provider_type, authentication_method, created_at)
         values (gen_random_uuid(), $1::uuid::text, 'email', 'magiclink', now() - $2::text::interval)",
        "insert into auth.oauth_client_states (id, provider_type, created_at)
         values (gen_random_uuid(), $1::uuid::text, now() - $2::text::interval)",
        "insert into auth.mfa_factors (id, user_id, factor_type, status, friendly_name, created_at, updated_at)
         select gen_random_uuid(), id, 'totp', 'unverified', $1::uuid::text, now() - $2::text::interval, now()
         from auth.users where email = 'young@x.test'",
        "insert into auth.webauthn_challenges (id, challenge_type, session_data, expires_at)
         values ($1, 'authentication', '{}', now() + interval '24 hours' - $2::text::interval)",
    ] {
        db.execute(sql, &[&provider, &age]).await.unwrap_or_else(|error| panic!("{error:?}: {sql}"));
    }
}
