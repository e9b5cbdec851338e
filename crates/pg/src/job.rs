//! Runs the SQL of a scheduled job, which a project wrote.

use tokio::task::AbortHandle;
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::{Error, Target};

/// A connection for one run of a job. Dropping it ends the connection.
pub struct Job {
    client: Client,
    driver: AbortHandle,
    /// The process id of the connection's backend.
    pub pid: i32,
}

impl Job {
    /// Logs in as the role of `target`, so that `reset role` and `reset session authorization` in a job lead to that role.
    ///
    /// # Errors
    /// [`Error::Unavailable`], or [`Error::Database`] if the role may not log in.
    pub async fn connect(target: &Target) -> Result<Self, Error> {
        let connecting = target.driver_config().connect(target.tls_connector()?).await;
        let (client, connection) = connecting.map_err(Error::from_driver)?;
        let driver = tokio::spawn(async move {
            // If the connection breaks, the running statement reports it.
            let _ = connection.await;
        });
        let mut job = Job { client, driver: driver.abort_handle(), pid: 0 };
        let row = job.client.query_one("select pg_catalog.pg_backend_pid()", &[]).await.map_err(Error::from_driver)?;
        job.pid = row.try_get(0).map_err(Error::from_driver)?;
        Ok(job)
    }

    /// Executes the statements in one implicit transaction. Returns the result of the last one in pg_cron's words.
    ///
    /// # Errors
    /// PostgreSQL's error.
    pub async fn run(&self, command: &str) -> Result<String, Error> {
        let messages = self.client.simple_query(command).await.map_err(Error::from_driver)?;
        let mut has_rows = false;
        let mut said = String::new();
        for message in messages {
            match message {
                SimpleQueryMessage::RowDescription(_) => has_rows = true,
                SimpleQueryMessage::CommandComplete(count) => {
                    let noun = if count == 1 { "row" } else { "rows" };
                    said = if has_rows { format!("{count} {noun}") } else { format!("{count} {noun} affected") };
                    has_rows = false;
                }
                _ => {}
            }
        }
        Ok(said)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.driver.abort();
    }
}
