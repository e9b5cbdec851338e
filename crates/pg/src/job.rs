//! Running the text of a scheduled job: like a project's own scripts, it is SQL that we did not write.

use tokio::task::AbortHandle;
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::{Error, Target};

/// A connection for one run of a job. Dropping it ends the connection.
pub struct Job {
    client: Client,
    driver: AbortHandle,
    /// The process that serves the connection.
    pub pid: i32,
}

impl Job {
    /// Logs in as the role of `target`: what the job does with `reset role` or `reset session authorization` leads nowhere
    /// else.
    ///
    /// # Errors
    /// [`Error::Unavailable`], and [`Error::Database`] when the role may not log in.
    pub async fn connect(target: &Target) -> Result<Self, Error> {
        let connecting = target.driver_config().connect(target.tls_connector()?).await;
        let (client, connection) = connecting.map_err(Error::from_driver)?;
        let driver = tokio::spawn(async move {
            // How a broken connection shows: the statement under way fails.
            let _ = connection.await;
        });
        let mut job = Job { client, driver: driver.abort_handle(), pid: 0 };
        let row = job.client.query_one("select pg_catalog.pg_backend_pid()", &[]).await.map_err(Error::from_driver)?;
        job.pid = row.try_get(0).map_err(Error::from_driver)?;
        Ok(job)
    }

    /// Executes the statements in one implicit transaction, and says what the last one did as pg_cron does.
    ///
    /// # Errors
    /// Those of PostgreSQL.
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
