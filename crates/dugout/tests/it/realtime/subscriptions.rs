//! Subscriptions to changes of tables: their tokens and what ends them.

use serde_json::{Value, json};
use tokio_postgres::Client;

use super::changes::{ANA, BEA, change, filtered, on, server, subscribed};
use super::token;
use crate::kit::{Live, Server};

/// Joins while the stream of changes cannot be opened, and replaces the token by then. `open` lets the stream begin.
async fn with_new_token(server: &Server, admin: &Client, (first, second): (&str, &str), binding: Value) -> Live {
    let mut socket = Live::open(&server.url, first).await;
    // A slot is made when the transactions that were running have ended.
    admin.batch_execute("begin; select pg_current_xact_id()").await.unwrap();
    socket.joined("realtime:changes", json!({ "postgres_changes": [binding] })).await;
    socket.send("realtime:changes", "access_token", json!({ "access_token": second })).await;
    socket.is_silent().await;
    admin.batch_execute("commit").await.unwrap();
    socket
}

#[tokio::test]
async fn a_user_who_signs_in_before_the_stream_opens_sees_their_rows() {
    let (server, admin) = server().await;
    let ana = token(&server, json!({ "sub": ANA }));
    let mut socket = with_new_token(&server, &admin, (&server.anon_key, &ana), on("own")).await;
    assert_eq!(socket.event("system").await.payload["message"], "Subscribed to PostgreSQL");
    admin.batch_execute(&format!("insert into public.own values (1, null, 'a'), (2, '{ANA}', 'b')")).await.unwrap();
    assert_eq!(change(&mut socket).await.payload["data"]["record"]["id"], 2);
    socket.is_silent().await;
}

#[tokio::test]
async fn a_user_who_signs_out_before_the_stream_opens_sees_nothing_more() {
    let (server, admin) = server().await;
    let tokens = (token(&server, json!({ "sub": ANA })), token(&server, json!({ "role": "anon" })));
    let mut socket = with_new_token(&server, &admin, (&tokens.0, &tokens.1), on("own")).await;
    assert_eq!(socket.event("system").await.payload["message"], "Subscribed to PostgreSQL");
    let mut witness = Live::open(&server.url, &tokens.0).await;
    witness.joined("realtime:changes", json!({ "postgres_changes": [on("own")] })).await;
    witness.event("system").await;
    admin.batch_execute(&format!("insert into public.own values (1, '{ANA}', 'a')")).await.unwrap();
    assert_eq!(change(&mut witness).await.payload["data"]["record"]["id"], 1);
    socket.is_silent().await;
}

#[tokio::test]
async fn the_columns_are_checked_for_the_new_role() {
    for (roles, status) in [(["anon", "authenticated"], "ok"), (["authenticated", "anon"], "error")] {
        let (server, admin) = server().await;
        let tokens = roles.map(|role| token(&server, json!({ "role": role, "sub": ANA })));
        let binding = filtered("some_columns", "shown=eq.yes");
        let mut socket = with_new_token(&server, &admin, (&tokens[0], &tokens[1]), binding).await;
        let said = socket.event("system").await.payload;
        assert_eq!(said["status"], status, "{roles:?}: {said}");
    }
}

/// Quick to read, and slow to compare with a long row of `a`.
const SLOW: &str = r"body=match.^(.*)(.*)(.*)(.*)(.*)\1\2\3\4\5(a)\6\1b*$";

#[tokio::test]
async fn a_slow_filter_ends_its_subscription() {
    let (server, admin) = server().await;
    let (mut slow, _) = subscribed(&server, None, json!([filtered("notes", SLOW)])).await;
    let (mut other, _) = subscribed(&server, None, json!([on("notes"), filtered("notes", "id=gt.0")])).await;
    admin.batch_execute("insert into public.notes (id, body) values (1, repeat('a', 400) || 'c')").await.unwrap();
    let heard = change(&mut other).await.payload;
    assert_eq!((&heard["data"]["record"]["id"], heard["ids"].as_array().unwrap().len()), (&json!(1), 2));
    let said = slow.message().await.payload;
    let message = said["message"].as_str().unwrap();
    assert!(said["status"] == "error" && message.contains("the filter takes too long"), "{said}");
    admin.batch_execute("insert into public.notes (id, body) values (2, 'aa')").await.unwrap();
    assert_eq!(change(&mut other).await.payload["data"]["record"]["id"], 2);
    slow.is_silent().await;
}

#[tokio::test]
async fn a_slow_filter_says_nothing_about_hidden_rows() {
    let (server, admin) = server().await;
    // The log has whole rows that are deleted, too.
    admin.batch_execute("alter table public.own replica identity full").await.unwrap();
    let (mut bea, _) = subscribed(&server, Some(BEA), json!([filtered("own", SLOW)])).await;
    let (mut ana, _) = subscribed(&server, Some(ANA), json!([on("own")])).await;
    let insert = format!("insert into public.own values (1, '{ANA}', repeat('a', 400) || 'c')");
    for statement in [insert.as_str(), "update public.own set id = 2", "delete from public.own"] {
        admin.batch_execute(statement).await.unwrap();
        change(&mut ana).await;
        bea.is_silent().await;
    }
    // Its own rows are compared.
    admin.batch_execute(&format!("insert into public.own values (3, '{BEA}', 'b'), (4, '{BEA}', 'aa')")).await.unwrap();
    assert_eq!(change(&mut bea).await.payload["data"]["record"]["id"], 4);
    admin.batch_execute("update public.own set body = repeat('a', 400) || 'c' where id = 4").await.unwrap();
    let said = bea.message().await.payload;
    assert!(said["message"].as_str().unwrap().contains("the filter takes too long"), "{said}");
}

#[tokio::test]
async fn filters_on_deleted_rows_of_others_know_the_key_only() {
    let (server, admin) = server().await;
    admin.batch_execute("alter table public.own replica identity full").await.unwrap();
    let insert = format!("insert into public.own values (1, '{ANA}', 'secret'), (2, '{ANA}', 'other')");
    admin.batch_execute(&insert).await.unwrap();
    let filters =
        json!([filtered("own", "body=eq.secret"), filtered("own", "body=like.s%"), filtered("own", "id=eq.2")]);
    let (mut bea, ids) = subscribed(&server, Some(BEA), filters).await;
    admin.batch_execute("delete from public.own where id = 1; delete from public.own where id = 2").await.unwrap();
    let heard = change(&mut bea).await.payload;
    assert_eq!((&heard["ids"], &heard["data"]["old_record"]), (&json!([ids[2]]), &json!({ "id": 2 })));
    bea.is_silent().await;
}

#[tokio::test]
async fn types_of_a_schema_that_a_role_cannot_use_are_shown_too() {
    let (server, admin) = server().await;
    let table =
        "create schema app; grant usage on schema app to authenticated; create type app.mood as enum ('sad', 'ok');
        create table public.moods (id int primary key, mood app.mood, moods app.mood[]);
        grant select on public.moods to anon, authenticated;
        alter publication supabase_realtime add table public.moods";
    admin.batch_execute(table).await.unwrap();
    let (mut ana, _) = subscribed(&server, Some(ANA), json!([on("moods")])).await;
    let (mut anon, _) = subscribed(&server, None, json!([on("moods")])).await;
    admin.batch_execute("insert into public.moods values (1, 'sad', '{sad,ok}')").await.unwrap();
    let record = change(&mut ana).await.payload["data"]["record"].clone();
    assert_eq!(record, json!({ "id": 1, "mood": "sad", "moods": ["sad", "ok"] }));
    let record = change(&mut anon).await.payload["data"]["record"].clone();
    assert_eq!(record, json!({ "id": 1, "mood": "sad", "moods": "{sad,ok}" }), "as text");
}

#[tokio::test]
async fn without_sockets_there_is_no_slot_however_much_is_written() {
    let (server, admin) = server().await;
    let (socket, _) = subscribed(&server, None, json!([on("notes")])).await;
    let count = "select count(*) from pg_replication_slots where database = current_database()";
    assert_eq!(admin.query_one(count, &[]).await.unwrap().get::<_, i64>(0), 1);
    drop(socket);
    let gone = tokio::time::timeout(std::time::Duration::from_secs(60), async {
        while admin.query_one(count, &[]).await.unwrap().get::<_, i64>(0) > 0 {
            admin.batch_execute("insert into public.notes (id) values (1); delete from public.notes").await.unwrap();
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    });
    assert!(gone.await.is_ok(), "the slot of a server without sockets stays");
}
