//! The data API alone, as `dugout rest` serves it.

use std::collections::BTreeMap;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use reqwest::Method;
use rustix::process::Signal;
use tokio::sync::oneshot;

use super::{Calls, Database, Process, Request, free_port};

/// Our server in place of PostgREST, with PostgREST's configuration: on a free port, over its own database. Requests
/// made on it are anonymous.
pub struct DataApi {
    pub url: String,
    pub database: Database,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl DataApi {
    /// Runs `sql` in a schema `api`, in which the API's roles may do everything. `settings` are pairs of environment
    /// variable and value, such as `("PGRST_DB_MAX_ROWS", "2")`.
    pub async fn start(sql: &str, settings: &[(&str, &str)]) -> Self {
        let (database, env) = prepare(sql, settings).await;
        let sources = rest::config::Sources::new(env, None);
        let loaded = rest::Config::load(&sources, &[]).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let (started, running) = oneshot::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        // An own thread and runtime, because the server stops slightly later than the test's runtime.
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            runtime.block_on(async {
                let service = server::standalone::rest(sources, loaded).await.unwrap_or_else(|error| panic!("{error}"));
                let _ = started.send(service.url());
                let _ = stopped.await;
                service.stop().await;
            });
            runtime.shutdown_background();
        });
        let url = running.await.expect("the server started");
        DataApi { url, database, stop: Some(stop), thread: Some(thread) }
    }
}

/// The real binary as `dugout rest`, for measurements from outside.
pub struct DataProcess {
    pub url: String,
    /// URL of the admin server.
    pub admin: String,
    // Declared before the database, so that its connections close first.
    process: Process,
    pub database: Database,
    folder: tempfile::TempDir,
}

impl DataProcess {
    /// As [`DataApi::start`].
    pub async fn start(sql: &str, settings: &[(&str, &str)]) -> Self {
        Self::start_with(sql, settings, "").await
    }

    /// As `start`, with a configuration file and an admin server.
    pub async fn start_with(sql: &str, settings: &[(&str, &str)], file: &str) -> Self {
        let (database, mut env) = prepare(sql, settings).await;
        let (folder, port, admin) = (tempfile::tempdir().unwrap(), free_port(), free_port());
        let config = folder.path().join("postgrest.conf");
        std::fs::write(&config, file).unwrap();
        env.insert("PGRST_ADMIN_SERVER_PORT".to_owned(), admin.to_string());
        env.insert("PGRST_SERVER_PORT".to_owned(), port.to_string());
        let log = folder.path().join("rest.log");
        let file = std::fs::File::create(&log).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_dugout"));
        command.arg("rest").arg(&config).env_clear().envs(env).stdin(Stdio::null());
        command.stdout(file.try_clone().unwrap()).stderr(file);
        let url = format!("http://127.0.0.1:{port}");
        let mut process = Process::new(command.spawn().unwrap(), url.clone(), log);
        let begun = Instant::now();
        while !process.get("/").try_send().await.is_ok_and(|answer| answer.status == 200) {
            assert!(process.exited().is_none() && begun.elapsed() < Duration::from_secs(30), "{}", process.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        DataProcess { url, admin: format!("http://127.0.0.1:{admin}"), process, database, folder }
    }

    /// Writes another configuration file and signals the server to reload.
    pub fn reconfigure(&self, file: &str) {
        std::fs::write(self.folder.path().join("postgrest.conf"), file).unwrap();
        self.process.signal(Signal::USR2);
    }

    pub fn signal(&self, signal: Signal) {
        self.process.signal(signal);
    }

    /// Waits until the process ends by itself, and returns how it ended.
    pub async fn ended(&mut self, patience: Duration) -> ExitStatus {
        self.process.ended(patience).await
    }

    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// The log so far.
    pub fn log(&self) -> String {
        self.process.log()
    }

    /// Closes every connection to the database and forbids new ones.
    pub async fn cut_off_database(&self) {
        let own = self.database.connect().await;
        let name: String = own.query_one("select current_database()::text", &[]).await.unwrap().get(0);
        let others = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
        // A session cannot forbid connections to its own database.
        let elsewhere = Database::cloned().await;
        let forbid = format!("alter database {name} with allow_connections false");
        elsewhere.connect().await.batch_execute(&forbid).await.unwrap();
        own.batch_execute(&format!("select pg_terminate_backend(pid) {others}")).await.unwrap();
    }
}

impl Calls for DataProcess {
    fn request(&self, method: Method, path: &str) -> Request {
        self.process.request(method, path)
    }
}

/// Creates the database, and PostgREST's configuration for it.
async fn prepare(sql: &str, settings: &[(&str, &str)]) -> (Database, BTreeMap<String, String>) {
    let database = Database::cloned().await;
    let prepare = format!(
        "create schema api;
         grant usage on schema api to anon, authenticated;
         alter default privileges in schema api grant all on tables to anon, authenticated;
         alter default privileges in schema api grant all on sequences to anon, authenticated;
         set search_path = api, public;
         {sql}"
    );
    database.connect().await.batch_execute(&prepare).await.unwrap();
    let db_uri = database.as_role("authenticator").url();
    let own = [
        ("PGRST_DB_URI", db_uri.as_str()),
        ("PGRST_DB_SCHEMAS", "api"),
        ("PGRST_DB_ANON_ROLE", "anon"),
        ("PGRST_DB_POOL", "4"),
        ("PGRST_SERVER_HOST", "127.0.0.1"),
        ("PGRST_SERVER_PORT", "0"),
    ];
    let env = own.iter().chain(settings).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    (database, env)
}

impl Calls for DataApi {
    fn request(&self, method: Method, path: &str) -> Request {
        Request::new(method, &format!("{}{path}", self.url))
    }
}

impl Drop for DataApi {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the server ended with a panic");
        }
    }
}
