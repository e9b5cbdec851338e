//! Auth alone: the real binary, run as `dugout auth` in place of GoTrue's container.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;

use super::{Calls, Database, Process, Request, free_port, secrets};

/// The real binary with its own database; routes are at `/`. Requests made on it are anonymous.
pub struct AuthProcess {
    // Declared before the database, so that its connections close first.
    process: Process,
    pub database: Database,
    _folder: tempfile::TempDir,
}

/// The HS256 signing secret.
pub const AUTH_SECRET: &str = "an auth secret of the tests, long enough";

impl AuthProcess {
    /// `settings` are pairs of environment variable and value, such as `("GOTRUE_JWT_EXP", "60")`. By default addresses
    /// are confirmed at once and everything is logged.
    pub async fn start(settings: &[(&str, &str)]) -> Self {
        let database = Database::cloned().await;
        let url = database.as_role("supabase_auth_admin").url();
        Self::over(database, &url, settings).await
    }

    /// As [`AuthProcess::start`], with a database URL of the test's choice.
    pub async fn over(database: Database, database_url: &str, settings: &[(&str, &str)]) -> Self {
        let (folder, port) = (tempfile::tempdir().unwrap(), free_port().to_string());
        let own = [
            ("PORT", port.as_str()),
            ("DATABASE_URL", database_url),
            ("API_EXTERNAL_URL", "http://auth.test"),
            ("GOTRUE_SITE_URL", "http://app.test"),
            ("GOTRUE_JWT_SECRET", AUTH_SECRET),
            ("GOTRUE_JWT_AUD", "authenticated"),
            ("GOTRUE_JWT_DEFAULT_GROUP_NAME", "authenticated"),
            ("GOTRUE_MAILER_AUTOCONFIRM", "true"),
            ("DUGOUT_LOG", "trace"),
        ];
        let env: BTreeMap<&str, &str> = own.iter().chain(&super::GENEROUS).chain(settings).copied().collect();
        let log = folder.path().join("auth.log");
        let file = std::fs::File::create(&log).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_dugout"));
        command.arg("auth").env_clear().envs(env).stdin(Stdio::null());
        command.stdout(file.try_clone().unwrap()).stderr(file);
        let url = format!("http://127.0.0.1:{port}");
        secrets::learn(&url, AUTH_SECRET);
        let mut process = Process::new(command.spawn().unwrap(), url.clone(), log);
        let begun = Instant::now();
        while !process.get("/health").try_send().await.is_ok_and(|answer| answer.status == 200) {
            assert!(process.exited().is_none() && begun.elapsed() < Duration::from_secs(30), "{}", process.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        AuthProcess { process, database, _folder: folder }
    }
}

impl AuthProcess {
    /// The log so far.
    pub fn log(&self) -> String {
        self.process.log()
    }

    /// The base URL.
    pub fn url(&self) -> String {
        self.process.url()
    }
}

impl Calls for AuthProcess {
    fn request(&self, method: Method, path: &str) -> Request {
        self.process.request(method, path)
    }
}
