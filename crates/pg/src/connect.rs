//! A single connection outside the pool, for bootstrap and migrations: its notices become events of ours.

use std::future::poll_fn;
use std::pin::pin;

use tokio_postgres::{AsyncMessage, Client};

use crate::{Error, Target};

/// Connects; the connection closes when the client is dropped.
///
/// # Errors
/// [`Error::Unavailable`] when the server cannot be reached, [`Error::Database`] when it refuses the login.
pub(crate) async fn connect(target: &Target) -> Result<Client, Error> {
    let connected = target.driver_config().connect(target.tls_connector()?).await;
    let (client, connection) = connected.map_err(|error| match Error::from_driver(error) {
        Error::Lost(text) | Error::Protocol(text) => Error::Unavailable(text),
        other => other,
    })?;
    tokio::spawn(async move {
        let mut connection = pin!(connection);
        // An error here reaches the statement under way as well.
        while let Some(Ok(message)) = poll_fn(|context| connection.as_mut().poll_message(context)).await {
            if let AsyncMessage::Notice(notice) = message {
                // "does not exist, skipping" and the like are what an idempotent script is made of.
                if notice.severity() == "NOTICE" && notice.message().ends_with(", skipping") {
                    tracing::debug!(target: "postgres", "{}", notice.message());
                } else {
                    tracing::info!(target: "postgres", severity = notice.severity(), "{}", notice.message());
                }
            }
        }
    });
    Ok(client)
}
