//! Running a developer's own SQL, statement by statement, as psql would: scripts that we did not write and whose rows are of
//! interest.

use tokio_postgres::{Client, SimpleQueryMessage};

use crate::connect::connect;
use crate::{Error, Target};

/// A connection for scripts, as the role of the target and outside of any transaction of ours.
pub struct Script {
    client: Client,
}

impl Script {
    /// Connects; the connection closes when the value is dropped.
    ///
    /// # Errors
    /// [`Error::Unavailable`] and [`Error::Database`], as for every connection.
    pub async fn connect(target: &Target) -> Result<Self, Error> {
        Ok(Script { client: connect(target).await? })
    }

    /// Runs the text, and returns its rows with their columns as text.
    ///
    /// # Errors
    /// Those of PostgreSQL. Rows of statements before the failing one are lost.
    pub async fn rows(&self, sql: &str) -> Result<Vec<Vec<Option<String>>>, Error> {
        let messages = self.client.simple_query(sql).await.map_err(Error::from_driver)?;
        let row = |message| match message {
            SimpleQueryMessage::Row(row) => {
                Some((0..row.len()).map(|column| row.get(column).map(str::to_owned)).collect())
            }
            _ => None,
        };
        Ok(messages.into_iter().filter_map(row).collect())
    }
}
