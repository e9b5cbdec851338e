//! Broadcasts that SQL sends.

use serde_json::{Value, json};
use tokio_postgres::Client;

use super::private;
use crate::kit::{Live, Server};

const READERS: &str = "create policy readers on realtime.messages for select to anon using (realtime.topic() = 'room')";

/// A server that keeps messages, which it does once it has made their partitions.
async fn keeping() -> (Server, Client) {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    admin.batch_execute(READERS).await.unwrap();
    until(&admin, "select exists (select from pg_inherits where inhparent = 'realtime.messages'::regclass)").await;
    (server, admin)
}

/// Waits until a query says yes.
async fn until(client: &Client, query: &str) {
    let waiting = async {
        while !client.query_one(query, &[]).await.unwrap().get::<_, bool>(0) {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), waiting).await.expect(query);
}

/// A channel that was told that broadcasts from the database arrive.
async fn ready(server: &Server, private: bool) -> Live {
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    let config = json!({ "private": private, "broadcast": { "replication_ready": true } });
    socket.joined("realtime:room", config).await;
    let said = socket.event("system").await.payload;
    let expected = json!({ "extension": "system", "status": "ok", "message": "Replication connection established", "channel": "room" });
    assert_eq!(said, expected);
    socket
}

#[tokio::test]
async fn sql_sends_to_private_and_public_channels() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    admin.batch_execute(READERS).await.unwrap();
    let (mut inside, mut outside) = (ready(&server, true).await, ready(&server, false).await);
    let send = "select realtime.send('{\"n\": 1}', 'e', 'room'); select realtime.send('{\"n\": 2, \"id\": \"mine\"}', 'e', 'room', false)";
    admin.batch_execute(send).await.unwrap();
    let heard = inside.message().await.payload;
    assert_eq!((&heard["payload"]["n"], &heard["event"]), (&json!(1), &json!("e")));
    assert_eq!(heard["payload"]["id"], heard["meta"]["id"], "the row's id");
    let heard = outside.message().await.payload;
    assert_eq!(heard["payload"], json!({ "n": 2, "id": "mine" }));
    admin.batch_execute("select realtime.send_binary('\\x00ff', 'b', 'room')").await.unwrap();
    assert_eq!(inside.message().await.bytes, [0, 255]);
    // What is rolled back is not sent, and nothing that goes wrong ends the transaction.
    let odd = "begin; select realtime.send('{}', 'e', 'room'); rollback;
               create table public.kept (a int);
               begin; insert into public.kept values (1); select realtime.send(null, null, null); commit;";
    admin.batch_execute(odd).await.unwrap();
    assert_eq!(admin.query_one("select count(*) from public.kept", &[]).await.unwrap().get::<_, i64>(0), 1);
    inside.is_silent().await;
    outside.is_silent().await;
}

#[tokio::test]
async fn triggers_send_what_has_changed() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    admin.batch_execute(READERS).await.unwrap();
    let trigger = "create table public.notes (id int primary key, body text);
        create function public.tell() returns trigger language plpgsql security definer as $$
        begin
          perform realtime.broadcast_changes('room', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
          return null;
        end $$;
        create trigger tell after insert or update or delete on public.notes for each row execute function public.tell()";
    admin.batch_execute(trigger).await.unwrap();
    let mut socket = ready(&server, true).await;
    admin.batch_execute("insert into public.notes values (1, 'a'); update public.notes set body = 'b'").await.unwrap();
    let heard = socket.message().await.payload;
    assert_eq!((&heard["event"], &heard["payload"]["record"]), (&json!("INSERT"), &json!({ "id": 1, "body": "a" })));
    let heard = socket.message().await.payload["payload"].clone();
    assert_eq!((&heard["operation"], &heard["old_record"]["body"]), (&json!("UPDATE"), &json!("a")));
    assert_eq!((&heard["schema"], &heard["table"]), (&json!("public"), &json!("notes")));
}

#[tokio::test]
async fn messages_are_kept_and_replayed() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    admin.batch_execute(READERS).await.unwrap();
    let mut listening = ready(&server, true).await;
    for number in 0..3 {
        admin.batch_execute(&format!("select realtime.send('{{\"n\": {number}}}', 'e', 'room')")).await.unwrap();
    }
    for _ in 0..3 {
        listening.event("broadcast").await;
    }
    let join =
        |replay: Value, private: bool| json!({ "config": { "private": private, "broadcast": { "replay": replay } } });
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    let reply = socket.join("realtime:room", join(json!({ "since": 0, "limit": 2 }), true)).await;
    assert_eq!(reply["status"], "ok", "{reply}");
    for number in [1, 2] {
        let heard = socket.message().await.payload;
        assert_eq!((&heard["payload"]["n"], &heard["meta"]["replayed"]), (&json!(number), &json!(true)));
    }
    socket.is_silent().await;
    for (replay, is_private, reason) in [
        (json!({}), true, "UnableToReplayMessages: Replay params are not valid"),
        (json!({ "since": "x" }), true, "UnableToReplayMessages: Replay params are not valid"),
        (json!({ "since": 0 }), false, "UnableToReplayMessages: Replay is not allowed for public channels"),
    ] {
        let reply = socket.join("realtime:room", join(replay, is_private)).await;
        assert_eq!(reply["response"]["reason"], reason);
    }
}

#[tokio::test]
async fn between_a_replay_and_what_follows_nothing_is_missing() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    admin.batch_execute(READERS).await.unwrap();
    let mut listening = ready(&server, true).await;
    // Each message is a transaction of its own, and many are under way during each join.
    let sender = server.database.connect().await;
    let sending = tokio::spawn(async move {
        let send = "do $$ begin for n in 1..4000 loop
            perform realtime.send(jsonb_build_object('n', n), 'e', 'room'); commit;
          end loop; end $$";
        sender.batch_execute(send).await.unwrap();
    });
    let replay = json!({ "config": { "private": true, "broadcast": { "replay": { "since": 0, "limit": 25 } } } });
    let mut joins = 0;
    while !sending.is_finished() || joins < 20 {
        let mut socket = Live::open(&server.url, &server.anon_key).await;
        let reply = socket.join("realtime:room", replay.clone()).await;
        assert_eq!(reply["status"], "ok", "{reply}");
        let mut heard: Vec<i64> = Vec::new();
        while heard.len() < 40 {
            let Some(message) = socket.heard_within(std::time::Duration::from_secs(2)).await else { break };
            let n = message.payload["payload"]["n"].as_i64().unwrap();
            // On a busy machine the log of changes is behind the table: what is older than the replay may still come.
            if heard.first().is_none_or(|first| n >= *first) {
                heard.push(n);
            }
        }
        let expected: Vec<i64> = (heard[0]..).take(heard.len()).collect();
        assert_eq!(heard, expected, "replayed and then live, each once");
        joins += 1;
        // The first one reads along, so that it is not disconnected.
        while listening.heard_within(std::time::Duration::from_millis(1)).await.is_some() {}
    }
    sending.await.unwrap();
}

#[tokio::test]
async fn a_message_right_after_the_first_join_arrives() {
    let (server, admin) = keeping().await;
    // Messages are stamped in UTC, whatever the time zone of a session is.
    let send =
        |n: i32, zone: &str| format!("set timezone = '{zone}'; select realtime.send('{{\"n\": {n}}}', 'e', 'room')");
    admin.batch_execute(&send(0, "Asia/Tokyo")).await.unwrap();
    // Longer than it takes to notice a join.
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:room", private()).await;
    // The stream is not open yet.
    admin.batch_execute(&send(1, "America/New_York")).await.unwrap();
    assert_eq!(socket.message().await.payload["payload"]["n"], 1);
    socket.is_silent().await;
}

#[tokio::test]
async fn a_message_that_is_committed_after_the_first_join_arrives() {
    let (server, admin) = keeping().await;
    let other = server.database.connect().await;
    admin.batch_execute("begin; select realtime.send('{\"n\": 1}', 'e', 'room')").await.unwrap();
    // Later, and committed before anybody joins.
    other.batch_execute("select realtime.send('{\"n\": 0}', 'e', 'room')").await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    let mut socket = Live::open(&server.url, &server.anon_key).await;
    socket.joined("realtime:room", private()).await;
    // The stream begins when this transaction has ended.
    let opening = "select exists (select from pg_replication_slots where database = current_database())";
    until(&other, opening).await;
    admin.batch_execute("commit").await.unwrap();
    assert_eq!(socket.message().await.payload["payload"]["n"], 1);
    socket.is_silent().await;
}

#[tokio::test]
async fn who_joins_while_the_stream_closes_hears_nothing_old() {
    let (server, admin) = keeping().await;
    let locker = server.database.connect().await;
    let first = ready(&server, false).await;
    // More than are remembered.
    let send = "do $$ begin for n in 1..20100 loop
        perform realtime.send(jsonb_build_object('n', n), 'e', 'other', false);
      end loop; end $$";
    admin.batch_execute(send).await.unwrap();
    drop(first);
    // The stream closes when nobody was there for a while, and waits for this lock before.
    locker.batch_execute("begin; lock table realtime.messages in access exclusive mode").await.unwrap();
    let closing = "select exists (select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%from realtime.messages%')";
    until(&admin, closing).await;
    let mut second = Live::open(&server.url, &server.anon_key).await;
    second.joined("realtime:other", json!({ "broadcast": { "replication_ready": true } })).await;
    locker.batch_execute("commit").await.unwrap();
    let heard = second.message().await;
    assert_eq!((heard.event.as_str(), &heard.payload["status"]), ("system", &json!("ok")), "{heard:?}");
    admin.batch_execute("select realtime.send('{\"n\": 0}', 'e', 'other', false)").await.unwrap();
    assert_eq!(second.message().await.payload["payload"]["n"], 0);
}

#[tokio::test]
async fn broadcasts_of_a_lost_stream_are_sent_when_it_is_back() {
    let (server, admin) = keeping().await;
    // Nobody had joined when this was sent.
    admin.batch_execute("select realtime.send('{\"n\": 0}', 'e', 'room')").await.unwrap();
    let mut socket = ready(&server, true).await;
    let mut outside = ready(&server, false).await;
    admin.batch_execute("select realtime.send('{\"n\": 1}', 'e', 'room')").await.unwrap();
    assert_eq!(socket.message().await.payload["payload"]["n"], 1);
    for round in 1..=3 {
        // The stream ends at once, and is opened again after 100 ms at the earliest.
        let lose = "select pg_terminate_backend(active_pid, 5000) from pg_replication_slots
            where active and database = current_database()";
        admin.batch_execute(lose).await.unwrap();
        for n in 0..5 {
            let payload = format!("{{\"n\": {}}}", round * 10 + n);
            admin.batch_execute(&format!("select realtime.send('{payload}', 'e', 'room')")).await.unwrap();
            admin.batch_execute(&format!("select realtime.send('{payload}', 'e', 'room', false)")).await.unwrap();
        }
        for n in 0..5 {
            for socket in [&mut socket, &mut outside] {
                let heard = socket.message().await.payload;
                assert_eq!(heard["payload"]["n"], round * 10 + n);
                assert_eq!(heard["payload"]["id"], heard["meta"]["id"]);
            }
        }
    }
    admin.batch_execute("select realtime.send('{\"n\": 100}', 'e', 'room')").await.unwrap();
    assert_eq!(socket.message().await.payload["payload"]["n"], 100);
    socket.is_silent().await;
    outside.is_silent().await;
}
