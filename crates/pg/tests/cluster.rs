//! The embedded cluster and the bootstrap, against real binaries.
#![allow(clippy::unwrap_used)] // Also for the helper functions of the tests.

mod binaries;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::time::{Duration, Instant};

use pg::bootstrap::{Bootstrapped, ServiceMigration, ServiceSchema, bootstrap, run_service_migrations};
use pg::cluster::{Cluster, ClusterConfig, ClusterError, SUPERUSER, State, TcpConfig};
use pg::pool::Query;
use pg::{Pool, PoolConfig, Target};

async fn answers(target: &Target) -> Result<i32, pg::Error> {
    let pool = Pool::new(target, &PoolConfig { size: 1, acquire_timeout: Duration::from_secs(5) })?;
    Ok(pool.get().await?.query_one("select 1", &[]).await?.get(0))
}

#[tokio::test]
async fn a_cluster_starts_stops_and_keeps_its_data() {
    let folder = binaries::data_dir();
    let cluster = Cluster::start(binaries::config(folder.path())).await.unwrap();
    let admin = cluster.target(SUPERUSER, "postgres");
    assert!(cluster.timings().initdb.is_some());
    let pool = Pool::new(&admin, &PoolConfig::default()).unwrap();
    let connection = pool.get().await.unwrap();
    connection.execute("create table kept as select 42 as answer", &[]).await.unwrap();
    for (setting, value) in [
        ("wal_level", "logical"),
        ("listen_addresses", ""),
        ("data_checksums", "on"),
        ("server_encoding", "UTF8"),
        ("lc_messages", "C.UTF-8"),
        ("password_encryption", "scram-sha-256"),
    ] {
        let found: String = connection.query_one("select current_setting($1)", &[&setting]).await.unwrap().get(0);
        assert_eq!(found, value, "{setting}");
    }
    let refused = Cluster::start(binaries::config(folder.path())).await.unwrap_err();
    assert!(matches!(refused, ClusterError::InUse { pid: Some(pid), .. } if pid == std::process::id()), "{refused}");
    drop(connection);
    pool.close();
    cluster.stop().await;
    assert!(!folder.path().join("postgres/postmaster.pid").exists(), "a clean stop");

    let cluster = Cluster::start(binaries::config(folder.path())).await.unwrap();
    assert!(cluster.timings().initdb.is_none());
    let pool = Pool::new(&cluster.target(SUPERUSER, "postgres"), &PoolConfig::default()).unwrap();
    let answer: i32 = pool.get().await.unwrap().query_one("select answer from kept", &[]).await.unwrap().get(0);
    assert_eq!(answer, 42);
    eprintln!("timings with an existing cluster: {:?}", cluster.timings());
    cluster.stop().await;
}

#[tokio::test]
async fn a_killed_postmaster_is_restarted_although_backends_survive() {
    let folder = binaries::data_dir();
    let cluster = Cluster::start(binaries::config(folder.path())).await.unwrap();
    let admin = cluster.target(SUPERUSER, "postgres");
    // A backend that computes without waiting does not notice that the postmaster is gone.
    let busy = Pool::new(&admin, &PoolConfig::default()).unwrap();
    let statement = tokio::spawn(async move {
        let connection = busy.get().await.unwrap();
        connection.query("select count(*) from generate_series(1, 100000000000)", &[]).await.map(drop)
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut state = cluster.state();
    let first = cluster.postmaster_pid().unwrap();
    let killed = Instant::now();
    kill(first);
    tokio::time::timeout(Duration::from_secs(5), state.wait_for(|state| *state == State::Down)).await.unwrap().unwrap();
    tokio::time::timeout(Duration::from_secs(5), state.wait_for(|state| *state == State::Up)).await.unwrap().unwrap();
    assert_eq!(answers(&admin).await.unwrap(), 1);
    eprintln!("answers again after {:?}", killed.elapsed());
    assert!(statement.await.unwrap().is_err());
    assert_ne!(cluster.postmaster_pid().unwrap(), first);
    cluster.stop().await;
}

#[tokio::test]
async fn an_unfinished_initdb_and_a_foreign_pid_need_no_manual_step() {
    let folder = binaries::data_dir();
    fs::create_dir_all(folder.path().join("postgres.new/base")).unwrap();
    fs::write(folder.path().join("postgres.new/PG_VERSION"), "17\n").unwrap();
    let cluster = Cluster::start(binaries::config(folder.path())).await.unwrap();
    cluster.stop().await;
    let postgres = folder.path().join("postgres");
    assert!(!folder.path().join("postgres.new").exists());
    // After a power failure the pid in the file may belong to another process of the same user. PostgreSQL alone would take
    // that for a running postmaster.
    let owner = fs::metadata(postgres.join("PG_VERSION")).unwrap().uid();
    let mut stranger = std::process::Command::new("sleep");
    if owner != rustix::process::geteuid().as_raw() {
        stranger.uid(owner);
    }
    let mut stranger = stranger.arg("60").spawn().unwrap();
    let pid = stranger.id();
    fs::write(postgres.join("postmaster.pid"), format!("{pid}\n{}\n1\n5432\n", postgres.display())).unwrap();
    fs::write(folder.path().join("run/.s.PGSQL.5432"), "").unwrap();
    fs::write(folder.path().join("run/.s.PGSQL.5432.lock"), format!("{pid}\n")).unwrap();
    let cluster = Cluster::start(binaries::config(folder.path())).await.unwrap();
    assert_eq!(answers(&cluster.target(SUPERUSER, "postgres")).await.unwrap(), 1);
    cluster.stop().await;
    assert_eq!(stranger.try_wait().unwrap(), None, "the other process still runs");
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

#[tokio::test]
async fn refusals_say_what_to_do() {
    let folder = binaries::data_dir();
    let start = |config: ClusterConfig| async move { Cluster::start(config).await.unwrap_err().to_string() };
    fs::create_dir(folder.path().join("postgres")).unwrap();
    fs::write(folder.path().join("postgres/notes.txt"), "mine").unwrap();
    let refused = start(binaries::config(folder.path())).await;
    assert!(refused.contains("contains files but no PostgreSQL cluster"), "{refused}");
    fs::write(folder.path().join("postgres/PG_VERSION"), "99\n").unwrap();
    let refused = start(binaries::config(folder.path())).await;
    assert!(refused.contains("was created by PostgreSQL 99, but only "), "{refused}");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let other = binaries::data_dir();
    let tcp = Some(TcpConfig { host: "127.0.0.1".into(), port });
    let refused = start(ClusterConfig { tcp, ..binaries::config(other.path()) }).await;
    assert!(refused.contains(&format!("127.0.0.1:{port} is used by another program")), "{refused}");
    let empty = binaries::data_dir();
    let bin_dir = Some(empty.path().join("nothing"));
    let refused = start(ClusterConfig { bin_dir, ..binaries::config(other.path()) }).await;
    assert!(refused.contains("there is no `postgres` in it"), "{refused}");
}

#[tokio::test]
async fn passwords_open_tcp_and_a_second_bootstrap_changes_nothing() {
    let folder = binaries::data_dir();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let tcp = Some(TcpConfig { host: "127.0.0.1".into(), port });
    let cluster = Cluster::start(ClusterConfig { tcp, ..binaries::config(folder.path()) }).await.unwrap();
    let admin = cluster.target(SUPERUSER, "postgres");
    assert_eq!(bootstrap(&admin, &[], &[("postgres", "secret")]).await.unwrap(), Bootstrapped::Applied);
    let began = Instant::now();
    assert_eq!(bootstrap(&admin, &[], &[]).await.unwrap(), Bootstrapped::Unchanged);
    eprintln!("bootstrap with nothing to do: {:?}", began.elapsed());

    let tcp =
        |password: &str| Target::parse(&format!("postgres://postgres:{password}@127.0.0.1:{port}/postgres")).unwrap();
    assert_eq!(answers(&tcp("secret")).await.unwrap(), 1);
    assert!(answers(&tcp("wrong")).await.is_err());
    // Two concurrent bootstraps, as of two instances: one does the work, the other waits.
    let pool = Pool::new(&admin, &PoolConfig::default()).unwrap();
    let connection = pool.get().await.unwrap();
    connection.execute("drop schema public cascade", &[]).await.unwrap();
    connection.execute("create schema public", &[]).await.unwrap();
    let (first, second) =
        tokio::join!(bootstrap(&admin, &[], &[("postgres", "a")]), bootstrap(&admin, &[], &[("postgres", "a")]));
    let mut done = [first.unwrap(), second.unwrap()];
    done.sort_by_key(|done| *done == Bootstrapped::Unchanged);
    assert_eq!(done, [Bootstrapped::Applied, Bootstrapped::Unchanged], "the privileges of public were gone");

    let owner = cluster.target("supabase_auth_admin", "postgres");
    let one = ServiceMigration {
        name: "2_one.sql",
        sql: "-- covers: 1 2\ncreate table auth.schema_migrations (version varchar(255) primary key);",
    };
    let broken = ServiceMigration { name: "3_broken.sql", sql: "-- covers: 3\ncreate table auth.lost (); select 1/0;" };
    let auth = |files: Vec<ServiceMigration>| ServiceSchema {
        role: None,
        recorded: "select version::text from auth.schema_migrations",
        record: "insert into auth.schema_migrations (version) select unnest($1::text[]) on conflict do nothing",
        files: files.leak(),
    };
    let error = run_service_migrations(&owner, &auth(vec![one, broken])).await.unwrap_err();
    assert!(error.to_string().contains("division by zero") && error.to_string().contains("3_broken.sql"), "{error}");
    let fixed = ServiceMigration { sql: "-- covers: 3\ncreate table auth.lost ();", ..broken };
    assert_eq!(run_service_migrations(&owner, &auth(vec![one, fixed])).await.unwrap(), ["3_broken.sql"]);
    assert!(run_service_migrations(&owner, &auth(vec![one, fixed])).await.unwrap().is_empty());
    cluster.stop().await;
}

fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}
