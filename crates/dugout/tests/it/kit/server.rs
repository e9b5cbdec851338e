//! The server in this process.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::JoinHandle;

use gateway::Clock;
use reqwest::Method;
use serde_json::json;
use server::{Config, Sources};
use tokio::sync::oneshot;

use super::secrets;
use super::{Calls, Database, PASSWORD, Request, User};
use crate::architecture::root;

/// Rate limits so high that a test reaches them only on purpose: all tests share one client address.
pub const GENEROUS: [(&str, &str); 11] = [
    ("GOTRUE_RATE_LIMIT_TOKEN_REFRESH", "10000"),
    ("GOTRUE_RATE_LIMIT_VERIFY", "10000"),
    ("GOTRUE_RATE_LIMIT_OTP", "10000"),
    ("GOTRUE_RATE_LIMIT_SSO", "10000"),
    ("GOTRUE_SAML_RATE_LIMIT_ASSERTION", "10000"),
    ("GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", "10000"),
    ("GOTRUE_RATE_LIMIT_WEB3", "10000"),
    ("GOTRUE_RATE_LIMIT_PASSKEY", "10000"),
    ("GOTRUE_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER", "10000"),
    ("GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", "10000"),
    ("GOTRUE_RATE_LIMIT_EMAIL_SENT", "10000"),
];

/// A server on a free port, over its own database. Requests made on it are anonymous.
pub struct Server {
    pub url: String,
    pub anon_key: String,
    pub service_role_key: String,
    pub jwt_secret: String,
    /// The clock for everything that expires.
    pub clock: Clock,
    pub database: Database,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    /// Where its part of the log begins.
    log: usize,
    data: tempfile::TempDir,
}

impl Server {
    /// The server with the configuration of this repository's project.
    pub async fn start() -> Self {
        Self::with(&[]).await
    }

    /// The server with settings, as pairs of environment variable and value, such as `("GOTRUE_JWT_EXP", "60")`.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        Self::over(Database::cloned().await, settings).await
    }

    /// The server over a database that the test has prepared.
    pub async fn over(database: Database, settings: &[(&str, &str)]) -> Self {
        Self::of_project(&root(), database, settings).await
    }

    /// The server with the project in another folder.
    pub async fn of_project(project: &Path, database: Database, settings: &[(&str, &str)]) -> Self {
        secrets::listen();
        let log = secrets::now();
        let data = tempfile::tempdir().unwrap();
        let url = database.target().url();
        let own = [
            ("DUGOUT_PORT", "0"),
            ("DUGOUT_WORKERS", "1"),
            ("DUGOUT_DB_POOL", "8"),
            ("DUGOUT_SHUTDOWN_TIMEOUT", "1"),
            ("DUGOUT_DATA_DIR", data.path().to_str().unwrap()),
            ("DATABASE_URL", &url),
            // Tests count statements, and set the clock forward by days: a cleanup would interfere.
            ("GOTRUE_DB_CLEANUP_ENABLED", "false"),
            // The app's project has private channels only.
            ("DUGOUT_REALTIME_PRIVATE_ONLY", "false"),
        ];
        let env: BTreeMap<String, String> = own
            .iter()
            .chain(&GENEROUS)
            .chain(settings)
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let sources = Sources { env, project: Some(project.to_owned()), ..Sources::default() };
        let (config, _) = Config::load(&sources).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let (started, running) = oneshot::channel();
        let (stop, stopped) = oneshot::channel();
        // An own thread and runtime, because the server stops slightly later than the test's runtime.
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            runtime.block_on(async {
                let server = Box::pin(server::start(config, None)).await.unwrap_or_else(|error| panic!("{error}"));
                let _ = started.send((server.state.clone(), server.clock.clone()));
                let _ = stopped.await;
                Box::pin(server.stop_now()).await;
            });
            runtime.shutdown_background();
        });
        let (state, clock) = running.await.expect("the server started");
        Server {
            url: state.api_url,
            anon_key: state.anon_key,
            service_role_key: state.service_role_key,
            jwt_secret: state.jwt_secret,
            clock,
            database,
            stop: Some(stop),
            thread: Some(thread),
            log,
            data,
        }
    }

    /// The data directory.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// Secrets of this server in the log. Each occurrence is reported only once.
    pub fn leaks(&mut self) -> Vec<secrets::Leak> {
        for secret in [&self.jwt_secret, &self.service_role_key] {
            secrets::learn(&self.url, secret);
        }
        let start = std::mem::replace(&mut self.log, secrets::now());
        secrets::search(&self.url, &secrets::since(start))
    }

    /// A new account with [`PASSWORD`].
    pub async fn signed_up(&self, email: &str) -> User {
        self.signed_up_with(email, json!({})).await
    }

    /// A new account with user metadata.
    pub async fn signed_up_with(&self, email: &str, data: serde_json::Value) -> User {
        let body = json!({ "email": email, "password": PASSWORD, "data": data });
        let session = self.post("/auth/v1/signup", body).await.is(200).json();
        User::of_session(&session, &self.url, &self.anon_key)
    }

    /// Another session of an existing account.
    pub async fn signed_in(&self, email: &str) -> User {
        let body = json!({ "email": email, "password": PASSWORD });
        let session = self.post("/auth/v1/token?grant_type=password", body).await.is(200).json();
        User::of_session(&session, &self.url, &self.anon_key)
    }

    /// A request with the service_role key, which bypasses all policies.
    pub fn as_service(&self, method: Method, path: &str) -> Request {
        self.request(method, path).header("apikey", &self.service_role_key).bearer(&self.service_role_key)
    }
}

impl Calls for Server {
    fn request(&self, method: Method, path: &str) -> Request {
        Request::new(method, &format!("{}{path}", self.url)).header("apikey", &self.anon_key)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the server ended with a panic");
        }
        let leaks = self.leaks();
        if !std::thread::panicking() {
            assert!(leaks.is_empty(), "secrets in the log: {leaks:?}");
        }
    }
}
