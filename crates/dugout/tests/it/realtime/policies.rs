//! Row policies and changes of tables: everybody is told of exactly the rows that a SELECT of theirs returns.

mod many;
mod random;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tokio_postgres::Client;

use super::token;
use crate::kit::{Live, Server};

/// Somebody who subscribes to all tables, and their claims.
struct Reader {
    name: &'static str,
    claims: Value,
    socket: Live,
}

/// A row: its table and its id.
type Row = (String, i64);

/// The claims of three users, of visitors and of the service.
fn people() -> [(&'static str, Value); 5] {
    let user = |number: u8, org: i32, level: i32, tags: Value| {
        let sub = format!("00000000-0000-4000-8000-00000000000{number}");
        json!({ "role": "authenticated", "sub": sub, "app_metadata": { "org": org, "level": level, "tags": tags } })
    };
    [
        ("anon", json!({ "role": "anon" })),
        ("ana", user(1, 1, 1, json!(["a", "b"]))),
        ("bea", user(2, 1, 3, json!(["b"]))),
        ("cy", user(3, 2, 2, json!([]))),
        ("service", json!({ "role": "service_role" })),
    ]
}

/// What policies look at besides the row, and a table that tells everybody that a round is over.
const SURROUNDINGS: &str = "
    create table public.rounds (id int primary key);
    create table public.members (org int, user_id uuid, level int, primary key (org, user_id));
    insert into public.members values (1, '00000000-0000-4000-8000-000000000001', 2), (2, '00000000-0000-4000-8000-000000000001', 1),
      (2, '00000000-0000-4000-8000-000000000003', 3);
    create function public.my_orgs() returns setof int language sql stable security definer
      as $$ select org from public.members where user_id = auth.uid() $$;
    create function public.claimed_org() returns int language sql immutable
      as $$ select (current_setting('request.jwt.claims', true)::jsonb -> 'app_metadata' ->> 'org')::int $$;
    create function public.claimed_org_inlined() returns int language sql stable as $$ select public.claimed_org() $$;
    create function public.is_claimed(org int, mine int default public.claimed_org()) returns boolean language plpgsql stable
      as $$ begin return org = mine; end $$;
    create function auth.org() returns int language sql immutable
      as $$ select (current_setting('request.jwt.claims', true)::jsonb -> 'app_metadata' ->> 'org')::int $$;
    create function storage.org() returns int language sql stable as $$ select public.claimed_org() $$;
    grant execute on function auth.org(), storage.org() to anon, authenticated, service_role;
    create view public.claimed_orgs as select public.claimed_org() as org;
    grant select on public.claimed_orgs to anon, authenticated, service_role;
    grant select on public.rounds, public.members to anon, authenticated, service_role;
    alter publication supabase_realtime add table public.rounds";

/// A table that policies can look at in every way.
fn table(name: &str) -> String {
    format!(
        "create table public.{name} (id bigint primary key, owner uuid, org int, level int, a int, b int, tag text, shared bool);
         alter table public.{name} enable row level security;
         grant select on public.{name} to anon, authenticated, service_role;
         alter publication supabase_realtime add table public.{name};"
    )
}

/// All people, subscribed to every table.
async fn readers(server: &Server) -> Vec<Reader> {
    let mut readers = Vec::new();
    for (name, claims) in people() {
        let mut socket = Live::open(&server.url, &token(server, claims.clone())).await;
        let all = json!([{ "event": "*", "schema": "public" }]);
        socket.joined("realtime:all", json!({ "postgres_changes": all })).await;
        assert_eq!(socket.event("system").await.payload["message"], "Subscribed to PostgreSQL");
        readers.push(Reader { name, claims, socket });
    }
    readers
}

impl Reader {
    /// Which of the rows a SELECT returns, asked as this reader alone.
    async fn sees(&self, admin: &mut Client, rows: &BTreeSet<Row>) -> BTreeSet<Row> {
        let transaction = admin.transaction().await.unwrap();
        let role = self.claims["role"].as_str().unwrap();
        let settings = "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
            set_config('request.jwt.claim.sub', $3, true), set_config('request.jwt.claim.role', $1, true)";
        let sub = self.claims["sub"].as_str().unwrap_or_default();
        transaction.execute(settings, &[&role, &self.claims.to_string(), &sub]).await.unwrap();
        let mut seen = BTreeSet::new();
        for (table, id) in rows {
            let select = format!("select id from public.{table} where id = $1");
            if !transaction.query(&select, &[id]).await.unwrap().is_empty() {
                seen.insert((table.clone(), *id));
            }
        }
        transaction.rollback().await.unwrap();
        seen
    }

    /// The rows that this reader is told of, until the round is over. Each is told of once.
    async fn hears(&mut self, round: i32) -> BTreeSet<Row> {
        let mut heard = BTreeSet::new();
        loop {
            let message = self.socket.message().await;
            assert_eq!(message.event, "postgres_changes", "{message:?}");
            let data = &message.payload["data"];
            let (table, id) = (data["table"].as_str().unwrap().to_owned(), data["record"]["id"].as_i64().unwrap());
            if table == "rounds" {
                assert_eq!(id, i64::from(round));
                return heard;
            }
            assert!(heard.insert((table, id)), "{}: twice: {data}", self.name);
        }
    }
}

/// Ends a round, and compares what everybody is told of with what they see.
async fn compare(admin: &mut Client, readers: &mut [Reader], round: i32, rows: &BTreeSet<Row>, about: &str) {
    admin.execute("insert into public.rounds values ($1)", &[&round]).await.unwrap();
    for reader in readers {
        let heard = reader.hears(round).await;
        let seen = reader.sees(admin, rows).await;
        assert_eq!(heard, seen, "{} in round {round}: {about}", reader.name);
    }
}

/// Eighteen tables, each with the users who may see ana's row. It belongs to the first organization and has level 2 and the tag
/// `a`.
const MATRIX: [(&str, &str, &str); 18] = [
    ("owners", "for select to authenticated using (owner = (select auth.uid()))", "ana"),
    ("owners_slowly", "for select using (owner = auth.uid())", "ana"),
    (
        "members",
        "for select to authenticated using (org in (select m.org from public.members m where m.user_id = auth.uid()))",
        "ana",
    ),
    ("definer", "for select using (org in (select public.my_orgs()))", "ana"),
    ("claimed", "for select using (((select auth.jwt()) -> 'app_metadata' ->> 'org')::int = org)", "ana bea"),
    // Their function is declared wrongly, so that each plan holds its result.
    ("immutable", "for select using (org = public.claimed_org())", "ana bea"),
    ("inlined", "for select using (org = public.claimed_org_inlined())", "ana bea"),
    ("defaults", "for select using (public.is_claimed(org))", "ana bea"),
    ("auths", "for select using (org = auth.org())", "ana bea"),
    ("storages", "for select using (org = storage.org())", "ana bea"),
    ("viewed", "for select using (org in (select v.org from public.claimed_orgs v))", "ana bea"),
    ("levels", "for select using (level <= (select (auth.jwt() -> 'app_metadata' ->> 'level')::int))", "bea cy"),
    ("tags", "for select using (auth.jwt() -> 'app_metadata' -> 'tags' ? tag)", "ana"),
    ("columns", "for select to anon using (a < b)", "anon"),
    ("roles", "for select using (auth.role() = 'authenticated')", "ana bea cy"),
    ("nobody", "for select using (false)", ""),
    ("settings", "for select using (current_setting('request.jwt.claims', true)::jsonb ->> 'sub' is null)", "anon"),
    ("everybody", "for select using (true)", "anon ana bea cy"),
];

const INSERT: &str = "insert into public.{} values (1, '00000000-0000-4000-8000-000000000001', 1, 2, 1, 2, 'a', false)";

#[tokio::test]
async fn eighteen_tables_five_readers_inserts_and_updates() {
    let server = Server::start().await;
    let mut admin = server.database.connect().await;
    admin.batch_execute(SURROUNDINGS).await.unwrap();
    for (name, policy, _) in MATRIX {
        let policy = format!("{} create policy p on public.{name}_rows {policy}", table(&format!("{name}_rows")));
        admin.batch_execute(&policy).await.unwrap();
    }
    // A second policy narrows the last table.
    let narrowed =
        "create policy q on public.everybody_rows as restrictive for select to authenticated using (tag = 'a')";
    admin.batch_execute(narrowed).await.unwrap();
    let mut readers = readers(&server).await;
    let write = |statement: &str| -> String {
        MATRIX.iter().map(|(name, ..)| statement.replace("{}", &format!("{name}_rows")) + "; ").collect()
    };
    let rows: BTreeSet<Row> = MATRIX.iter().map(|(name, ..)| (format!("{name}_rows"), 1)).collect();
    for (round, statement) in [(1, INSERT), (2, "update public.{} set b = 3")] {
        admin.batch_execute(&write(statement)).await.unwrap();
        admin.execute("insert into public.rounds values ($1)", &[&round]).await.unwrap();
        for reader in &mut readers {
            let heard = reader.hears(round).await;
            let expected = MATRIX
                .iter()
                .filter(|(_, _, who)| reader.name == "service" || who.split(' ').any(|name| name == reader.name));
            let expected: BTreeSet<Row> = expected.map(|(name, ..)| (format!("{name}_rows"), 1)).collect();
            assert_eq!(heard, expected, "{} in round {round}", reader.name);
            assert_eq!(reader.sees(&mut admin, &rows).await, expected, "{}'s own SELECT", reader.name);
        }
    }
    // Rights change while everybody is subscribed: an owner, a membership, a policy.
    for (round, statement) in [
        (3, "update public.{} set owner = '00000000-0000-4000-8000-000000000003', tag = 'b'"),
        (4, "delete from public.members; update public.{} set a = 3"),
        (5, "alter policy p on public.{} using (org = 1 and (select auth.uid()) is null); update public.{} set a = 4"),
        (6, "drop policy p on public.{}; update public.{} set a = 5"),
        (7, "alter table public.{} disable row level security; update public.{} set a = 6"),
    ] {
        admin.batch_execute(&write(statement)).await.unwrap();
        compare(&mut admin, &mut readers, round, &rows, statement).await;
    }
}

#[tokio::test]
async fn who_could_not_be_asked_in_time_is_told_so() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    let locker = server.database.connect().await;
    admin.batch_execute(SURROUNDINGS).await.unwrap();
    let policy = "create policy p on public.locked for select using (owner = (select auth.uid()))";
    admin.batch_execute(&(table("locked") + policy)).await.unwrap();
    let (_, ana) = &people()[1];
    let mut socket = Live::open(&server.url, &token(&server, ana.clone())).await;
    let all = json!([{ "event": "*", "schema": "public", "table": "locked" }]);
    socket.joined("realtime:all", json!({ "postgres_changes": all })).await;
    socket.event("system").await;
    let row =
        |id: i32| format!("insert into public.locked (id, owner) values ({id}, '{}')", ana["sub"].as_str().unwrap());
    // The lock is granted at the moment of the commit.
    admin.batch_execute(&format!("begin; {}", row(1))).await.unwrap();
    let locking = tokio::spawn(async move {
        locker.batch_execute("begin; lock table public.locked in access exclusive mode").await.unwrap();
        locker
    });
    let waits = "select count(*) from pg_locks where relation = 'public.locked'::regclass and not granted";
    while admin.query_one(waits, &[]).await.unwrap().get::<_, i64>(0) == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    admin.batch_execute("commit").await.unwrap();
    let locker = locking.await.unwrap();
    let said = socket.message().await;
    assert_eq!((said.event.as_str(), &said.payload["status"]), ("system", &json!("error")), "{said:?}");
    locker.batch_execute("rollback").await.unwrap();
    admin.batch_execute(&row(2)).await.unwrap();
    assert_eq!(socket.message().await.payload["data"]["record"]["id"], 2);
}
