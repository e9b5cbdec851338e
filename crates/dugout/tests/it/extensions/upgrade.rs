//! `dugout upgrade`: a data directory of PostgreSQL 17 is used with 17's programs until it is upgraded.

use serde_json::json;

use super::owner;
use crate::architecture::root;
use crate::kit::{Account, Calls, Launch, PASSWORD, Process, skip};

async fn version(launch: &Launch) -> i32 {
    let row = owner(launch).await.query_one("select current_setting('server_version_num')::int / 10000", &[]).await;
    row.unwrap().get(0)
}

async fn signs_in(dugout: &Process) {
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    dugout.post("/auth/v1/token?grant_type=password", body).await.is(200);
}

#[tokio::test]
async fn a_data_directory_is_upgraded_and_the_old_one_is_kept() {
    let modules = root().join("node_modules");
    let native = |scope: &str| {
        let platforms = std::fs::read_dir(modules.join(scope)).into_iter().flatten().flatten();
        platforms.map(|platform| platform.path().join("native")).find(|native| native.is_dir())
    };
    let (old, new) = (native("@embedded-postgres-17"), native("@embedded-postgres"));
    let Some(old) = old.filter(|_| new.is_some_and(|new| new.join("lib/client/bin/pg_dumpall").exists())) else {
        return skip("PostgreSQL 17 or pg_dumpall is missing: run scripts/install.sh");
    };
    let mut launch = Launch::new(Account::Ours).arg("--postgres-bin-dir", old.join("bin"));
    let mut dugout = launch.start().await;
    assert_eq!(version(&launch).await, 17);
    dugout.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    owner(&launch).await.batch_execute("create table public.kept as select 'ä' as text").await.unwrap();
    dugout.stop().await;

    launch = launch.without("--postgres-bin-dir");
    let mut dugout = launch.start().await;
    assert_eq!(version(&launch).await, 17, "a data directory stays with what made it");
    assert!(dugout.log().contains("dugout upgrade"), "{}", dugout.log());
    let data = launch.data_dir().display().to_string();
    let in_use = launch.command(["upgrade", "--data-dir", &data]).output().unwrap();
    let said = String::from_utf8_lossy(&in_use.stderr).into_owned();
    assert!(!in_use.status.success() && said.contains("another dugout"), "{said}");
    signs_in(&dugout).await;
    dugout.stop().await;

    let moved = launch.command(["upgrade", "--data-dir", &data]).output().unwrap();
    assert!(moved.status.success(), "{}", String::from_utf8_lossy(&moved.stderr));
    assert!(String::from_utf8_lossy(&moved.stdout).starts_with("Moved from PostgreSQL 17 to 18."));
    assert!(launch.data_dir().join("postgres-17/PG_VERSION").exists());
    assert!(!launch.data_dir().join("upgrade").exists(), "the dump has passwords");
    let again = launch.command(["upgrade", "--data-dir", &data]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&again.stdout), "The data directory is up to date.\n");

    let dugout = launch.start().await;
    assert_eq!(version(&launch).await, 18);
    signs_in(&dugout).await;
    let client = owner(&launch).await;
    assert_eq!(client.query_one("select text from public.kept", &[]).await.unwrap().get::<_, String>(0), "ä");
    client.batch_execute("create extension if not exists pg_cron; select vault.create_secret('x')").await.unwrap();
}
