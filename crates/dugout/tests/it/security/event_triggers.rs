//! PostgreSQL runs event trigger functions with the rights of the session. A function owned by a role with fewer rights
//! must never run in one of the server's superuser sessions.

use std::path::Path;

use pg::Target;
use pg::migrations::{self, Order};
use serde_json::json;
use tokio_postgres::Client;
use uuid::Uuid;

use crate::kit::{Account, AuthProcess, Calls, Database, Launch, Server, connect, migrations_of, skip};

/// The first PostgreSQL version that can switch event triggers off.
const WITH_SETTING: i32 = 170_000;

/// A role whose event trigger makes it a superuser as soon as a superuser changes a schema or, since PostgreSQL 17,
/// logs in.
struct Trap {
    role: String,
    /// A superuser's session that runs no triggers.
    client: Client,
}

impl Trap {
    async fn set(target: &Target) -> Self {
        let client = connect(target).await;
        let role = format!("trap_{}", Uuid::new_v4().simple());
        let sql = format!(
            "set session_replication_role = replica;
             create role {role};
             create function public.{role}() returns event_trigger language plpgsql as $$
             begin
               alter role {role} superuser;
             exception when insufficient_privilege then null;
             end $$;
             alter function public.{role}() owner to {role};
             create event trigger {role} on ddl_command_end execute function public.{role}()"
        );
        client.batch_execute(&sql).await.unwrap();
        let trap = Trap { role, client };
        if trap.version().await >= WITH_SETTING {
            let role = &trap.role;
            let on_login = format!("create event trigger {role}_login on login execute function public.{role}()");
            trap.client.batch_execute(&on_login).await.unwrap();
        }
        trap
    }

    async fn version(&self) -> i32 {
        self.client.query_one("select current_setting('server_version_num')::int", &[]).await.unwrap().get(0)
    }

    async fn is_sprung(&self) -> bool {
        let sql = "select rolsuper from pg_roles where rolname = $1";
        self.client.query_one(sql, &[&self.role]).await.unwrap().get(0)
    }

    async fn remove(self) {
        let role = &self.role;
        let sql = format!("alter role {role} nosuperuser; drop owned by {role} cascade; drop role {role}");
        self.client.batch_execute(&sql).await.unwrap();
    }
}

#[tokio::test]
async fn event_triggers_do_not_run_when_the_server_starts() {
    let database = Database::cloned().await;
    let target = database.target();
    let trap = Trap::set(&target).await;
    if trap.version().await < WITH_SETTING {
        trap.remove().await;
        return skip("PostgreSQL 17 or newer is needed");
    }
    trap.client.batch_execute("comment on function auth.jwt() is null").await.unwrap();
    let _s = Server::over(database, &[]).await;
    assert!(!trap.is_sprung().await, "the start ran another role's function as a superuser");
    let mark = "select obj_description('auth.jwt()'::regprocedure) like 'dugout bootstrap %'";
    assert!(trap.client.query_one(mark, &[]).await.unwrap().get::<_, bool>(0), "the bootstrap did not run");
    // A superuser session with event triggers springs the trap, so this test would notice one.
    let session = connect(&target).await;
    session.batch_execute("set event_triggers = on; create table public.spring ()").await.unwrap();
    assert!(trap.is_sprung().await, "the trap does not work");
    trap.remove().await;
}

#[tokio::test]
async fn event_triggers_do_not_run_in_a_superusers_migrations() {
    let database = Database::empty().await;
    let trap = Trap::set(&database.target()).await;
    if trap.version().await < WITH_SETTING {
        trap.remove().await;
        return skip("PostgreSQL 17 or newer is needed");
    }
    let folder = tempfile::tempdir().unwrap();
    // A session setting that one script changes is reset to its initial value before the next script.
    std::fs::write(folder.path().join("1_one.sql"), "set event_triggers = off; create table public.one ()").unwrap();
    std::fs::write(folder.path().join("2_two.sql"), "create table public.two ()").unwrap();
    let guarded = pg::guarded(&database.target()).await.unwrap();
    migrations::apply(&guarded, folder.path(), Order::Strict).await.unwrap();
    assert!(!trap.is_sprung().await);
    trap.remove().await;
}

#[tokio::test]
async fn event_triggers_do_not_run_when_auth_alone_logs_in_as_superuser() {
    let database = Database::cloned().await;
    let target = database.target();
    let trap = Trap::set(&target).await;
    if trap.version().await < WITH_SETTING {
        trap.remove().await;
        return skip("PostgreSQL 17 or newer is needed");
    }
    // The newest migration runs again, and makes its function anew.
    let newest = "delete from auth.schema_migrations where version = (select max(version) from auth.schema_migrations)";
    assert_eq!(trap.client.execute(newest, &[]).await.unwrap(), 1);
    let auth = AuthProcess::over(database, &target.url(), &[]).await;
    auth.post("/signup", json!({ "email": "ana@x.test", "password": "a password" })).await.is(200);
    assert!(!trap.is_sprung().await, "a session of dugout auth ran another role's function as a superuser");
    drop(connect(&target).await);
    assert!(trap.is_sprung().await, "the trap does not work");
    trap.remove().await;
}

#[tokio::test]
async fn the_ddl_watch_belongs_to_a_superuser() {
    let database = Database::cloned().await;
    let client = database.connect().await;
    let role = format!("owner_{}", Uuid::new_v4().simple());
    // The state after restoring a dump without owners.
    let sql = format!(
        "create role {role};
         alter function extensions.pgrst_ddl_watch() owner to {role};
         comment on function auth.jwt() is null"
    );
    client.batch_execute(&sql).await.unwrap();
    pg::bootstrap::bootstrap(&database.target(), &[], &[]).await.unwrap();
    let owners = "select count(*) from pg_event_trigger t join pg_proc p on p.oid = t.evtfoid
         join pg_roles r on r.oid = p.proowner where t.evtname like 'pgrst\\_%' and r.rolsuper";
    assert_eq!(client.query_one(owners, &[]).await.unwrap().get::<_, i64>(0), 2);
    client.batch_execute(&format!("drop role {role}")).await.unwrap();
}

#[tokio::test]
async fn before_postgresql_17_an_unsafe_trigger_stops_the_start() {
    let debian = Path::new("/usr/lib/postgresql/15/bin");
    if !debian.join("postgres").exists() {
        return skip("PostgreSQL 15 is not installed in /usr/lib/postgresql/15");
    }
    let launch = Launch::new(Account::Ours).env("DUGOUT_POSTGRES_BIN_DIR", debian);
    let mut dugout = launch.start().await;
    let socket = launch.data_dir().join("run");
    let superuser = Target::unix(&socket, 5432, "supabase_admin", "postgres");
    let trap = Trap::set(&superuser).await;
    let drop_trigger = format!("drop event trigger {}", trap.role);
    let role = trap.role.clone();
    // `dugout auth` migrates with the login that it is given.
    let refused =
        pg::bootstrap::run_service_migrations(&superuser, migrations_of("auth")).await.unwrap_err().to_string();
    assert!(refused.contains(&role), "{refused}");
    assert!(!trap.is_sprung().await);
    drop(trap);
    dugout.stop().await;
    let said = launch.refused().await;
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains(&role) && said.contains(&drop_trigger), "{said}");
}
