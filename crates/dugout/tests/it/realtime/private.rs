//! Private channels: the policies of `realtime.messages` decide.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{plain, private, token};
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

/// Reads and writes may be canceled, by a claim.
const CANCELED: &str = "
    create function public.decides() returns boolean language plpgsql as $$ begin
      if auth.jwt() ->> 'slow' = 'yes' then
        raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled';
      end if;
      return true;
    end $$;
    create policy reads on realtime.messages for select to authenticated using (public.decides());
    create policy writes on realtime.messages for insert to authenticated with check (public.decides())";

const WITHOUT_PARTITION: &str = "
    do $$ begin
      execute format('alter table realtime.messages detach partition realtime.%I',
        'messages_' || to_char(now() at time zone 'utc', 'YYYY_MM_DD'));
    end $$";

/// What a refused join, a message by HTTP and a new token of the channel `realtime:room` are answered.
async fn answers(server: &Server, socket: &mut Live, token: &str) -> [String; 3] {
    let reply = socket.join("realtime:other", json!({ "config": private(), "access_token": token })).await;
    let path = "/realtime/v1/api/broadcast/room/events/e?private=true";
    let by_http = server.post(path, json!({ "n": 1 })).bearer(token).await.is(422).json();
    socket.send("realtime:room", "access_token", json!({ "access_token": token })).await;
    let said = socket.event("system").await.payload;
    assert_eq!((&said["status"], &said["channel"]), (&json!("error"), &json!("room")), "{said}");
    assert_eq!(socket.message().await.event, "phx_close");
    [&reply["response"]["reason"], &by_http["message"], &said["message"]].map(|text| text.as_str().unwrap().to_owned())
}

#[tokio::test]
async fn why_the_database_does_not_answer_is_said_as_upstream_does() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    admin.batch_execute(CANCELED).await.unwrap();
    let quick = |n: i32| token(&server, json!({ "n": n }));
    let mut socket = Live::open(&server.url, &quick(0)).await;
    socket.joined("realtime:room", private()).await;
    let found = answers(&server, &mut socket, &token(&server, json!({ "slow": "yes" }))).await;
    let canceled = "QueryCanceled: ERROR 57014 (query_canceled) canceling statement due to statement timeout";
    assert_eq!(found, [canceled, "Query canceled", "Query was cancelled, please try again"]);

    socket.joined("realtime:room", private()).await;
    // The table stays, so that its name cannot be given to a new partition.
    admin.batch_execute(WITHOUT_PARTITION).await.unwrap();
    let found = answers(&server, &mut socket, &quick(1)).await;
    let missing = "MissingPartition: Realtime was unable to find the expected messages partition";
    let unable = "Realtime was unable to connect to the project database";
    assert_eq!(found, [missing, "Missing messages partition", unable]);
}

#[tokio::test]
async fn a_database_without_a_free_connection_is_said_as_upstream_does() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    let token = token(&server, json!({}));
    let mut socket = Live::open(&server.url, &token).await;
    let database: String = admin.query_one("select current_database()", &[]).await.unwrap().get(0);
    admin.batch_execute(&format!("alter database \"{database}\" connection limit 0")).await.unwrap();
    let begun = Instant::now();
    loop {
        let lost = "select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()";
        admin.query(lost, &[]).await.unwrap();
        let reply = socket.join("realtime:room", json!({ "config": private() })).await;
        let reason = reply["response"]["reason"].as_str().unwrap();
        if reason == "DatabaseLackOfConnections: Database can't accept more connections, Realtime won't connect" {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{reason}");
    }
    let path = "/realtime/v1/api/broadcast/room/events/e?private=true";
    let refused = server.post(path, json!({ "n": 1 })).bearer(&token).await.is(422);
    assert_eq!(refused.json(), json!({ "message": "Tenant database has too many connections" }));
    admin.batch_execute(&format!("alter database \"{database}\" connection limit -1")).await.unwrap();
}
