//! Broadcasts that SQL sends.

use serde_json::{Value, json};

use crate::kit::{Live, Server};

const READERS: &str = "create policy readers on realtime.messages for select to anon using (realtime.topic() = 'room')";

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
