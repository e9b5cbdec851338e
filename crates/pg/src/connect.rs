//! A single connection outside the pool, for bootstrap and migrations. Its notices are logged, and sessions of a superuser run
//! no event triggers.

use std::future::poll_fn;
use std::pin::pin;

use tokio_postgres::{AsyncMessage, Client};

use crate::{Error, Target};

/// SQLSTATEs with which a server refuses `event_triggers = off`: undefined_object before PostgreSQL 17, insufficient_privilege
/// for roles without superuser rights, protocol_violation from poolers that do not support settings at login.
const REFUSALS: [&str; 3] = ["42704", "42501", "08P01"];

/// The first version with the setting `event_triggers`, as `server_version_num`.
const WITH_SETTING: i32 = 170_000;

/// undefined_file: a setting names a library that does not exist. Every login fails then.
pub const NO_LIBRARY: &str = "58P01";

/// Protects a login against event triggers that would use its rights: turns event triggers off if the role is a superuser and
/// the server has that setting. The first connection requests this already, because a login trigger would run in it. If a
/// library in `local_preload_libraries` is missing, that setting is cleared, too.
///
/// # Errors
/// [`Error::Unavailable`] if the server cannot be reached, [`Error::Database`] if it refuses the login.
pub async fn guarded(target: &Target) -> Result<Target, Error> {
    match without_triggers(target).await {
        Err(Error::Database(error)) if error.code == NO_LIBRARY => without_triggers(&target.without_preloads()).await,
        other => other,
    }
}

async fn without_triggers(target: &Target) -> Result<Target, Error> {
    let guarded = target.without_event_triggers();
    match open(&guarded).await {
        Ok(_) => Ok(guarded),
        Err(Error::Database(error)) if REFUSALS.contains(&error.code.as_str()) => {
            // The server may have refused `event_triggers` before it checked the libraries.
            open(target).await.map(|_| target.clone())
        }
        Err(error) => Err(error),
    }
}

/// Connects. The connection closes when the client is dropped. For a superuser, event triggers are off; on a server without
/// that setting, the connection is refused if a function of an event trigger belongs to a role without superuser rights.
///
/// # Errors
/// [`Error::Unavailable`] if the server cannot be reached, [`Error::Database`] if it refuses the login or has such a trigger.
pub(crate) async fn connect(target: &Target) -> Result<Client, Error> {
    let client = open(target).await?;
    if target.has_event_triggers_off() {
        return Ok(client);
    }
    let row = client.query_one(include_str!("queries/superuser_and_version.sql"), &[]).await;
    let row = row.map_err(Error::from_driver)?;
    let (superuser, version): (bool, i32) =
        (row.try_get(0).map_err(Error::from_driver)?, row.try_get(1).map_err(Error::from_driver)?);
    if !superuser {
        return Ok(client);
    }
    if version >= WITH_SETTING {
        return open(&target.without_event_triggers()).await;
    }
    let checked = client.batch_execute(include_str!("queries/refuse_event_triggers.sql")).await;
    checked.map_err(Error::from_driver)?;
    Ok(client)
}

async fn open(target: &Target) -> Result<Client, Error> {
    let connected = target.driver_config().connect(target.tls_connector()?).await;
    let (client, connection) = connected.map_err(|error| match Error::from_driver(error) {
        Error::Lost(text) | Error::Protocol(text) => Error::Unavailable(text),
        other => other,
    })?;
    tokio::spawn(async move {
        let mut connection = pin!(connection);
        // An error also reaches the statement that is running.
        while let Some(Ok(message)) = poll_fn(|context| connection.as_mut().poll_message(context)).await {
            if let AsyncMessage::Notice(notice) = message {
                // Idempotent scripts cause many of these ("does not exist, skipping").
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
