//! Changes of tables.

use serde_json::{Value, json};
use tokio_postgres::Client;

use super::token;
use crate::kit::{Heard, Live, Server};

/// Tables with and without row security, all published.
const TABLES: &str = "
    create table public.notes (id bigint primary key, owner uuid, body text, tags text[], n numeric, at timestamptz, ok bool);
    create table public.own (id int primary key, owner uuid, body text);
    alter table public.own enable row level security;
    create policy own on public.own for select to authenticated using (owner = (select auth.uid()));
    create table public.keyless (a int);
    create table public.full_identity (id int primary key, a text, b text);
    alter table public.full_identity replica identity full;
    create table public.some_columns (id int primary key, shown text, hidden text);
    create table public.no_key_right (id int primary key, shown text);
    grant all on public.notes, public.own, public.keyless, public.full_identity to anon, authenticated, service_role;
    revoke all on public.some_columns, public.no_key_right from anon, authenticated;
    grant select (id, shown) on public.some_columns to authenticated;
    grant select (shown) on public.no_key_right to authenticated;
    alter publication supabase_realtime add table public.notes, public.own, public.keyless, public.full_identity,
      public.some_columns, public.no_key_right";

pub(super) const ANA: &str = "00000000-0000-4000-8000-00000000000a";
pub(super) const BEA: &str = "00000000-0000-4000-8000-00000000000b";

pub(super) async fn server() -> (Server, Client) {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    admin.batch_execute(TABLES).await.unwrap();
    (server, admin)
}

pub(super) fn on(table: &str) -> Value {
    json!({ "event": "*", "schema": "public", "table": table })
}

pub(super) fn filtered(table: &str, filter: &str) -> Value {
    json!({ "event": "*", "schema": "public", "table": table, "filter": filter })
}

/// Opens a socket, subscribes to changes and waits for the confirmation. Returns the ids of the subscriptions.
pub(super) async fn subscribed(server: &Server, user: Option<&str>, bindings: Value) -> (Live, Vec<Value>) {
    let token = match user {
        Some(user) => token(server, json!({ "sub": user })),
        None => server.anon_key.clone(),
    };
    let mut socket = Live::open(&server.url, &token).await;
    let joined = socket.joined("realtime:changes", json!({ "postgres_changes": bindings })).await;
    let said = socket.event("system").await.payload;
    assert_eq!(said["message"], "Subscribed to PostgreSQL", "{said}");
    assert_eq!(
        (&said["extension"], &said["status"], &said["channel"]),
        (&json!("postgres_changes"), &json!("ok"), &json!("changes"))
    );
    let ids = joined["postgres_changes"].as_array().unwrap().iter().map(|binding| binding["id"].clone()).collect();
    (socket, ids)
}

pub(super) async fn change(socket: &mut Live) -> Heard {
    let heard = socket.message().await;
    assert_eq!(heard.event, "postgres_changes", "{heard:?}");
    heard
}

#[tokio::test]
async fn rows_arrive_as_supabase_sends_them() {
    let (server, admin) = server().await;
    let binding = json!({ "event": "INSERT", "schema": "public", "table": "notes", "select": ["body"] });
    let (mut socket, ids) = subscribed(&server, None, json!([on("notes"), binding, on("notes")])).await;
    assert_eq!(ids[0], ids[2], "equal subscriptions share their id");
    let insert = "insert into public.notes values (9007199254740993, null, 'a\"b', '{x,\"y z\"}', 1.50, '2026-01-02 03:04:05.678+02', true)";
    admin.batch_execute(insert).await.unwrap();
    let heard = change(&mut socket).await;
    assert_eq!((heard.topic.as_str(), &heard.join_ref), ("realtime:changes", &json!("realtime:changes")));
    let (ids_told, data) = (&heard.payload["ids"], &heard.payload["data"]);
    let record = json!({ "id": 9_007_199_254_740_993_i64, "owner": null, "body": "a\"b", "tags": ["x", "y z"], "n": 1.5,
                         "at": "2026-01-02T01:04:05.678+00:00", "ok": true });
    assert_eq!(ids_told, &json!([ids[0], ids[2]]));
    assert_eq!(data["record"], record);
    let types: Vec<&str> =
        data["columns"].as_array().unwrap().iter().map(|own| own["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["int8", "uuid", "text", "_text", "numeric", "timestamptz", "bool"]);
    assert_eq!((&data["schema"], &data["table"], &data["type"]), (&json!("public"), &json!("notes"), &json!("INSERT")));
    assert_eq!((&data["errors"], data.get("old_record")), (&Value::Null, None));
    let time = data["commit_timestamp"].as_str().unwrap();
    assert!(time.len() == 24 && time.ends_with('Z') && chrono::DateTime::parse_from_rfc3339(time).is_ok(), "{time}");
    // The subscription with a selection has a message of its own.
    let heard = change(&mut socket).await.payload;
    assert_eq!(
        (&heard["ids"], &heard["data"]["record"]),
        (&json!([ids[1]]), &json!({ "id": 9_007_199_254_740_993_i64, "body": "a\"b" }))
    );

    admin.batch_execute("update public.notes set body = 'c'").await.unwrap();
    let data = change(&mut socket).await.payload["data"].clone();
    assert_eq!(
        (&data["record"]["body"], &data["old_record"]),
        (&json!("c"), &json!({ "id": 9_007_199_254_740_993_i64 }))
    );
    admin.batch_execute("delete from public.notes").await.unwrap();
    let data = change(&mut socket).await.payload["data"].clone();
    assert_eq!(
        (&data["type"], &data["old_record"], data.get("record")),
        (&json!("DELETE"), &json!({ "id": 9_007_199_254_740_993_i64 }), None)
    );
    // What is rolled back never happened.
    admin
        .batch_execute("begin; insert into public.notes (id) values (1); rollback; truncate public.notes")
        .await
        .unwrap();
    socket.is_silent().await;
}

#[tokio::test]
async fn filters_compare_by_type() {
    let (server, admin) = server().await;
    let all = [
        ("id=eq.10", vec![10]),
        ("id=gt.9", vec![10, 11]),
        ("id=neq.10", vec![9, 11]),
        ("id=in.(9,11)", vec![9, 11]),
        ("id=not.in.(9,11)", vec![10]),
        ("n=lt.10", vec![9]),
        ("body=eq.\"a,b\"", vec![9]),
        ("body=like.a%", vec![9, 10]),
        ("body=imatch.^AB", vec![10]),
        ("body=is.null", vec![11]),
        ("body=neq.x", vec![9, 10]),
        ("ok=is.true", vec![10]),
        ("body=isdistinct.abc", vec![9, 11]),
        ("id=gte.10,id=lt.11", vec![10]),
        ("at=gt.2026-01-01T00:00:00Z", vec![10]),
        ("", vec![9, 10, 11]),
    ];
    let bindings: Vec<Value> = all.iter().map(|(filter, _)| filtered("notes", filter)).collect();
    let (mut socket, ids) = subscribed(&server, None, json!(bindings)).await;
    let rows = "insert into public.notes (id, body, n, at, ok) values
                (9, 'a,b', 9, '2025-01-01', false), (10, 'abc', 10.5, '2027-01-01', true), (11, null, null, null, null)";
    admin.batch_execute(rows).await.unwrap();
    for row in [9, 10, 11] {
        let heard = change(&mut socket).await.payload;
        assert_eq!(heard["data"]["record"]["id"], row);
        let told: Vec<&Value> = heard["ids"].as_array().unwrap().iter().collect();
        for ((filter, rows), id) in all.iter().zip(&ids) {
            assert_eq!(told.contains(&id), rows.contains(&row), "{filter} on {row}");
        }
    }
    // Of a deleted row only the key is known.
    admin.batch_execute("delete from public.notes where id = 9").await.unwrap();
    let told = change(&mut socket).await.payload["ids"].clone();
    let told = told.as_array().unwrap();
    assert!(told.contains(&ids[3]) && !told.contains(&ids[6]), "by key, and not by body: {told:?}");
    socket.is_silent().await;
}

#[tokio::test]
async fn everybody_sees_only_the_rows_of_their_policies() {
    let (server, admin) = server().await;
    let (mut ana, _) = subscribed(&server, Some(ANA), json!([on("own")])).await;
    let (mut also_ana, _) = subscribed(&server, Some(ANA), json!([on("own")])).await;
    let (mut bea, _) = subscribed(&server, Some(BEA), json!([on("own")])).await;
    let (mut anon, _) = subscribed(&server, None, json!([on("own")])).await;
    let mut service = Live::open(&server.url, &server.service_role_key).await;
    service.joined("realtime:s", json!({ "postgres_changes": [on("own")] })).await;
    service.event("system").await;
    // One statement for several rows and owners: one evaluation of (select auth.uid()) must not serve them all.
    let rows = format!(
        "insert into public.own values (1, '{ANA}', 'a'), (2, '{BEA}', 'b'), (3, '{ANA}', 'c'), (4, null, 'd')"
    );
    admin.batch_execute(&rows).await.unwrap();
    for (socket, expected) in
        [(&mut ana, vec![1, 3]), (&mut also_ana, vec![1, 3]), (&mut bea, vec![2]), (&mut service, vec![1, 2, 3, 4])]
    {
        for id in expected {
            assert_eq!(change(socket).await.payload["data"]["record"]["id"], id);
        }
    }
    for socket in [&mut ana, &mut also_ana, &mut bea, &mut anon, &mut service] {
        socket.is_silent().await;
    }
    // Another owner: who may see the row now is told.
    admin.batch_execute(&format!("update public.own set owner = '{BEA}' where id = 1")).await.unwrap();
    assert_eq!(change(&mut bea).await.payload["data"]["record"]["id"], 1);
    ana.is_silent().await;
    // The policy changes while they are subscribed.
    admin.batch_execute("drop policy own on public.own; update public.own set body = 'x' where id = 2").await.unwrap();
    bea.is_silent().await;
    // Everybody learns that a row is gone, and nothing of it but its key.
    admin
        .batch_execute("alter table public.own replica identity full; delete from public.own where id = 2")
        .await
        .unwrap();
    for socket in [&mut ana, &mut bea, &mut anon] {
        let data = change(socket).await.payload["data"].clone();
        assert_eq!((&data["type"], &data["old_record"]), (&json!("DELETE"), &json!({ "id": 2 })));
    }
}

#[tokio::test]
async fn a_row_that_has_just_been_committed_is_not_missed() {
    let (server, admin) = server().await;
    let (mut ana, _) = subscribed(&server, Some(ANA), json!([on("own")])).await;
    // The log of changes has a commit before other transactions see it.
    admin.batch_execute("set synchronous_commit = on").await.unwrap();
    for id in 0..150 {
        admin.batch_execute(&format!("insert into public.own values ({id}, '{ANA}', 'a')")).await.unwrap();
        assert_eq!(change(&mut ana).await.payload["data"]["record"]["id"], id);
    }
}

#[tokio::test]
async fn a_policy_that_raises_or_keeps_state_concerns_its_own_claims_only() {
    let (server, admin) = server().await;
    // It remembers the first user it saw, as policies do that keep something expensive in a setting.
    let policy = "create function public.me() returns uuid language plpgsql as $$
                  begin
                    if coalesce(current_setting('app.me', true), '') = '' then
                      perform set_config('app.me', auth.uid()::text, false);
                    end if;
                    if auth.uid() = '00000000-0000-4000-8000-00000000000c' then raise exception 'no'; end if;
                    return current_setting('app.me')::uuid;
                  end $$;
                  alter policy own on public.own using (owner = public.me())";
    admin.batch_execute(policy).await.unwrap();
    let (mut ana, _) = subscribed(&server, Some(ANA), json!([on("own")])).await;
    let (mut bea, _) = subscribed(&server, Some(BEA), json!([on("own")])).await;
    let (mut raising, _) = subscribed(&server, Some("00000000-0000-4000-8000-00000000000c"), json!([on("own")])).await;
    for (id, owner) in [(1, ANA), (2, BEA), (3, ANA), (4, BEA)] {
        admin.batch_execute(&format!("insert into public.own values ({id}, '{owner}', 'x')")).await.unwrap();
    }
    for (socket, expected) in [(&mut ana, [1, 3]), (&mut bea, [2, 4])] {
        for id in expected {
            assert_eq!(change(socket).await.payload["data"]["record"]["id"], id);
        }
        socket.is_silent().await;
    }
    raising.is_silent().await;
}

#[tokio::test]
async fn columns_and_keys_decide_what_is_shown() {
    let (server, admin) = server().await;
    let tables = ["keyless", "full_identity", "some_columns", "no_key_right"];
    let (mut socket, _) = subscribed(&server, Some(ANA), json!(tables.map(on))).await;
    admin.batch_execute("insert into public.keyless values (1)").await.unwrap();
    let data = change(&mut socket).await.payload["data"].clone();
    assert_eq!(data["errors"], json!(["Error 400: Bad Request, no primary key"]));
    assert_eq!((&data["record"], &data["columns"], &data["commit_timestamp"]), (&json!({}), &json!([]), &Value::Null));

    admin.batch_execute("insert into public.some_columns values (1, 'yes', 'no')").await.unwrap();
    let data = change(&mut socket).await.payload["data"].clone();
    assert_eq!(data["record"], json!({ "id": 1, "shown": "yes" }));
    assert_eq!(data["columns"], json!([{ "name": "id", "type": "int4" }, { "name": "shown", "type": "text" }]));
    admin.batch_execute("insert into public.no_key_right values (1, 'yes')").await.unwrap();
    let data = change(&mut socket).await.payload["data"].clone();
    assert_eq!((&data["errors"], &data["record"]), (&json!(["Error 401: Unauthorized"]), &json!({})));

    let long =
        "insert into public.full_identity select 1, string_agg(md5(n::text), ''), 'b' from generate_series(1, 1000) n";
    admin.batch_execute(long).await.unwrap();
    let length = change(&mut socket).await.payload["data"]["record"]["a"].as_str().unwrap().len();
    admin.batch_execute("update public.full_identity set b = 'c'").await.unwrap();
    let data = change(&mut socket).await.payload["data"].clone();
    assert_eq!(data["record"]["a"].as_str().unwrap().len(), length, "a large value that was not changed");
    assert_eq!((&data["record"]["b"], &data["old_record"]["b"]), (&json!("c"), &json!("b")));
    let large = "update public.full_identity set a = repeat('x', 1048576)";
    admin.batch_execute(large).await.unwrap();
    let data = change(&mut socket).await.payload["data"].clone();
    assert_eq!(data["errors"], json!(["Error 413: Payload Too Large"]));
    assert_eq!(data["record"], json!({ "id": 1, "b": "c" }));
    admin.batch_execute("delete from public.full_identity").await.unwrap();
    assert_eq!(change(&mut socket).await.payload["data"]["old_record"]["b"], "c");
}

#[tokio::test]
async fn odd_types_and_names_are_read_too() {
    let (server, admin) = server().await;
    let table = "create schema \"My \"\"Schema\"; create type \"My \"\"Schema\".mood as enum ('sad', 'it''s ok');
        create domain public.positive as int check (value > 0);
        create table public.\"Odd \"\"Table\" (\"the id\" uuid, \"#row\" int, primary key (\"the id\", \"#row\"),
          mood \"My \"\"Schema\".mood, moods \"My \"\"Schema\".mood[], p public.positive, r int4range, b bytea, j jsonb,
          c char(5), \"v\" varchar(3), money money, t time, i interval, d date, nan float8);
        alter table public.\"Odd \"\"Table\" enable row level security;
        create policy p on public.\"Odd \"\"Table\" for select to anon using (mood = 'it''s ok');
        grant select on public.\"Odd \"\"Table\" to anon; grant usage on schema \"My \"\"Schema\" to anon;
        alter publication supabase_realtime add table public.\"Odd \"\"Table\"";
    admin.batch_execute(table).await.unwrap();
    let name = "Odd \"Table";
    let bindings = ["mood=eq.it's ok", "p=gt.1", "c=eq.ab", "moods=eq.{sad}", "v=in.(abc,d)", "r=neq.empty"];
    let (mut socket, ids) = subscribed(&server, None, json!(bindings.map(|filter| filtered(name, filter)))).await;
    let row = "insert into public.\"Odd \"\"Table\" values ('00000000-0000-4000-8000-000000000001', 7, 'it''s ok',
        array['sad']::\"My \"\"Schema\".mood[], 2, '[1,3)', '\\x00ff', '{\"a\": [1.50]}', 'ab', 'abc', 3.5, '10:00', '1 day', '2026-01-02', 'NaN')";
    admin.batch_execute(row).await.unwrap();
    let heard = change(&mut socket).await.payload;
    assert_eq!(heard["ids"], json!(ids), "every filter passes");
    let record = admin.query_one("select to_jsonb(whole) from public.\"Odd \"\"Table\" whole", &[]).await.unwrap();
    assert_eq!(heard["data"]["record"], record.get::<_, Value>(0), "as to_jsonb writes them");
}

#[tokio::test]
async fn a_bad_subscription_is_explained_and_leaves_the_channel_open() {
    let (server, _admin) = server().await;
    let unable = "Unable to subscribe to changes with given parameters. ";
    for (binding, begin, end) in [
        (
            on("nothing"),
            format!("{unable}Please check Realtime is enabled for the given connect parameters: "),
            "[event: *, schema: public, table: nothing, filters: [], select: nil]",
        ),
        (filtered("notes", "id=foo.1"), String::new(), "Error parsing `filter` params: [\"foo\", \"1\"]"),
        (filtered("notes", "gone=eq.1"), format!("{unable}An exception happened"), "invalid column for filter gone"),
        (
            filtered("some_columns", "hidden=eq.1"),
            format!("{unable}An exception happened"),
            "invalid column for filter hidden",
        ),
        (
            filtered("notes", "id=eq.x"),
            format!("{unable}An exception happened"),
            "ERROR 22P02 (invalid_text_representation) invalid input syntax for type bigint: \"x\"",
        ),
        (
            filtered("notes", "body=match.("),
            format!("{unable}An exception happened"),
            "Exception: ERROR P0001 (raise_exception) invalid regular expression for match filter: invalid regular expression: \
             parentheses () not balanced",
        ),
        (
            filtered("notes", "id=is.true"),
            format!("{unable}An exception happened"),
            "Exception: ERROR P0001 (raise_exception) is true filter requires a boolean column, got bigint",
        ),
        (
            filtered("notes", "id=like.1"),
            format!("{unable}An exception happened"),
            "Exception: ERROR P0001 (raise_exception) operator like is not supported on column id of type bigint: operator does \
             not exist: bigint ~~ bigint",
        ),
        (json!({ "event": "*" }), "No subscription params provided. ".to_owned(), "%{\"event\" => \"*\"}"),
    ] {
        let mut socket = Live::open(&server.url, &token(&server, json!({ "sub": ANA }))).await;
        socket.joined("realtime:x", json!({ "postgres_changes": [on("notes"), binding] })).await;
        let said = socket.event("system").await.payload;
        let message = said["message"].as_str().unwrap();
        assert!(
            said["status"] == "error" && message.starts_with(&begin) && message.ends_with(end),
            "{binding}: {message}"
        );
        socket.is_silent().await;
    }
}

#[tokio::test]
async fn a_lost_stream_is_announced_and_opened_again() {
    let (server, admin) = server().await;
    let (mut socket, _) = subscribed(&server, None, json!([on("notes")])).await;
    let end = "select pg_terminate_backend(pid) from pg_stat_replication
               where pid in (select active_pid from pg_replication_slots where database = current_database())";
    admin.batch_execute(end).await.unwrap();
    let said = socket.message().await.payload;
    assert_eq!(said["status"], "error", "{said}");
    let said = socket.message().await.payload;
    assert_eq!((&said["status"], &said["message"]), (&json!("ok"), &json!("Subscribed to PostgreSQL")));
    admin.batch_execute("insert into public.notes (id) values (1)").await.unwrap();
    assert_eq!(change(&mut socket).await.payload["data"]["record"]["id"], 1);
}

#[tokio::test]
async fn a_new_token_looks_with_its_own_claims() {
    let (server, admin) = server().await;
    let (mut socket, _) = subscribed(&server, Some(ANA), json!([on("own")])).await;
    let other = token(&server, json!({ "sub": BEA }));
    socket.send("realtime:changes", "access_token", json!({ "access_token": other })).await;
    socket.is_silent().await;
    let rows = format!("insert into public.own values (1, '{ANA}', 'a'), (2, '{BEA}', 'b')");
    admin.batch_execute(&rows).await.unwrap();
    assert_eq!(change(&mut socket).await.payload["data"]["record"]["id"], 2);
    socket.is_silent().await;
}

#[tokio::test]
async fn the_old_api_names_the_table_in_the_topic() {
    let (server, admin) = server().await;
    let mut socket = Live::open_v1(&server.url, &server.anon_key).await;
    let reply = socket.join("realtime:public:notes:id=eq.1", json!({})).await;
    assert_eq!(reply["response"]["postgres_changes"].as_array().unwrap().len(), 1, "{reply}");
    assert_eq!(socket.event("system").await.payload["status"], "ok");
    admin.batch_execute("insert into public.notes (id) values (2), (1)").await.unwrap();
    let heard = socket.message().await;
    assert_eq!((heard.event.as_str(), &heard.payload["record"]["id"]), ("INSERT", &json!(1)));
}
