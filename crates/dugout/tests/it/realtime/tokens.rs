//! The life of a channel's token.

use serde_json::json;

use super::{plain, private, token};
use crate::kit::{Calls, Live, Server};

#[tokio::test]
async fn an_expired_token_closes_its_channel_and_not_the_socket() {
    let server = Server::start().await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:other", plain()).await;
    let short = token(&server, json!({ "exp": server.clock.unix() + 2 }));
    let reply = socket.join("realtime:room", json!({ "config": {}, "access_token": short })).await;
    assert_eq!(reply["status"], "ok");
    let said = socket.message().await;
    let message = said.payload["message"].as_str().unwrap();
    assert!(message.starts_with("Token has expired ") && message.ends_with(" seconds ago"), "{message}");
    assert_eq!(
        (said.event.as_str(), &said.payload["status"], &said.payload["channel"]),
        ("system", &json!("error"), &json!("room"))
    );
    assert_eq!(socket.message().await.event, "phx_close");
    socket.is_silent().await;
    let reply = socket.join("realtime:room", json!({ "config": {}, "access_token": short })).await;
    let reason = reply["response"]["reason"].as_str().unwrap();
    assert!(reason.starts_with("InvalidJWTToken: Token has expired "), "{reason}");
    let reply = socket.join("realtime:room", json!({ "config": {}, "access_token": "sb_publishable_any" })).await;
    assert_eq!(reply["status"], "ok", "an opaque key stands for the connection's token");
}

#[tokio::test]
async fn a_new_token_keeps_the_channel_or_loses_it() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    let policy = "create policy p on realtime.messages for select to authenticated
        using (auth.jwt() ->> 'may' = 'yes' or (auth.jwt() ->> 'may' = 'presence' and extension = 'presence'))";
    admin.batch_execute(policy).await.unwrap();
    let now = server.clock.unix();
    let may = |exp: i64, may: &str| token(&server, json!({ "may": may, "exp": exp }));
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    let join = json!({ "config": private(), "access_token": may(now + 3, "yes") });
    assert_eq!(socket.join("realtime:room", join).await["status"], "ok");
    // In time: the channel outlives its first token.
    socket.send("realtime:room", "access_token", json!({ "access_token": may(now + 3600, "yes") })).await;
    server.clock.advance(chrono::TimeDelta::seconds(5));
    socket.is_silent().await;
    for (answer, lost) in [
        ("presence", "You no longer have permission to read from this Channel topic: room"),
        ("no", "You do not have permissions to read from this Channel topic: room"),
    ] {
        let join = json!({ "config": private(), "access_token": may(now + 3600, "yes") });
        assert_eq!(socket.join("realtime:room", join).await["status"], "ok");
        socket.send("realtime:room", "access_token", json!({ "access_token": may(now + 3600, answer) })).await;
        let said = socket.event("system").await.payload;
        assert_eq!((&said["message"], &said["status"]), (&json!(lost), &json!("error")));
        assert_eq!(socket.message().await.event, "phx_close");
    }
}

#[tokio::test]
async fn the_end_of_a_session_closes_its_channels() {
    let server = Server::start().await;
    let ana = server.signed_up("ana@x.test").await;
    let bea = server.signed_up("bea@x.test").await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:open", plain()).await;
    for (topic, user) in [("realtime:ana", &ana), ("realtime:bea", &bea)] {
        let join = json!({ "config": {}, "access_token": user.access_token });
        assert_eq!(socket.join(topic, join).await["status"], "ok");
    }
    ana.post("/auth/v1/logout", json!({})).await.is(204);
    let said = socket.message().await;
    assert_eq!((said.event.as_str(), said.topic.as_str()), ("system", "realtime:ana"));
    assert_eq!(said.payload["message"], "The session of this token has ended");
    let closed = socket.message().await;
    assert_eq!((closed.event.as_str(), closed.topic.as_str()), ("phx_close", "realtime:ana"));
    socket.is_silent().await;
}

#[tokio::test]
async fn a_session_that_ended_unheard_closes_its_channels() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    let open = "select bool_or(has_function_privilege(role, 'auth.ended_sessions(uuid[])', 'execute'))
        from unnest(array['anon', 'authenticated', 'service_role']) role";
    assert!(!admin.query_one(open, &[]).await.unwrap().get::<_, bool>(0), "sessions are nobody else's business");
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:open", plain()).await;
    let mut users = Vec::new();
    for name in ["ana", "bea", "cy"] {
        let user = server.signed_up(&format!("{name}@x.test")).await;
        let join = json!({ "config": {}, "access_token": user.access_token });
        assert_eq!(socket.join(&format!("realtime:{name}"), join).await["status"], "ok");
        users.push(user);
    }
    // Without triggers nobody is notified.
    let unheard = [
        format!("set session_replication_role = replica; delete from auth.sessions where user_id = '{}'", users[0].id),
        // As after a token that was used twice: the session stays without a valid token.
        format!("update auth.refresh_tokens set revoked = true where user_id = '{}'", users[1].id),
    ];
    let lose = "select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'listen %'";
    for (topic, end) in ["realtime:ana", "realtime:bea"].into_iter().zip(unheard) {
        admin.batch_execute(&end).await.unwrap();
        socket.is_silent().await;
        tokio::time::timeout(std::time::Duration::from_secs(60), async {
            while admin.query(lose, &[]).await.unwrap().is_empty() {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        })
        .await
        .expect("a listener");
        let said = socket.message().await;
        assert_eq!((said.topic.as_str(), said.event.as_str()), (topic, "system"));
        assert_eq!(said.payload["message"], "The session of this token has ended");
        assert_eq!(socket.message().await.event, "phx_close");
    }
    socket.is_silent().await;
}
