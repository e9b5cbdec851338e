//! Private channels: the row policies of `realtime.messages` decide.

use pg::Session;
use pg::error::{DbError, Error};
use pg::pool::Connection;

use crate::protocol::reason::JoinFault;
use crate::state::State;
use crate::store::messages::{self, Rights};

/// SQLSTATE check_violation: no partition for today.
const NO_PARTITION: &str = "23514";

/// SQLSTATE query_canceled.
const CANCELED: &str = "57014";

/// SQLSTATE too_many_connections.
const TOO_MANY_CONNECTIONS: &str = "53300";

/// On whose behalf is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker<'a> {
    pub(crate) role: &'a str,
    /// The claims as JSON.
    pub(crate) claims: &'a str,
    pub(crate) subject: &'a str,
    /// The headers that policies can read, as JSON.
    pub(crate) headers: &'a str,
}

/// What the caller may read on a topic, named without `realtime:`.
///
/// # Errors
/// [`JoinFault::Database`], [`JoinFault::Connections`], [`JoinFault::Pool`], [`JoinFault::Canceled`], [`JoinFault::Partition`],
/// and [`JoinFault::Unauthorized`] if a policy raises.
pub(crate) async fn read(state: &State, asker: Asker<'_>, topic: &str) -> Result<Rights, JoinFault> {
    let session = session(asker, topic);
    let mut connection = connection(state, topic).await?;
    let mut found = messages::readable(&mut connection, &session, topic).await;
    if is_missing_partition(&found) {
        messages::keep_partitions(&mut connection).await.map_err(|error| fault(&error, topic))?;
        found = messages::readable(&mut connection, &session, topic).await;
    }
    found.map_err(|error| fault(&error, topic))
}

/// What the caller may write on a topic.
///
/// # Errors
/// As [`read`].
pub(crate) async fn write(state: &State, asker: Asker<'_>, topic: &str) -> Result<Rights, JoinFault> {
    let session = session(asker, topic);
    let mut connection = connection(state, topic).await?;
    let mut found = messages::writable(&mut connection, &session, topic).await;
    if is_missing_partition(&found) {
        messages::keep_partitions(&mut connection).await.map_err(|error| fault(&error, topic))?;
        found = messages::writable(&mut connection, &session, topic).await;
    }
    found.map_err(|error| fault(&error, topic))
}

async fn connection(state: &State, topic: &str) -> Result<Connection, JoinFault> {
    state.pool.get().await.map_err(|error| match error {
        Error::Database(error) if error.code == TOO_MANY_CONNECTIONS => {
            tracing::warn!(event = "realtime_authorization", topic, detail = %error);
            JoinFault::Connections
        }
        Error::Database(error) => fault(&Error::Unavailable(error.to_string()), topic),
        other => fault(&other, topic),
    })
}

fn session(asker: Asker<'_>, topic: &str) -> Session {
    let mut session = Session::new(asker.role);
    session
        .set("realtime.topic", topic)
        .set("request.jwt.claims", asker.claims)
        .set("request.jwt.claim.sub", asker.subject)
        .set("request.jwt.claim.role", asker.role)
        .set("request.headers", asker.headers);
    session
}

fn is_missing_partition(found: &Result<Rights, Error>) -> bool {
    matches!(found, Err(Error::Database(error)) if is_of_partition(error))
}

fn is_of_partition(error: &DbError) -> bool {
    error.code == NO_PARTITION && error.table.as_deref() == Some("messages")
}

fn fault(error: &Error, topic: &str) -> JoinFault {
    tracing::warn!(event = "realtime_authorization", topic, detail = %error);
    match error {
        Error::Exhausted => JoinFault::Pool,
        Error::Database(error) if error.code == CANCELED => {
            JoinFault::Canceled(format!("{} {CANCELED} (query_canceled) {}", error.severity, error.message))
        }
        Error::Database(error) if is_of_partition(error) => JoinFault::Partition,
        Error::Database(_) => JoinFault::Unauthorized(topic.to_owned()),
        _ => JoinFault::Database,
    }
}
