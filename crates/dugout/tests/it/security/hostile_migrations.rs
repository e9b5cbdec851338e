//! Migrations of a cloned repository are foreign code. They run as `postgres`, which is no superuser, with the operations that
//! Supabase's platform adds. None of these may lead to a superuser, a program or a file of the server.

use std::path::Path;

use pg::Target;
use pg::migrations::{self, Order};
use tokio_postgres::Client;

use crate::kit::{Account, Launch, connect};

/// The scripts: SQL, and whether it may be applied because it is harmless.
const TRICKS: [(&str, &str); 29] = [
    ("become", "alter role postgres superuser"),
    ("make", "create role evil superuser login"),
    ("reset", "reset session authorization; reset role; set role supabase_admin"),
    ("authorization", "set session authorization supabase_admin"),
    ("member", "grant supabase_admin to postgres"),
    ("program", "create table public.x (y text); copy public.x from program 'touch MARK'"),
    ("to_program", "copy (select 1) to program 'touch MARK'"),
    ("to_file", "copy (select 1) to 'MARK'"),
    ("import", "select lo_import('/etc/passwd')"),
    ("export", "select lo_export(lo_from_bytea(0, 'x'), 'MARK')"),
    ("read", "select pg_read_file('/etc/passwd')"),
    ("key", "select pg_read_file('../vault.key')"),
    ("list", "select pg_ls_dir('/')"),
    ("language", "create extension plpython3u; do language plpython3u $$ open('MARK', 'w') $$"),
    ("perl", "create extension plperlu"),
    ("library", "create function public.system(text) returns int as 'libc.so.6', 'system' language c strict"),
    ("load", "load '/tmp/evil.so'"),
    ("preload", "alter system set shared_preload_libraries = '/tmp/evil'"),
    ("archive", "alter system set archive_command = 'touch MARK'"),
    ("setting", "alter database postgres set \"plperl.on_init\" = 'system(1)'"),
    ("triggers_on", "set event_triggers = on"),
    (
        "on_login",
        "create function public.l() returns event_trigger language plpgsql as 'begin end';\
        create event trigger l on login execute function public.l()",
    ),
    (
        "found_by_path",
        "create schema front; set search_path = front, extensions, public;\
        create event trigger w on ddl_command_end execute function pgrst_ddl_watch()",
    ),
    ("guard", "drop event trigger dugout_extension_scripts_run_alone"),
    (
        "foreign_job",
        "create extension if not exists pg_cron; insert into cron.job (schedule, command, username)\
        values ('1 second', 'alter role postgres superuser', 'supabase_admin')",
    ),
    ("move", "create extension pg_trgm; alter extension pg_trgm set schema pg_catalog"),
    ("move_ours", "alter extension plpgsql set schema public"),
    ("replace", "create or replace function dugout_platform.allow_setting(name text) returns void language sql as ''"),
    (
        "watch",
        "create or replace function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as 'begin end'",
    ),
];

/// Scripts that can be applied, and that wait for a superuser's session.
const TRAPS: [(&str, &str); 8] = [
    (
        "event_trigger",
        "create function public.spring() returns event_trigger language plpgsql as $$
         begin alter role postgres superuser; exception when insufficient_privilege then null; end $$;
         create event trigger spring on ddl_command_end execute function public.spring();
         create event trigger spring_first on ddl_command_start execute function public.spring();
         create event trigger spring_drop on sql_drop execute function public.spring()",
    ),
    ("trusted_extension", "create extension hstore; drop extension pg_net; create extension pg_net; drop extension hstore"),
    ("always", "alter event trigger spring enable always; set session_replication_role = replica; create extension citext"),
    ("savepoint", "savepoint a; create extension cube; rollback to a; create extension cube; create table public.after ()"),
    ("publication", "create publication everything for all tables; drop publication everything"),
    ("own_setting", "alter database postgres set app.settings.jwt_secret = 'x'"),
    (
        "search_path",
        "create schema trap; set search_path = trap, pg_catalog;
         create function trap.format(text, text) returns text language sql as $$ select 'alter role postgres superuser' $$;
         create function trap.pg_notify(text, text) returns void language sql as $$ select 1 $$;
         create function trap.nextval(text) returns bigint language plpgsql as $$
         begin execute 'alter role postgres superuser'; return 1; end $$;
         create extension pgmq; create extension pgjwt with schema trap cascade; drop extension if exists pg_cron cascade;
         create extension pg_cron with schema trap;
         create extension dblink with schema trap; create extension moddatetime with schema trap",
    ),
    ("drop_trigger", "create function public.t() returns trigger language plpgsql as $$ begin return new; end $$;
         create trigger mine after insert on auth.users for each row execute function public.t();
         drop trigger if exists mine on auth.users;
         create trigger mine after insert on auth.users for each row execute function public.t()"),
];

struct Victim {
    launch: Launch,
    owner: Target,
    mark: std::path::PathBuf,
}

impl Victim {
    /// Applies one script like the server applies a project's migrations.
    async fn apply(&self, number: usize, name: &str, sql: &str) -> Result<(), String> {
        let folder = self.launch.folder.path().join("hostile").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let sql = sql.replace("MARK", &self.mark.display().to_string());
        std::fs::write(folder.join(format!("{}_{name}.sql", 30_000_000_000_000 + number)), sql).unwrap();
        // Each script has its own folder, so that records of others are no missing files.
        connect(&self.owner).await.batch_execute("delete from supabase_migrations.schema_migrations").await.unwrap();
        migrations::apply(&self.owner, &folder, Order::Strict).await.map(drop).map_err(|error| error.to_string())
    }

    async fn is_unharmed(&self, after: &str) {
        let client: Client = connect(&self.owner).await;
        let sql = "select coalesce(string_agg(rolname, ' '), '') from pg_roles where rolsuper";
        let superusers: String = client.query_one(sql, &[]).await.unwrap().get(0);
        assert_eq!(superusers, "supabase_admin", "after {after}");
        assert!(!Path::new(&self.mark).exists(), "{after} wrote a file");
    }
}

async fn victim() -> (Victim, crate::kit::Process) {
    let launch = Launch::new(Account::Ours);
    let dugout = launch.start().await;
    let owner = Target::unix(&launch.data_dir().join("run"), 5432, "postgres", "postgres");
    let mark = std::env::temp_dir().join(format!("dugout-hostile-{}", launch.port));
    (Victim { launch, owner, mark }, dugout)
}

#[tokio::test]
async fn operations_of_superusers_are_refused() {
    let (victim, _dugout) = victim().await;
    for (number, (name, sql)) in TRICKS.iter().enumerate() {
        let outcome = victim.apply(number, name, sql).await;
        assert!(outcome.is_err(), "{name} was applied");
        victim.is_unharmed(name).await;
    }
}

#[tokio::test]
async fn operations_of_the_platform_do_not_lead_to_a_superuser() {
    let (victim, mut dugout) = victim().await;
    let version = "select current_setting('server_version_num')::int >= 180000";
    if !connect(&victim.owner).await.query_one(version, &[]).await.unwrap().get::<_, bool>(0) {
        return crate::kit::skip("PostgreSQL 18 is needed: run scripts/install.sh");
    }
    for (number, (name, sql)) in TRAPS.iter().enumerate() {
        victim.apply(number, name, sql).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        victim.is_unharmed(name).await;
    }
    // The next start opens a superuser's session, which reads the bootstrap's objects again. It runs without the project's own
    // migrations, which are no longer recorded.
    connect(&victim.owner).await.batch_execute("delete from supabase_migrations.schema_migrations").await.unwrap();
    dugout.stop().await;
    let empty = victim.launch.folder.path().join("empty");
    std::fs::create_dir_all(empty.join("supabase")).unwrap();
    let Victim { launch, owner, .. } = victim;
    let launch = launch.arg("--project", &empty);
    let dugout = launch.start().await;
    let sql = "select string_agg(rolname, ' ') from pg_roles where rolsuper";
    let superusers: String = connect(&owner).await.query_one(sql, &[]).await.unwrap().get(0);
    assert_eq!(superusers, "supabase_admin", "{}", dugout.log());
}
