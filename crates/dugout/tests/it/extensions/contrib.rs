//! Extensions of contrib that PostgreSQL keeps for superusers and Supabase gives to `postgres`; and vector.

use super::Running;
use crate::kit::skip;

#[tokio::test]
async fn the_owner_installs_the_extensions_that_supabase_allows() {
    let Some(s) = Running::start().await else { return };
    s.run(
        "create extension dblink with schema extensions;
         create extension postgres_fdw with schema extensions;
         create extension moddatetime;
         create extension if not exists pg_stat_statements;
         create server elsewhere foreign data wrapper postgres_fdw options (host '127.0.0.1')",
    )
    .await;
    s.run("select count(*) from extensions.pg_stat_statements").await;
    for name in ["plperlu", "plpython3u", "file_fdw", "pageinspect"] {
        let said = s.refusal(&format!("create extension {name}")).await;
        assert_eq!(said, format!("permission denied to create extension \"{name}\""));
    }
    // The socket trusts every local connection, so dblink must refuse to connect without a password.
    let socket = s.launch.data_dir().join("run");
    let way_in = format!("host={} user=supabase_admin dbname=postgres", socket.display());
    let said = s.refusal(&format!("select extensions.dblink_connect('{way_in}')")).await;
    assert_eq!(said, "password or GSSAPI delegated credentials required");
    let said = s.refusal(&format!("select extensions.dblink_connect('{way_in} password=x')")).await;
    assert_eq!(said, "password or GSSAPI delegated credentials required");
    let said = s.refusal(&format!("select extensions.dblink_connect_u('{way_in}')")).await;
    assert_eq!(said, "permission denied for function dblink_connect_u");
}

#[tokio::test]
async fn vectors_are_indexed_and_compared() {
    let Some(s) = Running::start().await else { return };
    if s.one("select count(*) from pg_available_extensions where name = 'vector'").await == "0" {
        return skip("vector is missing: run scripts/install.sh");
    }
    s.run(
        "create extension vector with schema extensions;
         create table public.items (id int, embedding extensions.vector(3));
         create index on public.items using hnsw (embedding extensions.vector_l2_ops);
         insert into public.items values (1, '[1,2,3]'), (2, '[4,5,6]')",
    )
    .await;
    assert_eq!(
        s.one("select id from public.items order by embedding operator(extensions.<->) '[4,4,6]' limit 1").await,
        "2"
    );
}
