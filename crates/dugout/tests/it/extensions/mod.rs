//! The extensions that come with the embedded cluster, in the real binary with its own PostgreSQL.

mod contrib;
mod cron;
mod mail;
mod net;
mod plain;
mod queues;
mod upgrade;
mod vault;
mod webhooks;

use std::time::{Duration, Instant};

use pg::Target;
use tokio_postgres::Client;

use crate::kit::{Account, Launch, Process, connect, skip};

/// How long a worker may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server, and a connection as the owner of its database.
struct Running {
    launch: Launch,
    dugout: Process,
    owner: Client,
}

impl Running {
    /// `None`, after a note, if the PostgreSQL in use is older than the extensions need.
    async fn start() -> Option<Self> {
        Self::with(&[]).await
    }

    /// As [`Self::start`], with environment variables.
    async fn with(settings: &[(&str, String)]) -> Option<Self> {
        let launch = Launch::prepared(Account::Ours).await.env("DUGOUT_DB_DURABILITY", "full");
        let launch = settings.iter().fold(launch, |launch, (name, value)| launch.env(name, value));
        let dugout = launch.start().await;
        let owner = owner(&launch).await;
        let row = owner.query_one("select current_setting('server_version_num')::int", &[]).await.unwrap();
        if row.get::<_, i32>(0) < 180_000 {
            skip("PostgreSQL 18 is needed: run scripts/install.sh");
            return None;
        }
        Some(Running { launch, dugout, owner })
    }

    async fn run(&self, sql: &str) {
        self.owner.batch_execute(sql).await.unwrap();
    }

    /// The first column of the only row, as text.
    async fn one(&self, sql: &str) -> String {
        let messages = self.owner.simple_query(sql).await.unwrap();
        let mut rows = messages.iter().filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or("null").to_owned()),
            _ => None,
        });
        rows.next().unwrap_or_default()
    }

    /// The message of the error that the statement causes.
    async fn refusal(&self, sql: &str) -> String {
        refusal(&self.owner, sql).await
    }

    /// Waits until the condition holds.
    async fn until(&self, condition: &str) {
        let begun = Instant::now();
        while self.one(&format!("select ({condition})::text")).await != "true" {
            assert!(begun.elapsed() < PATIENCE, "never true: {condition}\n{}", self.dugout.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Kills the server and its PostgreSQL, and starts them again.
    async fn crash(&mut self) {
        self.dugout.kill().await;
        self.dugout = self.launch.start().await;
        self.owner = owner(&self.launch).await;
    }
}

async fn owner(launch: &Launch) -> Client {
    role(launch, "postgres").await
}

async fn role(launch: &Launch, name: &str) -> Client {
    connect(&Target::unix(&launch.data_dir().join("run"), 5432, name, "postgres")).await
}

async fn refusal(client: &Client, sql: &str) -> String {
    client.batch_execute(sql).await.unwrap_err().as_db_error().unwrap().message().to_owned()
}
