//! Auth alone, as `dugout auth` serves it in the place of GoTrue's container: the real binary.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;

use super::{Calls, Database, Process, Request, free_port, secrets};

/// The real binary over a database of its own, at `/`. Requests made on it are anonymous.
pub struct AuthProcess {
    // Before the database: it has connections to it.
    process: Process,
    pub database: Database,
    _folder: tempfile::TempDir,
}

/// What HS256 tokens are signed with.
pub const AUTH_SECRET: &str = "an auth secret of the tests, long enough";

impl AuthProcess {
    /// `settings` are by the names of their environment variables, such as `("GOTRUE_JWT_EXP", "60")`. Addresses are
    /// confirmed at once unless they say otherwise, and everything is logged.
    pub async fn start(settings: &[(&str, &str)]) -> Self {
        let database = Database::cloned().await;
        let url = database.as_role("supabase_auth_admin").url();
        Self::over(database, &url, settings).await
    }

    /// The same where the database is reached by another way.
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
    /// What it has logged.
    pub fn log(&self) -> String {
        self.process.log()
    }

    /// Where it answers.
    pub fn url(&self) -> String {
        self.process.url()
    }
}

impl Calls for AuthProcess {
    fn request(&self, method: Method, path: &str) -> Request {
        self.process.request(method, path)
    }
}
