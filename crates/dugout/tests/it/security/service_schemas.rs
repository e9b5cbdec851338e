//! `postgres` may replace objects in the services' schemas, and create functions in `public`. No superuser session of
//! the server may read, write or call any of them.

use pg::Target;

use crate::kit::{Account, Launch, connect};

/// Makes `postgres` a superuser as soon as a superuser session calls it, even one that has set another role.
const TRAP: &str = "
    create function public.spring() returns boolean language plpgsql as $$
    begin
      perform set_config('role', 'none', true);
      if (select rolsuper from pg_roles where rolname = current_user) then
        alter role postgres superuser;
      end if;
      return true;
    end $$;";

/// Creates the objects of `plant`, restarts the server, and returns whether a superuser session called the trap.
async fn is_sprung_by(plant: &str) -> bool {
    let launch = Launch::new(Account::Ours);
    let mut dugout = launch.start().await;
    let socket = launch.data_dir().join("run");
    let owner = connect(&Target::unix(&socket, 5432, "postgres", "postgres")).await;
    owner.batch_execute(&format!("{TRAP}{plant}")).await.unwrap();
    drop(owner);
    dugout.stop().await;
    let mut dugout = launch.start().await;
    let owner = connect(&Target::unix(&socket, 5432, "postgres", "postgres")).await;
    let sql = "select rolsuper from pg_catalog.pg_roles where rolname operator(pg_catalog.=) 'postgres'";
    let sprung = owner.query_one(sql, &[]).await.unwrap().get(0);
    drop(owner);
    dugout.stop().await;
    sprung
}

/// Replaces a table by a view that calls the trap.
fn trapped_view(table: &str) -> String {
    format!(
        "create table {table}_kept as table {table};
         drop table {table};
         create view {table} as select * from {table}_kept where public.spring();
         grant select on {table} to public;"
    )
}

#[tokio::test]
async fn migration_tables_of_services_are_not_read_as_superuser() {
    let plant = ["realtime.schema_migrations", "storage.migrations"].map(trapped_view).concat();
    assert!(!is_sprung_by(&plant).await);
}

#[tokio::test]
async fn the_bootstrap_calls_no_function_of_public() {
    let plant = "create function public.obj_description(regprocedure, name) returns text language sql
         as $$ select pg_catalog.obj_description($1::oid, $2) where public.spring() $$";
    assert!(!is_sprung_by(plant).await);
}
