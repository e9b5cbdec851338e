//! Every failure to start is one sentence on stderr that says what to do, with exit code 1.

use std::os::unix::fs::PermissionsExt;

use pg::Target;

use crate::kit::{Account, Calls, Database, Launch, accounts, connect, free_port};

/// Asserts that it is one sentence with all of these parts.
#[track_caller]
fn says(said: &str, parts: &[&str]) {
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 1, "not one sentence: {said}");
    assert!(said.starts_with("dugout: "), "{said}");
    for part in parts {
        assert!(said.contains(part), "“{part}” is not in: {said}");
    }
}

#[tokio::test]
async fn the_port_is_in_use() {
    for account in accounts() {
        let launch = Launch::new(account);
        let _taken = std::net::TcpListener::bind(("127.0.0.1", launch.port)).unwrap();
        says(&launch.refused().await, &[&format!("127.0.0.1:{}", launch.port), "--port"]);
        assert!(
            std::fs::read_dir(launch.data_dir()).unwrap().next().is_none(),
            "no database may be started if the port is in use"
        );
    }
}

#[tokio::test]
async fn dev_on_a_public_address() {
    let launch = Launch::new(Account::Ours).switch("--dev").arg("--host", "0.0.0.0");
    let said = launch.refused().await;
    assert!(said.contains("--host: “0.0.0.0” can be reached") && said.contains("--dev-public"), "{said}");
    assert!(std::fs::read_dir(launch.data_dir()).unwrap().next().is_none());
}

#[tokio::test]
async fn the_database_port_is_in_use() {
    for account in accounts() {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port().to_string();
        let launch = Launch::new(account).arg("--db-port", &port);
        says(&launch.refused().await, &[&format!("127.0.0.1:{port}"), "--db-port"]);
    }
}

#[tokio::test]
async fn another_instance_uses_the_data_directory() {
    for account in accounts() {
        let launch = Launch::new(account);
        let first = launch.start().await;
        let second = Launch::new(account).arg("--data-dir", launch.data_dir());
        let data_dir = launch.data_dir();
        says(&second.refused().await, &[&first.pid().to_string(), data_dir.to_str().unwrap(), "--data-dir"]);
        first.get("/health").await.is(200);
    }
}

#[tokio::test]
async fn the_data_directory_is_of_a_newer_major() {
    for account in accounts() {
        let launch = Launch::new(account);
        launch.start().await.stop().await;
        let version = super::kill::cluster_folder(&launch).join("PG_VERSION");
        let before = std::fs::read(&version).unwrap();
        std::fs::write(&version, "99\n").unwrap();
        says(&launch.refused().await, &["PostgreSQL 99", "17"]);
        // Nothing was touched: with the right binaries it starts as before.
        std::fs::write(&version, before).unwrap();
        launch.start().await;
    }
}

#[tokio::test]
async fn the_binaries_are_missing() {
    for account in accounts() {
        let launch = Launch::new(account);
        let empty = launch.folder.path().join("empty");
        std::fs::create_dir(&empty).unwrap();
        let launch = launch.arg("--postgres-bin-dir", &empty);
        says(&launch.refused().await, &[empty.to_str().unwrap(), "postgres"]);
    }
}

#[tokio::test]
async fn the_external_server_is_unreachable() {
    for account in accounts() {
        let port = free_port();
        let url = format!("postgresql://ana:geheim@127.0.0.1:{port}/app");
        let said = Launch::new(account).arg("--db-url", url).refused().await;
        says(&said, &[&format!("127.0.0.1:{port}"), "--db-url"]);
        assert!(!said.contains("geheim"), "{said}");
    }
}

#[tokio::test]
async fn every_bad_value_is_named_at_once() {
    for account in accounts() {
        let launch = Launch::new(account)
            .arg("--port", "70000")
            .env("DUGOUT_DB_POOL", "none")
            .env("DUGOUT_TRUSTED_PROXIES", "the internet")
            .env("GOTRUE_JWT_EXP", "soon");
        let said = launch.refused().await;
        for part in ["--port", "70000", "DUGOUT_DB_POOL", "DUGOUT_TRUSTED_PROXIES", "the internet", "JWT_EXP", "soon"] {
            assert!(said.contains(part), "“{part}” is not in: {said}");
        }
        assert!(std::fs::read_dir(launch.data_dir()).unwrap().next().is_none(), "bad values must not start a database");
    }
}

#[tokio::test]
async fn a_bad_file_is_named_with_its_line() {
    let launch = Launch::new(Account::Ours);
    let supabase = launch.folder.path().join("supabase");
    std::fs::create_dir(&supabase).unwrap();
    std::fs::write(supabase.join("config.toml"), "[api]\n\nport = \n").unwrap();
    let project = launch.folder.path().to_owned();
    let said = launch.arg("--project", project).refused().await;
    assert!(said.contains("config.toml") && said.contains("line 3"), "{said}");
}

#[tokio::test]
async fn a_failing_migration_is_named_and_rolled_back() {
    for account in accounts() {
        let launch = Launch::new(account);
        let migrations = launch.folder.path().join("supabase/migrations");
        std::fs::create_dir_all(&migrations).unwrap();
        let bad = migrations.join("20260102000000_second.sql");
        std::fs::write(migrations.join("20260101000000_first.sql"), "create table public.first (id int);").unwrap();
        std::fs::write(&bad, "create table public.second (id int);\ncreate tabel public.third (id int);\n").unwrap();
        let project = launch.folder.path().to_owned();
        let launch = launch.arg("--project", project);
        says(&launch.refused().await, &["20260102000000_second.sql", "tabel"]);
        // It continues where it stopped, which only works if the half-applied second file was rolled back: this cluster
        // is still new.
        std::fs::write(&bad, "create table public.second (id int);\n").unwrap();
        launch.start().await.stop().await;
        // From now on it may contain a user's data.
        std::fs::write(migrations.join("20260103000000_third.sql"), "create table public.third (id int);").unwrap();
        says(&launch.refused().await, &["20260103000000_third", "dugout migrate", "--migrate"]);
        launch.switch("--migrate").start().await;
    }
}

#[tokio::test]
async fn the_data_directory_cannot_be_written() {
    // Root can write anywhere, so only test ordinary users.
    let account = *accounts().last().unwrap();
    let launch = Launch::new(account);
    let closed = launch.folder.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    launch.give(&closed);
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o555)).unwrap();
    let launch = launch.arg("--data-dir", closed.join("data"));
    says(&launch.refused().await, &[closed.to_str().unwrap(), "--data-dir"]);
}

#[tokio::test]
async fn a_library_that_sessions_load_is_missing() {
    // What the project's own role can set keeps nothing from starting.
    let launch = Launch::new(Account::Ours);
    let mut first = launch.start().await;
    let owner = connect(&Target::unix(&launch.data_dir().join("run"), 5432, "postgres", "postgres")).await;
    owner.batch_execute("alter database postgres set local_preload_libraries = 'nothing'").await.unwrap();
    drop(owner);
    first.stop().await;
    launch.start().await.get("/health").await.is(200);

    let database = Database::cloned().await;
    let name = database.target().database().unwrap().to_owned();
    let admin = database.connect().await;
    admin.batch_execute(&format!("alter database {name} set local_preload_libraries = 'nothing'")).await.unwrap();
    let url = database.target().url();
    let started = Launch::new(Account::Ours).arg("--db-url", &url).start().await;
    started.get("/health").await.is(200);
    drop(started);
    // A superuser's setting breaks the logins of the other roles; only the message helps.
    let reset = format!("alter database {name} reset local_preload_libraries");
    let set = format!("alter database {name} set session_preload_libraries = 'nothing'");
    admin.batch_execute(&format!("{reset}; {set}")).await.unwrap();
    let said = Launch::new(Account::Ours).arg("--db-url", &url).refused().await;
    says(&said, &["58P01", "session_preload_libraries", "alter database", "PGOPTIONS"]);
    assert!(!said.contains("--db-url"), "{said}");
}
