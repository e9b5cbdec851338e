//! Private channels: the policies of `realtime.messages` decide.

use serde_json::json;

use super::{plain, private};
use crate::kit::{Calls, Live, Server};

/// Members read in their rooms; only those of `rooms:write` write.
const POLICIES: &str = "
    create policy \"own rooms\" on realtime.messages for select to authenticated
    using (realtime.topic() = 'user:' || auth.uid() or (realtime.topic() like 'room:%' and extension = 'broadcast')
           or realtime.topic() = 'write');
    create policy \"writers\" on realtime.messages for insert to authenticated
    with check (realtime.topic() = 'write' and extension = 'broadcast');
    create policy \"raises\" on realtime.messages as restrictive for select to authenticated
    using (realtime.topic() <> 'raises' or 1 / (length(realtime.topic()) - 6) > 0)";

#[tokio::test]
async fn policies_decide_who_reads_and_writes() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    admin.batch_execute(POLICIES).await.unwrap();
    let (ana, bea) = (server.signed_up("ana@x.test").await, server.signed_up("bea@x.test").await);
    let mut of_ana = Live::open(&server.url, &ana.access_token).await;
    let mut of_bea = Live::open(&server.url, &server.anon_key).await;
    let own = format!("realtime:user:{}", ana.id);
    of_ana.joined(&own, private()).await;
    let reason =
        |topic: &str| format!("Unauthorized: You do not have permissions to read from this Channel topic: {topic}");
    let refused = of_bea.join(&own, json!({ "config": private(), "access_token": bea.access_token })).await;
    assert_eq!(refused["response"]["reason"], reason(&own["realtime:".len()..]));
    let refused = of_bea.join("realtime:write", json!({ "config": private() })).await;
    assert_eq!(refused["response"]["reason"], reason("write"), "anon");
    let refused = of_ana.join("realtime:raises", json!({ "config": private() })).await;
    assert_eq!(refused["response"]["reason"], reason("raises"), "a policy that raises");

    // A public channel of the same name is another topic.
    let mut stranger = Live::open(&server.url, &server.anon_key).await;
    stranger.joined("realtime:write", plain()).await;
    of_ana.joined("realtime:write", private()).await;
    of_bea.join("realtime:write", json!({ "config": private(), "access_token": bea.access_token })).await;
    of_ana.send("realtime:write", "broadcast", json!({ "event": "e", "payload": 1 })).await;
    assert_eq!(of_bea.message().await.payload["payload"], 1);
    stranger.is_silent().await;

    // No right to write: no answer at all, and nobody hears it.
    let config = json!({ "private": true, "broadcast": { "ack": true } });
    of_ana.joined("realtime:room:1", config).await;
    of_bea.join("realtime:room:1", json!({ "config": private(), "access_token": bea.access_token })).await;
    of_ana.send("realtime:room:1", "broadcast", json!({ "event": "e", "payload": 1 })).await;
    of_ana.is_silent().await;
    of_bea.is_silent().await;
    let track = of_ana.send("realtime:room:1", "presence", json!({ "event": "track" })).await;
    assert_eq!(of_ana.reply(&track).await, json!({ "status": "error", "response": {} }));
    // The probes leave nothing behind.
    let left = admin.query_one("select count(*) from realtime.messages", &[]).await.unwrap();
    assert_eq!(left.get::<_, i64>(0), 0);
}

#[tokio::test]
async fn http_asks_the_policies_too() {
    let server = Server::start().await;
    server.database.connect().await.batch_execute(POLICIES).await.unwrap();
    let ana = server.signed_up("ana@x.test").await;
    let mut socket = Live::open(&server.url, &ana.access_token).await;
    socket.joined("realtime:write", private()).await;
    let one = |topic: &str| format!("/realtime/v1/api/broadcast/{topic}/events/e?private=true");
    ana.post(&one("write"), json!({ "n": 1 })).await.is(202);
    assert_eq!(socket.message().await.payload["payload"], json!({ "n": 1 }));
    let refused = ana.post(&one("room:1"), json!({ "n": 1 })).await.is(403);
    assert_eq!(refused.json(), json!({ "message": "Unauthorized" }));
    server.post(&one("write"), json!({ "n": 1 })).await.is(403);
    let batch = json!({ "messages": [{ "topic": "write", "event": "e", "payload": { "n": 2 }, "private": true }] });
    server.post("/realtime/v1/api/broadcast", batch.clone()).await.is(202);
    socket.is_silent().await;
    ana.post("/realtime/v1/api/broadcast", batch).await.is(202);
    assert_eq!(socket.message().await.payload["payload"], json!({ "n": 2 }));
}

#[tokio::test]
async fn a_project_can_have_private_channels_only() {
    let server = Server::with(&[("DUGOUT_REALTIME_PRIVATE_ONLY", "true")]).await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    let refused = socket.join("realtime:room", json!({ "config": {} })).await;
    assert_eq!(refused["response"]["reason"], "PrivateOnly: This project only allows private channels");
}
