//! A fresh database for each test.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pg::{Access, DbError, Error, Lane, LaneConfig, LaneFailure, Rows, Session, Snippet, Target, Verdict, Work};
use tokio_postgres::{Client, NoTls};

pub(crate) struct Database {
    pub(crate) target: Target,
    /// A superuser's connection to this database, not one of the lanes.
    pub(crate) admin: Client,
    /// The name of the database, and the prefix of its roles.
    pub(crate) name: String,
    server: Target,
}

impl Database {
    pub(crate) async fn create() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let url = std::env::var("DUGOUT_TEST_DATABASE_URL")
            .expect("DUGOUT_TEST_DATABASE_URL names a PostgreSQL superuser to test with; `make test` sets it");
        let server = Target::parse(&url).unwrap();
        let name = format!("lane_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let maintenance = connect(&server).await;
        maintenance.batch_execute(&format!("drop database if exists {name} with (force)")).await.unwrap();
        maintenance.batch_execute(&format!("create database {name}")).await.unwrap();
        let target = server.with_database(&name).with_application_name(&name);
        let admin = connect(&target.with_application_name("admin")).await;
        Database { target, admin, name, server }
    }

    pub(crate) async fn sql(&self, sql: &str) {
        self.admin.batch_execute(sql).await.unwrap();
    }

    pub(crate) async fn number(&self, sql: &str) -> i64 {
        self.admin.query_one(sql, &[]).await.unwrap().get(0)
    }

    /// Creates a role without login and returns its name.
    pub(crate) async fn role(&self, suffix: &str) -> String {
        let role = format!("{}_{suffix}", self.name);
        self.sql(&format!("drop role if exists {role}; create role {role} nologin")).await;
        role
    }

    pub(crate) fn lane(&self, size: usize) -> Lane {
        let config = LaneConfig { size, acquire_timeout: Duration::from_secs(5), ..LaneConfig::default() };
        Lane::new(&self.target, &config).unwrap()
    }

    /// The number of the lanes' connections that match a condition on `pg_stat_activity`.
    pub(crate) async fn activity(&self, condition: &str) -> i64 {
        let name = &self.name;
        self.number(&format!("select count(*) from pg_stat_activity where application_name = '{name}' and {condition}"))
            .await
    }

    /// Waits until [`Database::activity`] returns `expected`.
    pub(crate) async fn await_activity(&self, condition: &str, expected: i64) {
        let begun = Instant::now();
        while self.activity(condition).await != expected {
            assert!(begun.elapsed() < Duration::from_secs(5), "never {expected} connections with {condition}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Terminates the backends of all connections of the lanes. Returns how many there were.
    pub(crate) async fn kill_backends(&self) -> i64 {
        let name = &self.name;
        self.number(&format!(
            "select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity where application_name = '{name}'"
        ))
        .await
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // On another thread with its own runtime, because the test's runtime cannot be blocked.
        let dropping = std::thread::spawn(move || {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
                let maintenance = connect(&server).await;
                maintenance.batch_execute(&format!("drop database {name} with (force)")).await.unwrap();
                let roles = format!("drop role if exists {name}_anon, {name}_authenticated");
                maintenance.batch_execute(&roles).await.unwrap();
            });
        });
        assert!(dropping.join().is_ok() || std::thread::panicking(), "{} is left over", self.name);
    }
}

async fn connect(target: &Target) -> Client {
    let (client, connection) = target.driver_config().connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Work as the connection's own role.
pub(crate) fn work(query: &'static str) -> Work {
    Work::new(Session::of_connection(), Snippet::raw(query))
}

pub(crate) fn reading(query: &'static str) -> Work {
    Work { access: Access::ReadOnly, ..work(query) }
}

pub(crate) async fn commit(lane: &Lane, work: &Work) -> Result<Rows, Error> {
    ended(lane, work, Verdict::Commit).await
}

pub(crate) async fn ended(lane: &Lane, work: &Work, verdict: Verdict) -> Result<Rows, Error> {
    lane.run(work, |_| Ok::<_, Infallible>(verdict)).await.map_err(|failure| match failure {
        LaneFailure::Database(error) => error,
        LaneFailure::Judged(never) => match never {},
    })
}

pub(crate) fn refused(result: Result<Rows, Error>) -> DbError {
    match result {
        Err(Error::Database(error)) => *error,
        other => panic!("not refused by the database: {other:?}"),
    }
}

/// All values as text, NULL as ∅.
pub(crate) fn texts(rows: &Rows) -> Vec<Vec<&str>> {
    rows.rows.iter().map(|row| (0..row.len()).map(|i| row.text(i).unwrap_or("∅")).collect()).collect()
}
