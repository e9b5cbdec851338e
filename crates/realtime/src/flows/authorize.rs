//! Private channels: the row policies of `realtime.messages` decide.

use pg::Session;
use pg::error::Error;

use crate::protocol::reason::JoinFault;
use crate::state::State;
use crate::store::messages::{self, Rights};

/// SQLSTATE check_violation: no partition for today.
const NO_PARTITION: &str = "23514";

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
/// [`JoinFault::Database`], [`JoinFault::Pool`], and [`JoinFault::Unauthorized`] if a policy raises.
pub(crate) async fn read(state: &State, asker: Asker<'_>, topic: &str) -> Result<Rights, JoinFault> {
    let session = session(asker, topic);
    let mut connection = state.pool.get().await.map_err(|error| fault(&error, topic))?;
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
    let mut connection = state.pool.get().await.map_err(|error| fault(&error, topic))?;
    let mut found = messages::writable(&mut connection, &session, topic).await;
    if is_missing_partition(&found) {
        messages::keep_partitions(&mut connection).await.map_err(|error| fault(&error, topic))?;
        found = messages::writable(&mut connection, &session, topic).await;
    }
    found.map_err(|error| fault(&error, topic))
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
    matches!(found, Err(Error::Database(error)) if error.code == NO_PARTITION)
}

fn fault(error: &Error, topic: &str) -> JoinFault {
    tracing::warn!(event = "realtime_authorization", topic, detail = %error);
    match error {
        Error::Exhausted => JoinFault::Pool,
        Error::Database(_) => JoinFault::Unauthorized(topic.to_owned()),
        _ => JoinFault::Database,
    }
}
