//! `POST /logout`

use std::time::Duration;

use chrono::TimeDelta;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::{claims, refused};
use crate::kit::{Calls, Server, User};

async fn alive(user: &User) -> bool {
    user.get("/auth/v1/user").await.status == 200
}

#[tokio::test]
async fn each_scope_ends_its_sessions_immediately() {
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
    assert!(alive(&bob).await, "other users' sessions remain");
    let gone = "Session from session_id claim in JWT does not exist";
    refused(&b.post("/auth/v1/logout", Value::Null).await, 403, "session_not_found", gone);
}

#[tokio::test]
async fn a_session_cannot_end_stronger_sessions() {
    let s = Server::start().await;
    let strong = s.signed_up("ana@x.test").await;
    let (weak, third) = (s.signed_in("ana@x.test").await, s.signed_in("ana@x.test").await);
    let session = claims(&strong.access_token)["session_id"].clone();
    let set = format!("update auth.sessions set aal = 'aal2' where id = '{}'", session.as_str().unwrap());
    let unset = "update auth.sessions set aal = null where aal = 'aal1'";
    s.database.connect().await.batch_execute(&format!("{set}; {unset}")).await.unwrap();
    weak.post("/auth/v1/logout?scope=others", Value::Null).await.is(204);
    assert!(alive(&strong).await && alive(&weak).await && !alive(&third).await);
    weak.post("/auth/v1/logout?scope=global", Value::Null).await.is(204);
    assert!(alive(&strong).await && !alive(&weak).await);
    // A token without a session has the level that it states.
    let token = |aal: &str| {
        let payload = json!({
            "sub": strong.id, "role": "authenticated", "aud": "authenticated", "aal": aal, "exp": s.clock.unix() + 60,
        });
        let key = EncodingKey::from_secret(s.jwt_secret.as_bytes());
        encode(&Header::new(Algorithm::HS256), &payload, &key).unwrap()
    };
    let fourth = s.signed_in("ana@x.test").await;
    s.post("/auth/v1/logout", Value::Null).bearer(&token("aal1")).await.is(204);
    assert!(alive(&strong).await && !alive(&fourth).await);
    let fifth = s.signed_in("ana@x.test").await;
    strong.post("/auth/v1/logout?scope=others", Value::Null).await.is(204);
    assert!(alive(&strong).await && !alive(&fifth).await);
    s.post("/auth/v1/logout", Value::Null).bearer(&token("aal2")).await.is(204);
    assert!(!alive(&strong).await);
}

#[tokio::test]
async fn refusals_match_gotrue() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let answer = s.post("/auth/v1/logout", Value::Null).await;
    refused(&answer, 401, "no_authorization", "This endpoint requires a valid Bearer token");
    let answer = ana.post("/auth/v1/logout?scope=all", Value::Null).await;
    refused(&answer, 400, "validation_failed", "Unsupported logout scope \"all\"");
    assert!(alive(&ana).await);
}

/// Services that keep channels of a session open are notified when it ends, whatever ended it.
#[tokio::test]
async fn the_end_of_a_session_is_notified() {
    let s = Server::start().await;
    let listener = pg::Listener::new(&s.database.target()).unwrap();
    let mut events = listener.subscribe("auth_session_ended");
    assert_eq!(events.next().await, pg::listen::Event::Connected);
    let mut next = async || match tokio::time::timeout(Duration::from_secs(10), events.next()).await.unwrap() {
        pg::listen::Event::Notification { payload } => serde_json::from_str::<Value>(&payload).unwrap(),
        other => panic!("{other:?}"),
    };
    let ended = |user: &User| json!({ "session_id": claims(&user.access_token)["session_id"], "user_id": user.id });

    let ana = s.signed_up("ana@x.test").await;
    let (second, third) = (s.signed_in("ana@x.test").await, s.signed_in("ana@x.test").await);
    second.post("/auth/v1/logout?scope=local", Value::Null).await.is(204);
    assert_eq!(next().await, ended(&second));
    third.post("/auth/v1/logout?scope=others", Value::Null).await.is(204);
    assert_eq!(next().await, ended(&ana));
    third.post("/auth/v1/logout", Value::Null).await.is(204);
    assert_eq!(next().await, ended(&third));

    let mut bob = s.signed_up("bob@x.test").await;
    let stolen = bob.refresh_token.clone();
    bob.refresh().await.is(200);
    bob.refresh().await.is(200);
    s.clock.advance(TimeDelta::minutes(1));
    s.post("/auth/v1/token?grant_type=refresh_token", json!({ "refresh_token": stolen })).await.is(400);
    assert_eq!(next().await, ended(&bob), "a replayed token ends its session");

    let eve = s.signed_up("eve@x.test").await;
    s.database.connect().await.execute("delete from auth.users where email = 'eve@x.test'", &[]).await.unwrap();
    assert_eq!(next().await, ended(&eve), "so does the deletion of the user");
}
