//! So many readers that two connections look at their rows.

use std::collections::BTreeSet;

use serde_json::json;

use crate::kit::{Live, Server};
use crate::realtime::token;

const READERS: i64 = 70;

/// The second table has a policy whose result a shared plan would hold.
const TABLES: &str = "
    create function public.claimed_sub() returns uuid language sql immutable
      as $$ select (current_setting('request.jwt.claims', true)::jsonb ->> 'sub')::uuid $$;
    create table public.shared (id bigint primary key, owner uuid);
    create table public.unshared (id bigint primary key, owner uuid);
    alter table public.shared enable row level security;
    alter table public.unshared enable row level security;
    create policy p on public.shared for select using (owner is null or owner = (select auth.uid()));
    create policy p on public.unshared for select using (owner is null or owner = public.claimed_sub());
    grant select on public.shared, public.unshared to authenticated;
    alter publication supabase_realtime add table public.shared, public.unshared;
    create function public.write(readers int) returns void language sql as $$
      insert into public.shared select n, lpad(n::text, 32, '0')::uuid from generate_series(1, readers) as n;
      insert into public.unshared select n, lpad(n::text, 32, '0')::uuid from generate_series(1, readers) as n;
      insert into public.shared values (0, null);
      insert into public.unshared values (0, null);
    $$";

#[tokio::test]
async fn seventy_readers_each_hear_of_their_own_rows() {
    let server = Server::start().await;
    let admin = server.database.connect().await;
    admin.batch_execute(TABLES).await.unwrap();
    let mut readers = Vec::new();
    for number in 1..=READERS {
        let sub = uuid::Uuid::parse_str(&format!("{number:032}")).unwrap();
        let token = token(&server, json!({ "role": "authenticated", "sub": sub }));
        let mut socket = Live::open(&server.url, &token).await;
        let all = json!([{ "event": "INSERT", "schema": "public" }]);
        socket.joined("realtime:all", json!({ "postgres_changes": all })).await;
        assert_eq!(socket.event("system").await.payload["message"], "Subscribed to PostgreSQL");
        readers.push((number, socket));
    }
    admin.batch_execute("select public.write(70)").await.unwrap();
    for (number, socket) in &mut readers {
        let own = |id| ["shared", "unshared"].map(|table| (table.to_owned(), id));
        let expected = BTreeSet::from_iter([own(*number), own(0)].concat());
        let mut heard = BTreeSet::new();
        while !own(0).iter().all(|row| heard.contains(row)) {
            let message = socket.event("postgres_changes").await;
            let data = &message.payload["data"];
            let row = (data["table"].as_str().unwrap().to_owned(), data["record"]["id"].as_i64().unwrap());
            assert!(heard.insert(row), "{number}: twice: {data}");
        }
        assert_eq!(heard, expected, "{number}");
    }
}
